/**
 * The failures of the last day here: the number of people who met one, hour by hour, and the terminals that were out of
 * service. It listens to the log as the timeline does, and begins with the timeline's entries from before the start.
 */
import type { Clock } from '../core/clock.ts';
import { isoInstant, parseInstant } from '../core/clock.ts';
import { hours } from '../core/duration.ts';
import type { HeardRecord, RootLog } from '../core/log.ts';
import { compared } from '../core/text/compared.ts';
import type { DigestedOutage, Hurt, HurtCounts } from '../domain/gateway-digest.ts';
import { noneHurt } from '../domain/gateway-digest.ts';
import type { TimelineEntry } from '../domain/terminal/timeline.ts';

export interface LastDay extends Disposable {
  hurt(): Hurt;
  /** Newest first. */
  outages(): readonly DigestedOutage[];
}

const hour = hours(1);
const day = hours(24);
const hoursShown = 24;
/** A person reads no more outages of one gateway. */
const mostOutages = 100;

interface Happened {
  readonly time: number;
  readonly what: string;
  readonly terminal: string | undefined;
  readonly facts: Readonly<Record<string, unknown>>;
}

export function createLastDay(parts: {
  /** The timeline from then on; ISO 8601, UTC. */
  timeline(from: string): Iterable<TimelineEntry>;
  readonly log: Pick<RootLog, 'listen' | 'warn'>;
  readonly clock: Pick<Clock, 'now'>;
}): LastDay {
  const { timeline, log, clock } = parts;
  const startedAt = clock.now();
  /** The key is the hour since 1970. */
  const counts = new Map<number, HurtCounts>();
  const outages = new Map<string, DigestedOutage>();
  let isComplete = false;

  function note(happened: Happened): void {
    const kind = kindOf(happened);
    if (kind) {
      const nth = Math.floor(happened.time / hour);
      const before = counts.get(nth) ?? noneHurt;
      counts.set(nth, { ...before, [kind]: before[kind] + 1 });
    }
    noteOutage(happened);
  }

  function noteOutage({ what, facts: { reference }, terminal, time }: Happened): void {
    if (typeof reference !== 'string' || terminal === undefined) return;
    const known = outages.get(reference);
    if (what === 'terminal out of service' && !known) {
      outages.set(reference, { reference, terminal, since: isoInstant(time), over: null });
      const [oldest] = outages.keys();
      if (outages.size > mostOutages && oldest !== undefined) outages.delete(oldest);
    }
    if (what === 'terminal back in service' && known)
      outages.set(reference, { ...known, over: isoInstant(time) });
  }

  /** Read only when it is needed, because a start has more urgent work. */
  function complete(): void {
    if (isComplete) return;
    isComplete = true;
    try {
      readTimeline(startedAt - day);
    } catch (error) {
      log.warn('timeline not read', { error: error as Error });
    }
  }

  function readTimeline(since: number): void {
    for (const entry of timeline(isoInstant(since))) {
      const happened = happenedIn(entry);
      if (happened.time >= since && happened.time < startedAt) note(happened);
    }
  }

  const end = log.listen((record) => {
    // The outage may have begun before the start.
    if (record.msg === 'terminal back in service') complete();
    note(heardIn(record, clock.now()));
  });
  return {
    hurt() {
      complete();
      const now = Math.floor(clock.now() / hour);
      for (const nth of counts.keys()) if (nth <= now - hoursShown) counts.delete(nth);
      const line = Array.from(
        { length: hoursShown },
        (_, nth) => counts.get(now - hoursShown + 1 + nth) ?? noneHurt,
      );
      return { hour: line.at(-1) ?? noneHurt, day: line.reduce(sum, noneHurt), line: line.map(inAll) };
    },
    outages() {
      complete();
      const since = isoInstant(clock.now() - day);
      return [...outages.values()]
        .filter(({ over }) => over === null || over >= since)
        .toSorted((one, other) => compared(other.since, one.since));
    },
    [Symbol.dispose]: () => end[Symbol.dispose](),
  };
}

const sum = (one: HurtCounts, other: HurtCounts): HurtCounts => ({
  failed: one.failed + other.failed,
  unknown: one.unknown + other.unknown,
  refused: one.refused + other.refused,
});

const inAll = ({ failed, unknown, refused }: HurtCounts): number => failed + unknown + refused;

/** A card that was ignored because another person is at the terminal counts as no failure. */
function kindOf({ what, facts: { outcome } }: Happened): keyof HurtCounts | undefined {
  if (what === 'release ended' && (outcome === 'failed' || outcome === 'unknown')) return outcome;
  if (what === 'release skipped') return 'failed';
  return what === 'login failed' || what === 'list failed' ? 'refused' : undefined;
}

const heardIn = ({ msg, facts }: HeardRecord, time: number): Happened => {
  const { terminal } = facts;
  return { time, what: msg, terminal: typeof terminal === 'string' ? terminal : undefined, facts };
};

const happenedIn = ({ time, what, terminal, facts }: TimelineEntry): Happened => ({
  time: parseInstant(time) ?? 0,
  what,
  terminal,
  facts,
});
