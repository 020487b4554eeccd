/**
 * Balance policies of the simulated cloud (spec, Balance): policies for groups by priority, and the default policy for
 * other users.
 */
import { z } from 'zod';
import { isoInstant } from '../../../../core/clock.ts';
import type { Answer, Call } from '../../call.ts';
import { json, refused } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { nextId } from '../../kept-lists.ts';
import { answerList } from '../../paging.ts';
import { formInstant, readJson, requireNoParameters } from '../../parameters.ts';
import type { Collection } from '../collection.ts';
import { amount, requireBalance } from './ledger.ts';
import type { BalancePolicy, PolicySchedule } from '../../records/balance-records.ts';
import { decimal, firstRunFrom, virtualDefault } from '../../records/balance-records.ts';

const section = 'spec, BalancePolicyData';

const scheduleData = z
  .strictObject({
    enabled: z.boolean().default(true),
    frequency: z.enum(['weekly', 'monthly', 'quarterly', 'yearly']).optional(),
    scheduledTime: formInstant.optional(),
    targetAmount: amount.optional(),
  })
  .refine(({ enabled, frequency, scheduledTime }) => !enabled || (frequency && scheduledTime !== undefined), {
    message: 'a schedule that is enabled needs frequency and scheduledTime',
  });

const policyData = z.strictObject({
  policyName: z.string().min(1).max(256),
  balanceType: z.enum(['free', 'quota', 'wallet', 'quota_wallet']),
  initialBalance: amount.optional(),
  groupIds: z.array(z.int().min(0)).default([]),
  schedule: scheduleData.optional(),
});
type PolicyData = z.output<typeof policyData>;

const permissions = {
  view: ['ViewUserBalance'],
  create: ['ModifyUserBalance'],
  modify: ['ModifyUserBalance'],
  remove: ['ModifyUserBalance'],
} as const;

export const balancePolicies: Collection<BalancePolicy, PolicyData> = {
  path: '/balance/policies',
  section,
  permissions,
  calls: { one: true, create: ['POST', 'itself'], change: ['PUT', 'itself'], remove: 'nothing' },
  items: (state) => state.balancePolicies,
  list: 'balancePolicies',
  unkept: (state) => (state.balancePolicies.some(({ isDefault }) => isDefault) ? [] : [virtualDefault]),
  open: requireBalance,
  read: (call) => readJson(call, { schema: policyData, section }),
  make(given, { context, id, before }) {
    const blank = { ...virtualDefault, isDefault: false, priority: lastOf(context) + 1 };
    return { ...policyFrom(context, given, before ?? blank), id };
  },
  show: shown,
  release({ isDefault }) {
    if (isDefault) throw refused('the default policy stays', 400);
  },
};

const lastOf = ({ state }: CloudContext): number =>
  Math.max(0, ...state.balancePolicies.map(({ priority }) => priority));

function policyFrom(context: CloudContext, given: PolicyData, before: BalancePolicy): BalancePolicy {
  const { state, clock } = context;
  const { policyName, balanceType, initialBalance = 0, groupIds } = given;
  if (before.isDefault && groupIds.length > 0) throw refused('the default policy has no groups', 400);
  if (!groupIds.every((id) => state.groups.some((one) => one.id === id))) throw refused('no such group', 400);
  const schedule = scheduleFrom(context, given.schedule, before.schedule);
  const lastUpdated = isoInstant(clock.now());
  return { ...before, policyName, balanceType, initialBalance, groupIds, schedule, lastUpdated };
}

/** An absent schedule keeps the old one; a disabled schedule removes it. */
function scheduleFrom(
  { clock }: CloudContext,
  given: PolicyData['schedule'],
  before: PolicySchedule | undefined,
): PolicySchedule | undefined {
  if (!given) return before;
  const { enabled, frequency, scheduledTime: start, targetAmount = 0 } = given;
  if (!enabled || !frequency || start === undefined) return undefined;
  return firstRunFrom({ frequency, start, targetAmount, runs: 0 }, clock.now());
}

const inOrder = ({ state }: CloudContext): readonly BalancePolicy[] =>
  state.balancePolicies
    .filter(({ isDefault }) => !isDefault)
    .toSorted((one, other) => one.priority - other.priority);

const defaultPolicy = ({ state }: CloudContext): BalancePolicy =>
  state.balancePolicies.find(({ isDefault }) => isDefault) ?? virtualDefault;

/** By priority, with the default policy at the end. */
export function listPolicies(context: CloudContext, call: Call): Answer {
  requireBalance(context);
  const find = () => [...inOrder(context), defaultPolicy(context)].map((one) => shown(one, context));
  return answerList(context, call, { schema: z.strictObject({}), section, find });
}

export function showDefaultPolicy(context: CloudContext, call: Call): Answer {
  requireNoParameters(call, section);
  requireBalance(context);
  return json(200, shown(defaultPolicy(context), context));
}

/** The first change stores the default policy. */
export function changeDefaultPolicy(context: CloudContext, call: Call): Answer {
  requireBalance(context);
  const given = readJson(call, { schema: policyData, section });
  const { state } = context;
  const before = defaultPolicy(context);
  const changed = policyFrom(context, given, before);
  const after = { ...changed, id: before.id === 0 ? nextId(state, 'balancePolicies') : before.id };
  state.balancePolicies = [...state.balancePolicies.filter((one) => one !== before), after];
  return json(200, shown(after, context));
}

const orderData = z.strictObject({ orderedPolicyIds: z.array(z.int().min(0)) });

/** The list must contain all policies except the default policy. */
export function orderPolicies(context: CloudContext, call: Call): Answer {
  requireBalance(context);
  const { orderedPolicyIds: ids } = readJson(call, {
    schema: orderData,
    section: 'spec, BalancePolicyOrderData',
  });
  const { state } = context;
  const known = inOrder(context).map(({ id }) => id);
  const areAll = ids.length === known.length && known.every((id) => ids.includes(id));
  if (!areAll) throw refused('not exactly all policies', 400);
  state.balancePolicies = state.balancePolicies.map((one) =>
    one.isDefault ? one : { ...one, priority: ids.indexOf(one.id) + 1 },
  );
  return json(
    200,
    inOrder(context).map((one) => shown(one, context)),
  );
}

/** BalancePolicyInfo. */
function shown({ schedule, initialBalance, ...policy }: BalancePolicy, { state }: CloudContext): object {
  return {
    ...policy,
    accountId: state.accounts[0]?.id ?? 0,
    initialBalance: decimal(initialBalance),
    ...(schedule && {
      schedule: {
        enabled: true,
        frequency: schedule.frequency,
        scheduledTime: isoInstant(schedule.start),
        targetAmount: decimal(schedule.targetAmount),
      },
    }),
  };
}
