/**
 * A lost card is dropped. The service drops all cards of a person or none: so the others are written down, given back one by
 * one, and looked at.
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

/** All calls that give back together. */
const limit = seconds(25);

/**
 * Rejects with `CardsMissing` where another one is not there afterwards. What the service does not tell cannot be given back:
 * then none is dropped; nor where it cannot be written down (`CardsNotKept`).
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
  // Its own time: what the drop took is not missing to the others.
  const afterwards = { signal: deps.clock.deadline(limit) };
  const failure = await giveBack(deps, { login, cards: others }, afterwards);
  const after = (await account.cards(login, afterwards)) ?? [];
  const isThere = (one: CardNumber) => after.some((other) => other.equals(one));
  if (taking.cards.every(isThere)) taking.isBack();
  if (!others.every(isThere)) throw new CardsMissing(failure);
  if (doubt !== undefined && isThere(card)) throw doubt;
}

/** Why nobody knows whether it happened; `undefined` where it did. Rejects where it certainly did not. */
async function dropAll(
  { account }: CardDropDeps,
  { login, taking }: { readonly login: Login; readonly taking: Taking },
  options: CallOptions,
): Promise<Problem | undefined> {
  try {
    await account.dropCards(login, options);
    return undefined;
  } catch (error) {
    // A service that breaks down in the midst may have done it.
    if (isUnsettled(error) || isProblem(error, 'cloud-busy')) return serviceFailure(error);
    taking.cancel();
    throw error;
  }
}

/** Each, whatever becomes of another; gives the last refusal. */
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
