/**
 * What users of the simulated cloud have, and each change of it (spec, Balance structures). The
 * schedules of policies run on the cloud's clock: what is due is made up before anything of a balance is looked at.
 */
import { z } from 'zod';
import { isoInstant } from '../../../../core/clock.ts';
import { refused } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { nextId } from '../../numbering.ts';
import type { CloudState, CloudUser } from '../../state.ts';
import type { BalancePolicy, BalanceTransaction, Owner } from '../../records/balance-records.ts';
import { runOf, virtualDefault } from '../../records/balance-records.ts';
import type { UserBalance } from '../../records/prices.ts';
import { millionths } from '../../records/prices.ts';
import { grown } from '../../growing.ts';

/** A decimal of the API, zero or greater, in millionths. */
export const amount = z
  .number()
  .min(0)
  .max(1e8)
  .transform((written, { addIssue }) => {
    const found = millionths(written);
    if (found !== undefined) return found;
    addIssue({ code: 'custom', message: 'expected six decimals at most' });
    return z.NEVER;
  });

/** An account without the feature, or one that does not use it, says 405 (src/cloud/README.md 12, row 35). */
export function requireBalance(context: CloudContext): void {
  const { settings, state } = context;
  requireFeature(context);
  const isOn = settings.balance ? settings.balance.balanceEnabled : state.priceList !== undefined;
  if (!isOn) throw refused('balance is off', 405);
  runSchedules(context);
}

export function requireFeature({ settings }: CloudContext): void {
  if (settings.balances === 'missing') throw refused('there are no balances here', 405);
}

/** A user without a record has nothing (spec, UserBalanceInfo). */
export const balanceOf = (
  state: CloudState,
  owner: Owner,
): Partial<UserBalance> & { quota: number; wallet: number } =>
  state.balances.find((one) => belongsTo(one, owner)) ?? { quota: 0, wallet: 0 };

export const belongsTo = (one: Owner, { userName, providerId }: Owner): boolean =>
  one.userName === userName && one.providerId === providerId;

/** Lays down what a user has, in millionths. */
export function setUserBalance(
  { state, clock }: CloudContext,
  balance: Owner & { quota: number; wallet: number },
  at = clock.now(),
): void {
  const { userName, providerId, quota, wallet } = balance;
  const others = state.balances.filter((one) => !belongsTo(one, balance));
  state.balances = [...others, { userName, providerId, quota, wallet, lastUpdated: isoInstant(at) }];
}

type Entry = Pick<BalanceTransaction, 'quota' | 'wallet' | 'transactionType' | 'description'> &
  Partial<Pick<BalanceTransaction, 'adminUserId' | 'documentUuid' | 'at'>>;

/** By so much more or less than what `openedBalance` gave. */
export function enter(context: CloudContext, user: CloudUser, entry: Entry): BalanceTransaction {
  const { state, clock } = context;
  const { quota, wallet } = balanceOf(state, user);
  const at = entry.at ?? clock.now();
  const [quotaAfter, walletAfter] = [quota + entry.quota, wallet + entry.wallet];
  setUserBalance(context, { ...user, quota: quotaAfter, wallet: walletAfter }, at);
  const transaction: BalanceTransaction = {
    id: nextId(state, 'balanceTransactions'),
    userId: user.id,
    accountId: user.accountId,
    userName: user.userName,
    providerId: user.providerId,
    ...entry,
    at,
    quotaAfter,
    walletAfter,
  };
  state.balanceTransactions = grown(state.balanceTransactions, transaction);
  return transaction;
}

/** What a user has before an entry: the first one follows the initial balance of the policy. */
export function openedBalance(
  context: CloudContext,
  user: CloudUser,
  at?: number,
): ReturnType<typeof balanceOf> {
  const { state } = context;
  const initial = initialOf(state, user);
  if (initial.quota + initial.wallet > 0) {
    const { policyName: description } = policyOf(state, user);
    enter(context, user, { ...initial, transactionType: 'INITIAL', description, ...(at && { at }) });
  }
  return balanceOf(state, user);
}

/** What is still to be entered for a user who has no record yet. */
export function initialOf(state: CloudState, user: CloudUser): { quota: number; wallet: number } {
  const policy = policyOf(state, user);
  const isOpened = state.balances.some((one) => belongsTo(one, user));
  if (isOpened || policy.balanceType === 'free') return { quota: 0, wallet: 0 };
  const { balanceType, initialBalance } = policy;
  return balanceType === 'wallet'
    ? { quota: 0, wallet: initialBalance }
    : { quota: initialBalance, wallet: 0 };
}

/** Of those that are for a group of the user the first by priority, else the default one. */
export function policyOf({ balancePolicies }: CloudState, { groupIds }: CloudUser): BalancePolicy {
  const own = balancePolicies
    .filter((one) => one.groupIds.some((id) => groupIds.includes(id)))
    .toSorted((one, other) => one.priority - other.priority);
  return own[0] ?? balancePolicies.find(({ isDefault }) => isDefault) ?? virtualDefault;
}

/** A price that is set from outside the API is to be paid: without a default policy, quota and wallet count. */
export function chargeByDefault(state: CloudState): void {
  if (state.balancePolicies.some(({ isDefault }) => isDefault)) return;
  const policy: BalancePolicy = {
    ...virtualDefault,
    id: nextId(state, 'balancePolicies'),
    balanceType: 'quota_wallet',
  };
  state.balancePolicies = [...state.balancePolicies, policy];
}

/** Every run that is due by now, in the order of their times. */
export function runSchedules(context: CloudContext): void {
  const { state, clock } = context;
  for (;;) {
    const [next] = state.balancePolicies
      .flatMap((policy) => (policy.schedule ? [{ policy, at: runOf(policy.schedule) }] : []))
      .filter(({ at }) => at <= clock.now())
      .toSorted((one, other) => one.at - other.at);
    if (!next) return;
    renew(context, next.policy, next.at);
  }
}

function renew(context: CloudContext, policy: BalancePolicy, at: number): void {
  const { state } = context;
  const { schedule } = policy;
  if (!schedule) return;
  for (const user of state.users.filter((one) => policyOf(state, one) === policy)) {
    const quota = schedule.targetAmount - openedBalance(context, user, at).quota;
    enter(context, user, { quota, wallet: 0, transactionType: 'RENEW', description: policy.policyName, at });
  }
  const after = { ...policy, schedule: { ...schedule, runs: schedule.runs + 1 } };
  state.balancePolicies = state.balancePolicies.map((one) => (one === policy ? after : one));
}
