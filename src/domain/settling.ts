/**
 * After a power cut, or when the service is back, many gateways want the same of it in the same second. Whatever nobody
 * waits for takes its turn by chance instead (F13): within a part of its own interval, and the more gateways there are the
 * larger that part, so that a full fleet asks no more then than it does at rest. What a person waits for takes its turn
 * at once. A gateway alone puts off nothing.
 */
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { milliseconds, minutes, shortest } from '../core/duration.ts';

export interface Settling {
  /** Gateways begin anew now, many at once perhaps. The making was the first time. */
  begin(): void;
  /** For something that recurs at this interval. */
  turn(interval: Duration): Turn;
  /** So much of the longest wait as these gateways need: 0 for one alone, 1 for a thousand and more. */
  part(): number;
  /** The time in which all is read that was not known; `undefined` when it is over. */
  window(): { readonly left: Duration; readonly gateways: number } | undefined;
}

/** One that something waits for. */
export interface Turn {
  /** Until it comes; 0 from then on, until gateways begin anew. */
  left(): Duration;
  /** Now, for a person waits for it, or nothing that was known can take its place. */
  take(): void;
}

/** What is not known yet, and is to be known soon, recurs at no longer interval. */
export const longestWindow = minutes(5);
const fullFleet = 1000;

/** @param world.gateways How many ask the same service, as far as is known. */
export function createSettling(world: {
  readonly clock: Clock;
  readonly chance: Chance;
  gateways(): number;
}): Settling {
  const { clock, chance, gateways } = world;
  let begins = 0;
  let begunAt = clock.monotonic();
  const part = (): number => Math.min(1, (gateways() - 1) / fullFleet);
  const untilEnd = (span: number): Duration => milliseconds(Math.max(0, begunAt + span - clock.monotonic()));

  return {
    begin() {
      begins += 1;
      begunAt = clock.monotonic();
    },
    turn(interval) {
      const drawn = { of: -1, at: 0, isTaken: false };
      return {
        left() {
          if (drawn.of !== begins) {
            Object.assign(drawn, { of: begins, at: chance.jitter(milliseconds(0.5), 1), isTaken: false });
          }
          return drawn.isTaken ? milliseconds(0) : untilEnd(drawn.at * part() * interval);
        },
        take() {
          Object.assign(drawn, { of: begins, isTaken: true });
        },
      };
    },
    part,
    window() {
      const left = untilEnd(part() * longestWindow);
      return left > 0 ? { left: shortest(left, longestWindow), gateways: gateways() } : undefined;
    },
  };
}

/** Of a gateway that is alone: every turn is now. */
export const settled: Settling = {
  begin() {},
  turn: () => ({ left: () => milliseconds(0), take() {} }),
  part: () => 0,
  window: () => undefined,
};
