/**
 * Which conditions stand: those that have lasted for their rest period, and are not gone for as long. What flaps faster
 * than that is told to nobody. It reads the conditions and decides; nothing is sent here.
 */
import type { Clock } from '../core/clock.ts';
import { isoInstant } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { forEver, hours, longest, milliseconds, minutes, seconds, shortest } from '../core/duration.ts';
import { restOrWake, Wake } from '../core/periodic.ts';
import type { Progress, Service } from '../core/service.ts';
import type { Severity } from '../domain/condition.ts';
import type { GoneNotice, Notice, SeenCondition, Selection } from './notice.ts';
import { isSelected, keyOf, noticeOf } from './notice.ts';

/** After a start printers and the service are looked at anew: what was told before is not gone until then. */
const startRest = minutes(3);
/** A timer holds no more than some weeks. */
const longestSleep = hours(1);
/** Of so many it is remembered when they went, for a receiver that is away. */
const mostGone = 1000;

export interface StandingDeps {
  conditions(): readonly SeenCondition[];
  /** Calls back after every raising and clearing; the answer ends that. */
  onChange(listener: () => void): () => void;
  readonly only: Selection;
  readonly afterSeconds: Readonly<Record<Severity, number>>;
  /** Told before the start. */
  readonly before: readonly Notice[];
  readonly clock: Clock;
}

interface Watched {
  notice: Notice;
  stands: boolean;
  /** Monotonic milliseconds: it came, or came back, or went, then. */
  changedAt: number;
  /** Wall milliseconds; `undefined` while it is there. */
  goneSince: number | undefined;
  /** Until it counts, or its absence does. */
  rest: Duration;
}

export class Standing implements Service {
  readonly name = 'notify';
  readonly #deps: StandingDeps;
  readonly #watched = new Map<string, Watched>();
  readonly #gone = new Map<string, GoneNotice>();
  readonly #wake = new Wake();
  readonly #listeners = new Set<() => void>();

  constructor(deps: StandingDeps) {
    this.#deps = deps;
    const { before, clock } = deps;
    for (const notice of before) {
      this.#watched.set(keyOf(notice), {
        notice,
        stands: true,
        rest: startRest,
        changedAt: clock.monotonic(),
        goneSince: clock.now(),
      });
    }
  }

  /** The gravest and oldest first. */
  list(): readonly Notice[] {
    const notices = [...this.#watched.values()].filter(({ stands }) => stands).map(({ notice }) => notice);
    return notices.toSorted(
      (one, other) =>
        Number(other.severity === 'error') - Number(one.severity === 'error') ||
        one.since.localeCompare(other.since),
    );
  }

  /** How it ended, of one that stood. */
  gone(notice: Notice): GoneNotice {
    return (
      this.#gone.get(keyOf(notice)) ?? { ...noticeOf(notice), until: isoInstant(this.#deps.clock.now()) }
    );
  }

  /** Those that went within the span. */
  lately(span: Duration): readonly GoneNotice[] {
    const since = isoInstant(this.#deps.clock.now() - span);
    return [...this.#gone.values()].filter(({ until }) => until >= since);
  }

  /** Something stands, or stands no longer. */
  onNews(listener: () => void): void {
    this.#listeners.add(listener);
  }

  async run(signal: AbortSignal, progress?: Progress): Promise<void> {
    const { clock, onChange } = this.#deps;
    using stack = new DisposableStack();
    stack.defer(onChange(() => this.#wake.ring()));
    while (!signal.aborted) {
      this.#wake.answered();
      const next = this.#look();
      progress?.(forEver);
      await restOrWake(next, { clock, wake: this.#wake }, signal);
    }
  }

  /** Resolves what is due; until the next is. */
  #look(): Duration {
    const { conditions, only, clock } = this.#deps;
    const now = clock.monotonic();
    const seen = conditions().filter((one) => isSelected(one, only));
    let isNews = false;
    for (const one of seen) if (this.#see(one, now) === 'news') isNews = true;
    const there = new Set(seen.map(keyOf));
    let next = longestSleep;
    for (const [key, one] of this.#watched) {
      if (!there.has(key) && one.goneSince === undefined) {
        Object.assign(one, { changedAt: now, goneSince: clock.now() });
      }
      const wait = this.#settle(key, one, now);
      if (wait === 'news') isNews = true;
      else next = shortest(next, wait);
    }
    if (isNews) for (const listener of this.#listeners) listener();
    return longest(next, milliseconds(1));
  }

  /** `news`: it stands, and is of another gravity now. */
  #see(condition: SeenCondition, now: number): 'news' | undefined {
    const key = keyOf(condition);
    const known = this.#watched.get(key);
    const notice = noticeOf(condition);
    if (!known) {
      const rest = this.#restOf(notice);
      this.#watched.set(key, { notice, stands: false, changedAt: now, goneSince: undefined, rest });
    } else if (known.goneSince === undefined) {
      const before = known.notice;
      known.notice = { ...notice, since: before.since };
      known.rest = this.#restOf(notice);
      if (known.stands && before.severity !== notice.severity) return 'news';
    } else if (known.stands) {
      // It was away for less than its rest: nobody has heard of that.
      const rest = this.#restOf(notice);
      const { since } = known.notice;
      this.#watched.set(key, { ...known, notice: { ...notice, since }, goneSince: undefined, rest });
    }
    return undefined;
  }

  /** `news`, or until the next look is worth it. */
  #settle(key: string, one: Watched, now: number): Duration | 'news' {
    const { notice, stands, changedAt, goneSince, rest } = one;
    const left = milliseconds(changedAt + rest - now);
    if (!stands && goneSince !== undefined) {
      this.#watched.delete(key);
      return longestSleep;
    }
    if (stands && goneSince === undefined) return longestSleep;
    if (left > 0) return left;
    if (goneSince === undefined) {
      one.stands = true;
      this.#gone.delete(key);
    } else {
      this.#watched.delete(key);
      this.#gone.set(key, { ...notice, until: isoInstant(goneSince) });
      for (const oldest of [...this.#gone.keys()].slice(0, -mostGone)) this.#gone.delete(oldest);
    }
    return 'news';
  }

  #restOf({ severity }: Notice): Duration {
    return seconds(this.#deps.afterSeconds[severity]);
  }
}
