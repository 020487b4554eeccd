/**
 * The balances of users of the simulated cloud, and each change (spec, Balance structures). Schedules of policies run
 * on the cloud's clock: runs that are due are made before a balance is read.
 */
import { z } from 'zod';
import { isoInstant } from '../../../../core/clock.ts';
import { refused } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { grown, nextId } from '../../kept-lists.ts';
import type { CloudState, CloudUser } from '../../state.ts';
import type { BalancePolicy, BalanceTransaction, Owner, UserBalance } from '../../records/balance-records.ts';
import { millionths, runOf, virtualDefault } from '../../records/balance-records.ts';

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

/** An account that lacks the feature, or does not use it, answers 405 (src/cloud/README.md 12, row 35). */
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

/** A user without a record has a balance of zero (spec, UserBalanceInfo). */
export const balanceOf = (
  state: CloudState,
  owner: Owner,
): Partial<UserBalance> & { quota: number; wallet: number } =>
  state.balances.find((one) => belongsTo(one, owner)) ?? { quota: 0, wallet: 0 };

export const belongsTo = (one: Owner, { userName, providerId }: Owner): boolean =>
  one.userName === userName && one.providerId === providerId;

/** Sets the balance of a user, in millionths. */
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

/** The amounts are relative to the result of `openedBalance`. */
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

/** The balance before an entry. Before the first entry, the initial balance of the policy is entered. */
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

/** The initial balance that is still to be entered for a user without a record. */
export function initialOf(state: CloudState, user: CloudUser): { quota: number; wallet: number } {
  const policy = policyOf(state, user);
  const isOpened = state.balances.some((one) => belongsTo(one, user));
  if (isOpened || policy.balanceType === 'free') return { quota: 0, wallet: 0 };
  const { balanceType, initialBalance } = policy;
  return balanceType === 'wallet'
    ? { quota: 0, wallet: initialBalance }
    : { quota: initialBalance, wallet: 0 };
}

/** The policy of the user's groups with the first priority, otherwise the default policy. */
export function policyOf({ balancePolicies }: CloudState, { groupIds }: CloudUser): BalancePolicy {
  const own = balancePolicies
    .filter((one) => one.groupIds.some((id) => groupIds.includes(id)))
    .toSorted((one, other) => one.priority - other.priority);
  return own[0] ?? balancePolicies.find(({ isDefault }) => isDefault) ?? virtualDefault;
}

/**
 * A price that was set outside the API shall be charged. Without a default policy, one for quota and wallet is made.
 */
export function chargeByDefault(state: CloudState): void {
  if (state.balancePolicies.some(({ isDefault }) => isDefault)) return;
  const policy: BalancePolicy = {
    ...virtualDefault,
    id: nextId(state, 'balancePolicies'),
    balanceType: 'quota_wallet',
  };
  state.balancePolicies = [...state.balancePolicies, policy];
}

/** Makes every run that is due, in the order of their times. */
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
