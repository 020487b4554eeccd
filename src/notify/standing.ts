/**
 * Decides which conditions stand: they have lasted for their rest period, and have not been gone for as long.
 * Conditions that come and go faster are never told. It reads the conditions and decides; it sends nothing.
 */
import { Channel } from '../core/channel.ts';
import type { Clock } from '../core/clock.ts';
import { isoInstant } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { forEver, hours, longest, milliseconds, minutes, seconds, shortest } from '../core/duration.ts';
import { restOrWake, Wake } from '../core/periodic.ts';
import type { Progress, Service } from '../core/service.ts';
import type { Severity } from '../domain/condition.ts';
import type { GoneNotice, Notice, SeenCondition, Selection } from './message.ts';
import { isSelected, keyOf, noticeOf } from './message.ts';

/**
 * After a start printers and the service are checked again. Until then a condition told before does not count as gone.
 */
const startRest = minutes(3);
/** A timer cannot wait for more than some weeks. */
const longestSleep = hours(1);
/** For a receiver that is away, the end of so many conditions is remembered. */
const mostGone = 1000;

export interface StandingDeps {
  conditions(): readonly SeenCondition[];
  /** Calls the listener after every raising and clearing; the result ends that. */
  onChange(listener: () => void): () => void;
  readonly only: Selection;
  readonly afterSeconds: Readonly<Record<Severity, number>>;
  readonly before: readonly Notice[];
  readonly clock: Clock;
}

interface Watched {
  notice: Notice;
  stands: boolean;
  /** The last moment at which it came, came back or went, in monotonic milliseconds. */
  changedAt: number;
  /** Wall milliseconds; `undefined` while it is there. */
  goneSince: number | undefined;
  /** The time until its presence or its absence counts. */
  rest: Duration;
}

export class Standing implements Service {
  readonly name = 'notify';
  readonly #deps: StandingDeps;
  readonly #watched = new Map<string, Watched>();
  readonly #gone = new Map<string, GoneNotice>();
  readonly #wake = new Wake();
  readonly #news = new Channel();

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

  /** The most severe and the oldest first. */
  list(): readonly Notice[] {
    const notices = [...this.#watched.values()].filter(({ stands }) => stands).map(({ notice }) => notice);
    return notices.toSorted(
      (one, other) =>
        Number(other.severity === 'error') - Number(one.severity === 'error') ||
        one.since.localeCompare(other.since),
    );
  }

  gone(notice: Notice): GoneNotice {
    return (
      this.#gone.get(keyOf(notice)) ?? { ...noticeOf(notice), until: isoInstant(this.#deps.clock.now()) }
    );
  }

  lately(span: Duration): readonly GoneNotice[] {
    const since = isoInstant(this.#deps.clock.now() - span);
    return [...this.#gone.values()].filter(({ until }) => until >= since);
  }

  /** The listener is called when a condition begins or ceases to stand, or changes its severity. */
  onNews(listener: () => void): void {
    this.#news.hear(listener);
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

  /** Settles the changes that are due, and gives the time until the next. */
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
    if (isNews) this.#news.tell();
    return longest(next, milliseconds(1));
  }

  /** `news`: it stands, and its severity has changed. */
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
      // It was away for less than its rest, so no receiver has heard of that.
      const rest = this.#restOf(notice);
      const { since } = known.notice;
      this.#watched.set(key, { ...known, notice: { ...notice, since }, goneSince: undefined, rest });
    }
    return undefined;
  }

  /** `news`, or the time until the next look is worth it. */
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
