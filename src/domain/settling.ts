/**
 * After a power cut, or when the service is back, many gateways want the same calls in the same second. Calls that no
 * person waits for take a random turn instead (F13), within a part of their own interval. The part grows with the
 * number of gateways, so that a full fleet asks no more then than it does at rest. A call that a person waits for takes
 * its turn at once. A single gateway delays nothing.
 */
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { milliseconds, minutes, shortest } from '../core/duration.ts';

export interface Settling {
  /** Gateways start again now, perhaps many at once. Creating this object counts as the first time. */
  begin(): void;
  /** For a call that recurs at this interval. */
  turn(interval: Duration): Turn;
  /** The part of the longest wait that these gateways need: 0 for one alone, 1 for a thousand and more. */
  part(): number;
  /** The time within which all unknown facts are read; `undefined` when it is over. */
  window(): { readonly left: Duration; readonly gateways: number } | undefined;
}

/** The turn of one recurring call. */
export interface Turn {
  /** The time until the turn; 0 from then on, until gateways start again. */
  left(): Duration;
  /** Takes the turn now, because a person waits, or because there is no older value to use meanwhile. */
  take(): void;
}

/** The longest interval for a call whose fact is not known yet, because it is wanted soon. */
export const longestWindow = minutes(5);
const fullFleet = 1000;

/** @param world.gateways The number of gateways at the same service, as far as is known. */
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

/** For a single gateway: every turn is now. */
export const settled: Settling = {
  begin() {},
  turn: () => ({ left: () => milliseconds(0), take() {} }),
  part: () => 0,
  window: () => undefined,
};
