/**
 * Balance in the simulated cloud (spec, Balance). A price list turns it on, and a check then compares cost and balance.
 * An answer that a test has set is used instead. The cost of a job is deducted if the settings say so.
 */
import { z } from 'zod';
import type { Answer, Call } from '../../call.ts';
import { Deviation, errorAnswer, json, Refusal } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { isOf } from '../../context.ts';
import { formId, formText, readJson, readQuery } from '../../parameters.ts';
import type { PricedJob } from '../../records/balance-records.ts';
import { charged, costOf, decimal } from '../../records/balance-records.ts';
import type { BalanceCheckInfo } from '../../settings.ts';
import type { CloudState, CloudUser } from '../../state.ts';
import {
  balanceOf,
  belongsTo,
  enter,
  initialOf,
  openedBalance,
  policyOf,
  requireBalance,
  runSchedules,
} from './ledger.ts';

const balanceCheckData = z
  .strictObject({
    uuid: z.string().min(1),
    userName: z.string().min(1),
    providerId: z.int().min(0),
    totalPages: z.int().min(0),
    colorPages: z.int().min(0),
    paperSize: z.string(),
    copies: z.int().min(1),
  })
  .refine(({ totalPages, colorPages }) => colorPages <= totalPages, 'colorPages above totalPages');

export function checkBalance(context: CloudContext, call: Call): Answer {
  const section = 'spec, BalanceCheckData';
  const data = readJson(call, { schema: balanceCheckData, section });
  const { caller } = call;
  const isOwn =
    caller.kind === 'user' &&
    caller.user.userName === data.userName &&
    caller.user.providerId === data.providerId &&
    context.state.documents.some((one) => one.info.uuid === data.uuid && isOf(one, data));
  if (!isOwn) throw new Deviation('not a document of this user', section, errorAnswer(403));
  runSchedules(context);
  return json(200, context.settings.balance ?? judged(context.state, caller.user, data));
}

/** The policy decides if quota, wallet or both count. With the type `free`, every job is allowed. */
function judged(state: CloudState, user: CloudUser, job: PricedJob): BalanceCheckInfo {
  if (state.priceList === undefined) {
    return { balanceEnabled: false, sufficientBalance: true, currentBalance: 0, calculatedCost: 0 };
  }
  const cost = costOf(state.priceList, job);
  const [has, initial] = [balanceOf(state, user), initialOf(state, user)];
  const [quota, wallet] = [has.quota + initial.quota, has.wallet + initial.wallet];
  const type = policyOf(state, user).balanceType;
  const counts = (type === 'wallet' ? 0 : quota) + (type === 'quota' ? 0 : wallet);
  return {
    balanceEnabled: true,
    sufficientBalance: type === 'free' || cost <= counts,
    currentBalance: decimal(counts),
    calculatedCost: decimal(cost),
  };
}

const ownerQuery = z.strictObject({ username: formText, providerid: formId });

/** UserBalanceInfo. */
export function showBalance(context: CloudContext, call: Call): Answer {
  const asked = readQuery(call, { schema: ownerQuery, section: 'spec, Balance' });
  const { state, settings } = context;
  requireBalance(context);
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

/** `uuid` is set for a document that the service released. */
type ChargedJob = PricedJob & { readonly title: string; readonly uuid?: string };

/** Deducts the cost of a job, if the settings charge for jobs and the user is not free. */
export function chargeFor(context: CloudContext, user: CloudUser, job: ChargedJob): void {
  const { settings, state } = context;
  if (settings.charging === 'nothing' || state.priceList === undefined) return;
  runSchedules(context);
  if (policyOf(state, user).balanceType === 'free') return;
  const before = { ...openedBalance(context, user), ...user, lastUpdated: '' };
  const after = charged(before, costOf(state.priceList, job));
  enter(context, user, {
    quota: after.quota - before.quota,
    wallet: after.wallet - before.wallet,
    transactionType: 'DEDUCTION',
    description: job.title,
    documentUuid: job.uuid,
  });
}
