/**
 * Gives people back the cards that the service removes together with a lost one, also if the agent is killed in
 * between. Only the person's own token may do that, and the token is in memory only (D3). So the cards are written down
 * before the first is removed, and given back when their owner next signs in at this gateway, by any means. Until then
 * a condition names the owner. The proof that the person gave when they dropped the card also counts for the return.
 */
import type { Duration } from '../../core/duration.ts';
import { hours, milliseconds, minutes, seconds } from '../../core/duration.ts';
import { runPeriodically } from '../../core/periodic.ts';
import type { Progress, Service } from '../../core/service.ts';
import type { Env } from '../../domain/env.ts';
import type { CardNumber } from '../../domain/card/card-number.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { OwedCards, Owner } from '../../domain/ports/owed-cards.ts';
import { isSameOwner } from '../../domain/ports/owed-cards.ts';
import type { OwnAccount } from '../../domain/ports/own-account.ts';
import type { Logins, Users } from '../../domain/ports/service.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import { logFailure, serviceFailure } from '../../domain/problem/service-failure.ts';
import type { Login, User } from '../../domain/user.ts';
import { untilSettled } from '../registration.ts';
import { CardsMissing, CardsNotKept } from './account-context.ts';

export interface CardReturnDeps extends Env {
  readonly owed: OwedCards;
  readonly account: Pick<OwnAccount, 'cards'>;
  readonly users: Pick<Users, 'enrolCard'>;
  readonly logins: Logins;
}

interface Dropped {
  readonly lost: CardNumber;
  /** The cards that the service removes together with the lost one. */
  readonly others: readonly CardNumber[];
}

/** The cards that a single deed removes. Disposed when the deed is over, whatever its result. */
export interface Taking extends Disposable {
  /** All cards to be given back, including those owed from before. */
  readonly cards: readonly CardNumber[];
  /** No card was removed. */
  cancel(): void;
  /** All cards are back. */
  isBack(): void;
}

const spot = { scope: 'agent', subject: 'cards of people' } as const;
/** For all calls of a return together. */
const limit = seconds(60);
const betweenLooks = hours(1);
const retry = { first: minutes(5), factor: 2, longest: hours(1) } as const;

export class CardReturn implements Service {
  readonly name = 'card return';
  readonly #deps: CardReturnDeps;
  /** The deed or return that is under way, by the owner. */
  readonly #busy = new Map<string, object>();
  #agedAt: Duration;

  constructor(deps: CardReturnDeps) {
    this.#deps = deps;
    this.#agedAt = milliseconds(deps.clock.monotonic());
    this.#tell();
  }

  /**
   * Called before the first card is removed. Throws `CardsNotKept` if the cards to be given back cannot be written
   * down.
   */
  begin(owner: Owner, dropped: Dropped): Taking {
    const { cards, isFirst } = this.#write(owner, dropped);
    const taking = {};
    this.#busy.set(keyOf(owner), taking);
    return {
      cards,
      cancel: () => {
        if (isFirst) this.#forget(owner, taking);
      },
      isBack: () => this.#forget(owner, taking),
      [Symbol.dispose]: () => this.#end(owner, taking),
    };
  }

