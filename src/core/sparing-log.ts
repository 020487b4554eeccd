/**
 * A log for events that a loose plug or a machine on the network can cause again and again; they must not fill the log
 * (I8). In an hour only a limited number of records of each message is written, and the rest goes to debug. The next
 * one written tells how many were left out.
 */
import type { Clock } from './clock.ts';
import { hours } from './duration.ts';
import type { Fact, Log } from './log.ts';

const span = hours(1);
/** For each message about each subject: more than a person who plugs a reader in and out needs to see. */
const most = 60;

interface Tally {
  since: number;
  written: number;
  leftOut: number;
}

export function createSparingLog({ log, clock }: { readonly log: Log; readonly clock: Clock }): Log {
  const tallies = new Map<string, Tally>();

  function tallyOf(msg: string, { scope, subject }: Record<string, Fact>): Tally {
    const at = clock.monotonic();
    const key = JSON.stringify([msg, scope, subject]);
    const tally = tallies.get(key);
    if (tally && at - tally.since < span) return tally;
    const fresh = { since: at, written: 0, leftOut: tally?.leftOut ?? 0 };
    tallies.set(key, fresh);
    return fresh;
  }

  const over = (inner: Log): Log => {
    const sparingly =
      (level: 'info' | 'warn' | 'error') =>
      (msg: string, facts: Record<string, Fact> = {}) => {
        const tally = tallyOf(msg, facts);
        if (tally.written === most) {
          tally.leftOut += 1;
          return inner.debug(msg, facts);
        }
        const unreported = tally.leftOut > 0 ? { unreported: tally.leftOut } : {};
        Object.assign(tally, { written: tally.written + 1, leftOut: 0 });
        inner[level](msg, { ...facts, ...unreported });
      };
    return {
      debug: (msg, facts) => inner.debug(msg, facts),
      info: sparingly('info'),
      warn: sparingly('warn'),
      error: sparingly('error'),
      with: (facts) => over(inner.with(facts)),
    };
  };
  return over(log);
}
