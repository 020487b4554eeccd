/**
 * The terminals that the kiosk serves now, each with its presence, its command rate and the words that it obeys.
 * Terminals come and go while the kiosk runs. An unknown terminal is answered with 404.
 */
import type { Clock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import { TokenBucket } from '../../core/token-bucket.ts';
import { isOffered, isInUse } from '../../domain/terminal/persons-word.ts';
import type { PersonsWord } from '../../domain/terminal/persons-word.ts';
import type { TerminalViewSource } from '../../domain/terminal/terminal-view.ts';
import type { Streams } from './streams.ts';

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

interface Presence extends Disposable {
  /** A page has connected. Call the returned function when the page is gone or another page has taken over. */
  came(): () => void;
  /** The terminal has carried out a command of a page. */
  obeyed(): void;
}

/** A page that reloads is back within this time. */
const patience = seconds(5);
/** States that follow a person's answer without a further command. */
const follows: ReadonlySet<string> = new Set(['registering', 'listing']);

interface Use {
  /** The generation of the view that the person sees. */
  generation: number;
  readonly unhook: () => void;
}

/**
 * Tracks the pages that may send commands to a terminal, and whether a person uses one. If a used page loses its
 * connection, for example by a crash, the session ends after 5 s unless a page is back (INVARIANTS.md B.4, 10). A
 * session in which no page was touched is left alone.
 */
function createPresence(world: {
  readonly terminal: KioskTerminal;
  readonly clock: Clock;
  /** Called when the first page comes and when the last page goes. */
  onPages(state: 'up' | 'down'): void;
}): Presence {
  const { terminal, clock, onPages } = world;
  let pages = 0;
  let use: Use | undefined;
  let timer: unknown;

  function forget(): void {
    clock.clearTimeout(timer);
    use?.unhook();
    use = undefined;
  }

  function follow(): void {
    const view = terminal.view.current();
    if (!use || !isInUse(view)) return forget();
    if (view.generation === use.generation) return;
    if (follows.has(view.state)) use.generation = view.generation;
    else forget();
  }

  function giveUp(): void {
    const generation = use?.generation;
    forget();
    if (generation !== undefined) terminal.tell({ type: 'log-out', generation });
  }

  return {
    came() {
      pages += 1;
      clock.clearTimeout(timer);
      if (pages === 1) onPages('up');
      return () => {
        pages -= 1;
        if (pages > 0) return;
        if (use) timer = clock.setTimeout(giveUp, patience);
        onPages('down');
      };
    },
    obeyed() {
      const view = terminal.view.current();
      if (!isInUse(view)) return forget();
      if (use) use.generation = view.generation;
      else use = { generation: view.generation, unhook: terminal.view.onChange(follow) };
    },
    [Symbol.dispose]: forget,
  };
}

export interface KioskTerminal {
  readonly view: TerminalViewSource;
  tell(word: PersonsWord): void;
  /** The PNG of that name in the view; `undefined` if it is no longer shown. */
  picture(name: string): Buffer | undefined;
}

/**
 * Gives `false`, without any effect, if the view does not offer the word. The terminal itself silently ignores stale
 * or misplaced words (D2).
 */
export function obey(terminal: KioskTerminal, word: PersonsWord): boolean {
  if (!isOffered(word, terminal.view.current())) return false;
  terminal.tell(word);
  return true;
}
