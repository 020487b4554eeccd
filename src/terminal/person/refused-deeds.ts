/**
 * The deeds that the service refused to a person by permission. The service does not tell this in advance, so a deed is
 * tried once. Then it is not offered to this person for a day, because they would type their password in vain. Only the
 * person's number is kept, in memory.
 */
import type { Clock } from '../../core/clock.ts';
import { hours } from '../../core/duration.ts';
import type { User } from '../../domain/user.ts';
import type { Deed } from './account-context.ts';

type Kind = Deed['kind'];
const kinds: readonly Kind[] = ['drop', 'register', 'short-id'];

const keptFor = hours(24);
const most = 1_000;

export class RefusedDeeds {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** The oldest entry first. */
  readonly #until = new Map<string, number>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  note(user: User, kind: Kind): void {
    const key = keyOf(user, kind);
    this.#until.delete(key);
    this.#until.set(key, this.#clock.monotonic() + keptFor);
    const [oldest] = this.#until.keys();
    if (this.#until.size > most && oldest !== undefined) this.#until.delete(oldest);
  }

  of(user: User): readonly Kind[] {
    const now = this.#clock.monotonic();
    return kinds.filter((kind) => (this.#until.get(keyOf(user, kind)) ?? now) > now);
  }
}

const keyOf = ({ providerId, id }: User, kind: Kind): string => `${providerId} ${id} ${kind}`;
