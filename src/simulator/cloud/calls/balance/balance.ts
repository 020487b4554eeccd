/**
 * Balance in the simulated cloud (spec, Balance). A price list turns it on, and a check then counts the pages; an
 * answer that was set goes before any counting. What a job costs is taken off where the settings say so.
 */
import { isoInstant } from '../../../../core/clock.ts';
import { z } from 'zod';
import type { Answer, Call } from '../../call.ts';
import { Deviation, errorAnswer, json, Refusal } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { formInteger, formText, readJson, readQuery } from '../../parameters.ts';
import type { PricedJob, UserBalance } from './prices.ts';
import { charged, costOf, decimal } from './prices.ts';
import type { BalanceCheckInfo } from '../../settings.ts';
import type { CloudState, CloudUser } from '../../state.ts';

type Owner = Pick<CloudUser, 'userName' | 'providerId'>;

const balanceCheckData = z.strictObject({
  uuid: z.string().min(1),
  userName: z.string().min(1),
  providerId: z.int(),
  totalPages: z.int().min(0),
  colorPages: z.int().min(0),
  paperSize: z.string(),
  copies: z.int().min(1),
});

export function checkBalance(context: CloudContext, call: Call): Answer {
  const section = 'spec, BalanceCheckData';
  const data = readJson(call, { schema: balanceCheckData, section });
  const { caller } = call;
  const isOwn =
    caller.kind === 'user' &&
    caller.user.userName === data.userName &&
    caller.user.providerId === data.providerId &&
    context.state.documents.some((one) => one.info.uuid === data.uuid && one.owner === data.userName);
  if (!isOwn) throw new Deviation('not a document of this user', section, errorAnswer(403));
  return json(200, context.settings.balance ?? judged(context.state, data));
}

function judged(state: CloudState, job: Owner & PricedJob): BalanceCheckInfo {
  if (state.priceList === undefined) {
    return { balanceEnabled: false, sufficientBalance: true, currentBalance: 0, calculatedCost: 0 };
  }
  const cost = costOf(state.priceList, job);
  const { quota, wallet } = balanceOf(state, job);
  return {
    balanceEnabled: true,
    sufficientBalance: cost <= quota + wallet,
    currentBalance: decimal(quota + wallet),
    calculatedCost: decimal(cost),
  };
}

const ownerQuery = z.strictObject({ username: formText, providerid: formInteger(0, 2 ** 31 - 1) });

/** UserBalanceInfo. */
export function showBalance(context: CloudContext, call: Call): Answer {
  const asked = readQuery(call, { schema: ownerQuery, section: 'spec, Balance' });
  const { state, settings } = context;
  if (settings.balance ? !settings.balance.balanceEnabled : state.priceList === undefined) {
    throw new Refusal('balance is off', errorAnswer(405));
  }
  const owner = { userName: asked.username, providerId: asked.providerid };
  if (!state.users.some((one) => belongsTo(one, owner))) {
    throw new Refusal('no such user', errorAnswer(404));
  }
  const { quota, wallet, lastUpdated } = balanceOf(state, owner);
  const amounts = settings.balance
    ? { quotaBalance: settings.balance.currentBalance, walletBalance: 0 }
    : { quotaBalance: decimal(quota), walletBalance: decimal(wallet) };
  return json(200, {
    ...owner,
    ...amounts,
    totalBalance: settings.balance?.currentBalance ?? decimal(quota + wallet),
    ...(lastUpdated === undefined ? {} : { lastUpdated }),
  });
}

/** A user without a record has nothing (spec, UserBalanceInfo). */
function balanceOf(
  state: CloudState,
  owner: Owner,
): Partial<UserBalance> & { quota: number; wallet: number } {
  return state.balances.find((one) => belongsTo(one, owner)) ?? { quota: 0, wallet: 0 };
}

const belongsTo = (one: Owner, { userName, providerId }: Owner): boolean =>
  one.userName === userName && one.providerId === providerId;

/** Lays down what a user has, in cents. */
export function setUserBalance(
  { state, clock }: CloudContext,
  balance: Owner & { quota: number; wallet: number },
): void {
  const { userName, providerId, quota, wallet } = balance;
  const others = state.balances.filter((one) => !belongsTo(one, balance));
  const lastUpdated = isoInstant(clock.now());
  state.balances = [...others, { userName, providerId, quota, wallet, lastUpdated }];
}

/** Takes the cost of a recorded job off, where the settings say that recording charges. */
export function chargeFor(context: CloudContext, owner: Owner, job: PricedJob): void {
  const { settings, state } = context;
  if (settings.charging !== 'history' || state.priceList === undefined) return;
  const before = { ...balanceOf(state, owner), ...owner, lastUpdated: '' };
  setUserBalance(context, charged(before, costOf(state.priceList, job)));
}
