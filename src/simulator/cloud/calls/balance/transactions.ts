/** Transactions and the price list of the simulated cloud (spec, Balance). */
import { z } from 'zod';
import { isoInstant } from '../../../../core/clock.ts';
import type { Answer, Call } from '../../call.ts';
import { json, refused } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { followPages, pageOf } from '../../paging.ts';
import {
  formId,
  formInstant,
  formInteger,
  formText,
  readJson,
  readQuery,
  requireNoParameters,
} from '../../parameters.ts';
import type { CloudUser } from '../../state.ts';
import type { BalanceTransaction, Owner, PriceList } from '../../records/balance-records.ts';
import { amount, belongsTo, enter, openedBalance, requireBalance, requireFeature } from './ledger.ts';
import { decimal } from '../../records/balance-records.ts';

const section = 'spec, Balance';

const configData = z.strictObject({
  enabled: z.boolean(),
  bwNormalPage: amount,
  bwLargePage: amount,
  colorNormalPage: amount,
  colorLargePage: amount,
});

export function showBalanceConfig(context: CloudContext, call: Call): Answer {
  requireNoParameters(call, section);
  requireFeature(context);
  return json(200, balanceConfig(context));
}

/** The prices are kept while balance is off. */
export function changeBalanceConfig(context: CloudContext, call: Call): Answer {
  requireFeature(context);
  const { enabled, ...list } = readJson(call, { schema: configData, section });
  const { state } = context;
  state.priceList = enabled ? list : undefined;
  state.idlePrices = list;
  context.tell(`balance: ${enabled ? 'on' : 'off'}`);
  return json(200, balanceConfig(context));
}

const nothing: PriceList = { bwNormalPage: 0, bwLargePage: 0, colorNormalPage: 0, colorLargePage: 0 };

/** BalanceConfigInfo. */
function balanceConfig({ state }: CloudContext): object {
  const list = state.priceList ?? state.idlePrices ?? nothing;
  return {
    accountId: state.accounts[0]?.id ?? 0,
    enabled: state.priceList !== undefined,
    ...Object.fromEntries(Object.entries(list).map(([price, value]) => [price, decimal(value)])),
  };
}

const listQuery = z.strictObject({
  username: formText,
  providerid: formId,
  maxrecords: formInteger(1, 1000).default(50),
  datefrom: formInstant.optional(),
  dateto: formInstant.optional(),
});

/** The newest transactions come first. */
export function listTransactions(context: CloudContext, call: Call): Answer {
  const { first, place } = followPages(context, call, section);
  const { username, providerid, maxrecords, ...range } = readQuery(first, { schema: listQuery, section });
  requireBalance(context);
  const owner = userCalled(context, { userName: username, providerId: providerid });
  const found = context.state.balanceTransactions
    .filter((one) => belongsTo(one, owner))
    .filter(({ at }) => at >= (range.datefrom ?? 0) && at <= (range.dateto ?? Number.MAX_VALUE))
    .toReversed();
  const { page, ...paging } = pageOf(found, place, maxrecords);
  return json(200, { items: page.map(transactionInfo), ...paging });
}

const transactionData = z
  .strictObject({
    userName: z.string().min(1),
    providerId: z.int().min(0),
    operation: z.enum(['add', 'remove', 'set']),
    balanceType: z.enum(['quota', 'wallet']),
    amount,
    description: z.string().default(''),
  })
  .refine((one) => one.operation === 'set' || one.amount > 0, {
    path: ['amount'],
    message: 'expected above 0',
  })
  .refine((one) => one.operation !== 'set' || one.balanceType === 'quota', {
    path: ['balanceType'],
    message: 'set is for the quota only',
  });

const transactionTypes = { add: 'TOP_UP', remove: 'WITHDRAW', set: 'ADJUSTMENT' } as const;

export function makeTransaction(context: CloudContext, call: Call): Answer {
  const data = readJson(call, { schema: transactionData, section: 'spec, BalanceTransactionData' });
  requireBalance(context);
  const user = userCalled(context, data);
  const by = changeBy(data, openedBalance(context, user));
  const transaction = enter(context, user, {
    quota: 0,
    wallet: 0,
    [data.balanceType]: by,
    transactionType: transactionTypes[data.operation],
    description: data.description,
    adminUserId: call.caller.kind === 'user' ? call.caller.user.id : undefined,
  });
  context.tell(`balance: ${user.userName}, ${data.operation} ${decimal(data.amount)}`);
  return json(200, transactionInfo(transaction));
}

/** A removal of more than the balance fails. */
function changeBy(
  { operation, balanceType, amount: by }: z.output<typeof transactionData>,
  has: { readonly quota: number; readonly wallet: number },
): number {
  if (operation === 'add') return by;
  if (operation === 'set') return by - has.quota;
  if (by > has[balanceType]) throw refused('not so much is there', 400);
  return -by;
}

function userCalled({ state }: CloudContext, owner: Owner): CloudUser {
  const user = state.users.find((one) => belongsTo(one, owner));
  if (!user) throw refused('no such user', 404);
  return user;
}

/** BalanceTransactionInfo. */
const transactionInfo = (one: BalanceTransaction): object => ({
  id: one.id,
  userId: one.userId,
  userName: one.userName,
  providerId: one.providerId,
  accountId: one.accountId,
  quotaAmount: decimal(one.quota),
  walletAmount: decimal(one.wallet),
  transactionType: one.transactionType,
  quotaBalanceAfter: decimal(one.quotaAfter),
  walletBalanceAfter: decimal(one.walletAfter),
  description: one.description,
  ...(one.adminUserId === undefined ? {} : { adminUserId: one.adminUserId }),
  ...(one.documentUuid === undefined ? {} : { documentUuid: one.documentUuid }),
  timestamp: isoInstant(one.at),
});