  /** Gives a person who signs in their cards back. Never rejects, and no caller waits for it. */
  async giveBack(login: Login): Promise<void> {
    const { owed, clock, log } = this.#deps;
    const owner = login.user;
    const giving = {};
    if (this.#busy.has(keyOf(owner)) || !owed.all().some((one) => isSameOwner(one, owner))) return;
    this.#busy.set(keyOf(owner), giving);
    try {
      const cards = owed.of(owner);
      const left = await this.#giveEach(login, cards, { signal: clock.deadline(limit) });
      this.#forget(owner, giving);
      log.info('cards given back', { cards: cards.length - left, ...(left > 0 && { left }) });
    } catch (error) {
      logFailure(log, 'cards not given back', serviceFailure(error));
    } finally {
      this.#end(owner, giving);
    }
  }

  /** Lists expire after a time. */
  run(signal: AbortSignal, progress?: Progress): Promise<void> {
    const { clock, chance, log } = this.#deps;
    return runPeriodically(
      {
        attempt: async () => this.#age(),
        interval: betweenLooks,
        retry,
        onFailure(error) {
          logFailure(log, 'owed cards not written', serviceFailure(error));
          return undefined;
        },
      },
      { clock, chance },
      signal,
      progress,
    );
  }

  /**
   * A card that now belongs to another person stays with that person. Cards that the person has registered since are
   * not replaced. Returns the number of cards that another person has; rejects if any other card is not back.
   */
  async #giveEach(login: Login, cards: readonly CardNumber[], options: CallOptions): Promise<number> {
    const { account, users, logins } = this.#deps;
    const asUser = { ...options, token: login.token };
    const now = (await account.cards(login, options)) ?? [];
    const missing = cards.filter((one) => !includes(now, one));
    // The person had one more card, the lost one.
    const room = cards.length + 1 - now.filter((one) => !includes(cards, one)).length;
    const wanted = missing.slice(0, Math.max(room, 0));
    let left = missing.length - wanted.length;
    const failures: unknown[] = [];
    for (const card of wanted) {
      try {
        const holder = await holderOf(card, logins, options);
        if (holder && !isSameOwner(holder, login.user)) left += 1;
        else await untilSettled(() => users.enrolCard(login.user, card, asUser), asUser, this.#deps);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures.at(-1);
    const after = await account.cards(login, options);
    if (after && missing.filter((one) => !includes(after, one)).length > left)
      throw new CardsMissing(undefined);
    return left;
  }

  /** Includes the cards that were owed before, if there are any. */
  #write(owner: Owner, { others, lost }: Dropped) {
    const { owed } = this.#deps;
    try {
      const before = owed.of(owner);
      const cards = [...others, ...before.filter((one) => !one.equals(lost) && !includes(others, one))];
      if (cards.length > 0) owed.keep(owner, cards);
      return { cards, isFirst: before.length === 0 };
    } catch (error) {
      throw isProblem(error) ? new CardsNotKept(error) : error;
    }
  }

  /** If another deed has begun meanwhile, its list is kept. */
  #forget(owner: Owner, mine: object): void {
    if (this.#busy.get(keyOf(owner)) === mine) this.#deps.owed.forget(owner);
  }

  #end(owner: Owner, mine: object): void {
    if (this.#busy.get(keyOf(owner)) === mine) this.#busy.delete(keyOf(owner));
    this.#tell();
  }

  #age(): void {
    const { owed, clock, log } = this.#deps;
    const now = milliseconds(clock.monotonic());
    const over = owed.age(milliseconds(now - this.#agedAt));
    this.#agedAt = now;
    for (const { id, providerId } of over) log.warn('owed cards given up', { userId: id, providerId });
    if (over.length > 0) this.#tell();
  }

  #tell(): void {
    const { owed, conditions } = this.#deps;
    const waiting = owed.all().filter((owner) => !this.#busy.has(keyOf(owner)));
    if (waiting.length === 0) return conditions.clear(spot.scope, spot.subject);
    const whose = waiting.map(({ id, providerId }) => `user ${id} of provider ${providerId}`).join(', ');
    const detail = `Platen gives cards back at the next sign-in of their owner at this gateway: ${whose}`;
    return conditions.raise({ code: 'cards-owed', severity: 'warning', ...spot, detail });
  }
}

const keyOf = ({ id, providerId }: Owner): string => `${providerId}/${id}`;

const includes = (cards: readonly CardNumber[], card: CardNumber): boolean =>
  cards.some((one) => one.equals(card));

/** The person whom a card signs in; `undefined` if it has no known holder. The service tells that only by a login. */
export async function holderOf(
  card: CardNumber,
  logins: Logins,
  options: CallOptions,
): Promise<User | undefined> {
  try {
    return (await logins.login({ kind: 'card', card }, options)).user;
  } catch (error) {
    if (isProblem(error, 'login-refused')) return undefined;
    throw error;
  }
}
