/**
 * Compares the conditions that a receiver was told of with those that stand now. Only the difference is sent. A
 * receiver that was away for a week gets one message, a restart repeats nothing, and no queue grows.
 */
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { hours, milliseconds } from '../core/duration.ts';
import type { SentNotice, SentNotices } from '../domain/ports/told.ts';
import type { Changes, GoneNotice, Notice } from './message.ts';
import { keyOf } from './message.ts';

export interface Standings {
  list(): readonly Notice[];
  gone(notice: Notice): GoneNotice;
}

export interface AccountOptions {
  /** The id of the way. */
  readonly id: string;
  readonly standing: Standings;
  /** `true`: this receiver is not told of it. */
  isLeftOut(notice: Notice): boolean;
  readonly register: Pick<SentNotices, 'of' | 'keep'>;
  /** The time until a lasting condition is told again. */
  readonly repeat: Duration;
  readonly clock: Pick<Clock, 'now'>;
}

/** Repeats that are due soon go along with this one: one message a day, not one for each printer. */
const togetherWithin = hours(1);

export class Account {
  readonly #options: AccountOptions;

  constructor(options: AccountOptions) {
    this.#options = options;
  }

  changes(): Changes {
    const { standing } = this.#options;
    const sent = this.#sentNotices();
    const now = this.#standing();
    const there = new Set(now.map(keyOf));
    const isDue = [...sent.values()].some((one) => this.#untilRepeat(one) <= 0 && there.has(keyOf(one)));
    const isKnown = (notice: Notice) => {
      const known = sent.get(keyOf(notice));
      return known !== undefined && (known.severity === notice.severity || notice.severity === 'warning');
    };
    const lasts = (notice: Notice) => {
      const known = sent.get(keyOf(notice));
      return isDue && known !== undefined && this.#untilRepeat(known) <= togetherWithin;
    };
    return {
      came: now.filter((notice) => !isKnown(notice)),
      lasting: now.filter((notice) => isKnown(notice) && lasts(notice)),
      went: [...sent.values()]
        .filter((one) => !there.has(keyOf(one)))
        .map(({ toldAt: _, ...notice }) => standing.gone(notice)),
    };
  }

  /** The time until the next repeat; `undefined` if nothing lasts. */
  untilRepeat(): Duration | undefined {
    const waits = [...this.#sentNotices().values()].map((one) => this.#untilRepeat(one));
    return waits.length === 0 ? undefined : milliseconds(Math.max(0, Math.min(...waits)));
  }

  /** Called when the receiver has taken them. */
  sent({ came, lasting, went }: Changes): void {
    const { id, register, clock } = this.#options;
    const sent = this.#sentNotices();
    for (const gone of went) sent.delete(keyOf(gone));
    for (const { code, severity, scope, subject, since } of [...came, ...lasting]) {
      const entry: SentNotice = { code, severity, scope, subject, since, toldAt: clock.now() };
      sent.set(keyOf(entry), entry);
    }
    register.keep(id, [...sent.values()]);
  }

  #sentNotices(): Map<string, SentNotice> {
    const { id, register } = this.#options;
    return new Map(register.of(id).map((one) => [keyOf(one), one]));
  }

  #standing(): readonly Notice[] {
    const { standing, isLeftOut } = this.#options;
    return standing.list().filter((notice) => !isLeftOut(notice));
  }

  /** If the clock was set back, a repeat still comes in time. */
  #untilRepeat({ toldAt }: SentNotice): Duration {
    const { repeat, clock } = this.#options;
    return milliseconds(Math.min(toldAt, clock.now()) + repeat - clock.now());
  }
}
