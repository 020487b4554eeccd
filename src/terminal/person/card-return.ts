/**
 * Sees to it that people get back the cards that the service takes from them together with a lost one, also where the agent
 * is killed in between. Only the person's own token may do that, and it lives in memory only (D3): so the cards are written
 * down before the first is taken, and given back when their owner next signs in at this gateway, by whatever means. Until then
 * a condition says whom it is about. What they were proven for when they dropped the card is good for that, too.
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
import type { Login } from '../../domain/user.ts';
import { untilSettled } from '../registration.ts';
import { CardsMissing, CardsNotKept } from './account-context.ts';
import { holderOf } from './card-holder.ts';

export interface CardReturnDeps extends Env {
  readonly owed: OwedCards;
  readonly account: Pick<OwnAccount, 'cards'>;
  readonly users: Pick<Users, 'enrolCard'>;
  readonly logins: Logins;
}

interface Dropped {
  readonly lost: CardNumber;
  /** That the service takes with it. */
  readonly others: readonly CardNumber[];
}

/** What one deed takes; disposed of when the deed is over, whatever came of it. */
export interface Taking extends Disposable {
  /** All that is to be given back: with what was owed before. */
  readonly cards: readonly CardNumber[];
  /** Nothing was taken. */
  cancel(): void;
  /** All are there. */
  isBack(): void;
}

const spot = { scope: 'agent', subject: 'cards of people' } as const;
/** All calls of a return together. */
const limit = seconds(60);
const betweenLooks = hours(1);
const retry = { first: minutes(5), factor: 2, longest: hours(1) } as const;

export class CardReturn implements Service {
  readonly name = 'card return';
  readonly #deps: CardReturnDeps;
  /** Who takes or gives back at the moment, by the owner. */
  readonly #busy = new Map<string, object>();
  #agedAt: Duration;

  constructor(deps: CardReturnDeps) {
    this.#deps = deps;
    this.#agedAt = milliseconds(deps.clock.monotonic());
    this.#tell();
  }

  /** Before the first card is taken. Throws `CardsNotKept` where what is to be given back cannot be written down. */
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

  /** Whoever signs in has theirs given back; never rejects, and nobody waits for it. */
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

  /** Lists end with their time. */
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
   * One that is somebody else's by now stays theirs, and none comes in the place of those that the person has got since.
   * Gives how many those were; rejects where another one is not back.
   */
  async #giveEach(login: Login, cards: readonly CardNumber[], options: CallOptions): Promise<number> {
    const { account, users, logins } = this.#deps;
    const asUser = { ...options, token: login.token };
    const now = (await account.cards(login, options)) ?? [];
    const missing = cards.filter((one) => !includes(now, one));
    // With the lost one they had one more.
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

  /** With what was owed before, where that was. */
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

  /** Unless another deed has begun meanwhile: then that is what is kept. */
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
