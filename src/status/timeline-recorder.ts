/**
 * Writes the timeline. It listens to the log, whatever level is written, and keeps the messages that
 * `domain/terminal/timeline.ts` lists. The number of each message per hour is limited. So a flapping part, or a person
 * who taps for fun, does not push out the earlier days (I8).
 */
import type { Clock } from '../core/clock.ts';
import { isoInstant } from '../core/clock.ts';
import { hours } from '../core/duration.ts';
import type { Fact, HeardRecord, RootLog } from '../core/log.ts';
import { printable } from '../core/text/printable.ts';
import type { TimelineEntry, TimelineFact } from '../domain/terminal/timeline.ts';
import { factsKeptOf, isTimelineEvent } from '../domain/terminal/timeline.ts';

const span = hours(1);
/** For one message at one terminal. A busy printer has as many releases. */
const most = 300;
const longestFact = 200;
const mostInList = 50;

/** Runs until it is disposed. */
export function recordTimeline(options: {
  readonly log: Pick<RootLog, 'listen'>;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  add(entry: TimelineEntry): void;
}): Disposable {
  const { log, clock, add } = options;
  let hourBegan = clock.monotonic();
  const counts = new Map<string, number>();

  function isOneTooMany({ what, terminal = '', facts: { subject = '' } }: TimelineEntry): boolean {
    if (clock.monotonic() - hourBegan >= span) {
      hourBegan = clock.monotonic();
      counts.clear();
    }
    const key = JSON.stringify([what, terminal, subject]);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count > most;
  }

  return log.listen((record) => {
    const entry = entryOf(record, isoInstant(clock.now()));
    if (entry && !isOneTooMany(entry)) add(entry);
  });
}

function entryOf({ msg, facts }: HeardRecord, time: string): TimelineEntry | undefined {
  const kept = factsKeptOf(msg);
  if (!kept || !isTimelineEvent(msg)) return undefined;
  const { terminal = facts['scope'] === 'agent' ? undefined : facts['scope'] } = facts;
  return {
    time,
    what: msg,
    ...(typeof terminal === 'string' ? { terminal } : {}),
    facts: Object.fromEntries(
      kept.flatMap((name) => {
        const fact = factOf(facts[name]);
        return fact === undefined ? [] : [[name, fact] as const];
      }),
    ),
  };
}

function factOf(fact: Fact): TimelineFact | undefined {
  if (typeof fact === 'number' || typeof fact === 'boolean') return fact;
  if (typeof fact === 'string') return printable(fact.slice(0, longestFact));
  if (!Array.isArray(fact)) return undefined;
  return fact.slice(0, mostInList).flatMap((one) => (typeof one === 'string' ? [printable(one)] : []));
}
