/**
 * The terminals that the kiosk serves now, each with its presence and its command rate. Terminals come and go while the
 * kiosk runs. An unknown terminal is answered with 404.
 */
import type { Clock } from '../../core/clock.ts';
import { TokenBucket } from '../../core/token-bucket.ts';
import type { Presence } from './presence.ts';
import { createPresence } from './presence.ts';
import type { Streams } from './streams.ts';
import type { KioskTerminal } from './terminal.ts';

/** The limit for commands to a terminal (INVARIANTS.md T28). */
const commandRate = { requestsPerSecond: 20, burst: 40 };

export interface ServedTerminal {
  /** `[a-z0-9-]{1,32}` */
  readonly id: string;
  readonly terminal: KioskTerminal;
  /** Whether a page that may send commands is connected. The state at the start is `down`. */
  onPages(state: 'up' | 'down'): void;
}

export interface Seat {
  readonly terminal: KioskTerminal;
  readonly presence: Presence;
  isWithinRate(): boolean;
}

export interface Seats extends Disposable {
  of(id: string): Seat | undefined;
  /**
   * Replaces an earlier terminal of that id. Disposing ends its streams; the pages then reconnect to the next terminal
   * or get 404.
   */
  serve(served: ServedTerminal): Disposable;
}

export function createSeats({ clock, streams }: { clock: Clock; streams: Pick<Streams, 'end'> }): Seats {
  const seats = new Map<string, Seat>();
  return {
    of: (id) => seats.get(id),
    serve({ id, terminal, onPages }) {
      let isServed = true;
      const presence = createPresence({
        terminal,
        clock,
        onPages: (state) => isServed && onPages(state),
      });
      const commands = new TokenBucket(commandRate, clock);
      const seat: Seat = { terminal, presence, isWithinRate: () => commands.take() };
      seats.set(id, seat);
      return {
        [Symbol.dispose]() {
          isServed = false;
          presence[Symbol.dispose]();
          if (seats.get(id) === seat) seats.delete(id);
          streams.end(terminal.view);
        },
      };
    },
    [Symbol.dispose]() {
      for (const { presence } of seats.values()) presence[Symbol.dispose]();
    },
  };
}
