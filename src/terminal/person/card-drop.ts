/**
 * Drops a lost card. The service can only drop all cards of a person, so the other cards are written down, given back,
 * and checked.
 */
import { seconds } from '../../core/duration.ts';
import type { Env } from '../../domain/env.ts';
import type { CardNumber } from '../../domain/card/card-number.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { OwnAccount } from '../../domain/ports/own-account.ts';
import type { Users } from '../../domain/ports/service.ts';
import { isProblem, isUnsettled, Problem } from '../../domain/problem/problem.ts';
import { serviceFailure } from '../../domain/problem/service-failure.ts';
import type { Login } from '../../domain/user.ts';
import { untilSettled } from '../registration.ts';
import { CardsMissing } from './account-context.ts';
import type { CardReturn, Taking } from './card-return.ts';

interface CardDropDeps extends Pick<Env, 'clock' | 'chance'> {
  readonly account: Pick<OwnAccount, 'cards' | 'dropCards'>;
  readonly users: Pick<Users, 'enrolCard'>;
  readonly cardReturn: Pick<CardReturn, 'begin'>;
}

/** For all calls together that give cards back. */
const limit = seconds(25);

/**
 * Rejects with `CardsMissing` if another card is missing afterwards. A card that the service does not list cannot be
 * given back, so then no card is dropped. The same holds if the cards cannot be written down (`CardsNotKept`).
 */
export async function dropCard(
  deps: CardDropDeps,
  { login, card }: { readonly login: Login; readonly card: CardNumber },
  options: CallOptions,
): Promise<void> {
  const { account } = deps;
  const before = await account.cards(login, options);
  if (!before) throw new Problem('cloud-denied', 'the service does not tell the cards');
  if (!before.some((one) => one.equals(card))) return;
  const others = before.filter((one) => !one.equals(card));
  using taking = deps.cardReturn.begin(login.user, { others, lost: card });
  const doubt = await dropAll(deps, { login, taking }, options);
  // This has a time limit of its own, so that a slow drop leaves enough time for the other cards.
  const afterwards = { signal: deps.clock.deadline(limit) };
  const failure = await giveBack(deps, { login, cards: others }, afterwards);
  const after = (await account.cards(login, afterwards)) ?? [];
  const isThere = (one: CardNumber) => after.some((other) => other.equals(one));
  if (taking.cards.every(isThere)) taking.isBack();
  if (!others.every(isThere)) throw new CardsMissing(failure);
  if (doubt !== undefined && isThere(card)) throw doubt;
}

/** Why it is not known whether the cards were dropped; `undefined` if they were. Rejects if they certainly were not. */
async function dropAll(
  { account }: CardDropDeps,
  { login, taking }: { readonly login: Login; readonly taking: Taking },
  options: CallOptions,
): Promise<Problem | undefined> {
  try {
    await account.dropCards(login, options);
    return undefined;
  } catch (error) {
    // A service that broke down during the call may have dropped them.
    if (isUnsettled(error) || isProblem(error, 'cloud-busy')) return serviceFailure(error);
    taking.cancel();
    throw error;
  }
}

/** Gives back each card, even if another one fails. Returns the last refusal. */
async function giveBack(
  deps: CardDropDeps,
  { login, cards }: { readonly login: Login; readonly cards: readonly CardNumber[] },
  options: CallOptions,
): Promise<unknown> {
  const asUser = { ...options, token: login.token };
  let failure: unknown;
  for (const one of cards) {
    try {
      await untilSettled(() => deps.users.enrolCard(login.user, one, asUser), asUser, deps);
    } catch (error) {
      failure = error;
    }
  }
  return failure;
}
