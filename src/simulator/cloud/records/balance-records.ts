/**
 * Money in the simulated cloud (spec, Balance structures): transactions and policies of balances as they are stored,
 * the times of schedules, and prices. Amounts are whole millionths inside, so that sums are exact, and decimals on
 * the wire. An amount has at most fifteen digits, which a JSON number can hold.
 */
import { isoInstant } from '../../../core/clock.ts';
import { hours } from '../../../core/duration.ts';

/** The user of a transaction. */
export interface Owner {
  readonly userName: string;
  readonly providerId: number;
}

/** BalanceTransactionInfo, with amounts in millionths. */
export interface BalanceTransaction extends Owner {
  readonly id: number;
  readonly userId: number;
  readonly accountId: number;
  readonly quota: number;
  readonly wallet: number;
  readonly transactionType: 'TOP_UP' | 'DEDUCTION' | 'ADJUSTMENT' | 'INITIAL' | 'WITHDRAW' | 'RENEW';
  readonly quotaAfter: number;
  readonly walletAfter: number;
  readonly description: string;
  readonly adminUserId?: number | undefined;
  /** For a document that the service released. */
  readonly documentUuid?: string | undefined;
  /** Wall time. */
  readonly at: number;
}

export interface PolicySchedule {
  readonly frequency: 'weekly' | 'monthly' | 'quarterly' | 'yearly';
  /** Wall time of the first run. */
  readonly start: number;
  /** In millionths. */
  readonly targetAmount: number;
  /** The number of runs that were made, or that were over before the schedule was set. */
  readonly runs: number;
}

export interface BalancePolicy {
  readonly id: number;
  readonly policyName: string;
  readonly balanceType: 'free' | 'quota' | 'wallet' | 'quota_wallet';
  /** 0 is the default policy. A lower number is stronger than a higher one. */
  readonly priority: number;
  readonly isDefault: boolean;
  /** In millionths. */
  readonly initialBalance: number;
  readonly groupIds: readonly number[];
  readonly schedule?: PolicySchedule | undefined;
  /** ISO 8601; absent for the unchanged default policy. */
  readonly lastUpdated?: string;
}

/** The default policy before its first change. */
export const virtualDefault: BalancePolicy = {
  id: 0,
  policyName: 'Default',
  balanceType: 'free',
  priority: 0,
  isDefault: true,
  initialBalance: 0,
  groupIds: [],
};

const day = hours(24);
const monthsOf = { monthly: 1, quarterly: 3, yearly: 12 } as const;

/** Wall time of the next run, in UTC. If the month lacks the day, its last day is used. */
export function runOf({ start, frequency, runs }: PolicySchedule): number {
  if (frequency === 'weekly') return start + runs * 7 * day;
  const [year = 0, month = 0, dayOfMonth = 0] = isoInstant(start).slice(0, 10).split('-').map(Number);
  const months = month - 1 + runs * monthsOf[frequency];
  const first = Date.UTC(year, months, 1);
  const daysThere = (Date.UTC(year, months + 1, 1) - first) / day;
  const timeOfDay = start - Math.floor(start / day) * day;
  return first + (Math.min(dayOfMonth, daysThere) - 1) * day + timeOfDay;
}

/** Runs that were over before are not made up. */
export function firstRunFrom(schedule: PolicySchedule, now: number): PolicySchedule {
  let { runs } = schedule;
  while (runOf({ ...schedule, runs }) < now) runs += 1;
  return { ...schedule, runs };
}

export interface PriceList {
  /** Each is in millionths, for one page. */
  readonly bwNormalPage: number;
  readonly bwLargePage: number;
  readonly colorNormalPage: number;
  readonly colorLargePage: number;
}

/** The balance of a user, in millionths. */
export interface UserBalance {
  readonly userName: string;
  readonly providerId: number;
  readonly quota: number;
  readonly wallet: number;
  /** ISO 8601. */
  readonly lastUpdated: string;
}

export interface PricedJob {
  readonly totalPages: number;
  readonly colorPages: number;
  readonly paperSize: string;
  readonly copies: number;
}

const largeSizes = ['A3', 'LEDGER', 'TABLOID'];

/** In millionths. */
export function costOf(prices: PriceList, { totalPages, colorPages, paperSize, copies }: PricedJob): number {
  const isLarge = largeSizes.includes(paperSize.toUpperCase());
  const bw = isLarge ? prices.bwLargePage : prices.bwNormalPage;
  const color = isLarge ? prices.colorLargePage : prices.colorNormalPage;
  return copies * ((totalPages - colorPages) * bw + colorPages * color);
}

const places = 6;
const unit = 10 ** places;

/** The decimal of the API: `0.035` for 35000. */
export const decimal = (amount: number): number => amount / unit;

/** Converts by the written digits. Gives `undefined` if there are more than six decimals. */
export function millionths(written: number): number | undefined {
  const [, whole = '', digits = ''] = /^(\d+)(?:\.(\d{1,6}))?$/.exec(String(written)) ?? [];
  return whole === '' ? undefined : Number(`${whole}${digits.padEnd(places, '0')}`);
}

/** Throws `RangeError` if a decimal has more than six places. */
export const priceListOf = (decimals: PriceList): PriceList => ({
  bwNormalPage: exact(decimals.bwNormalPage),
  bwLargePage: exact(decimals.bwLargePage),
  colorNormalPage: exact(decimals.colorNormalPage),
  colorLargePage: exact(decimals.colorLargePage),
});

export function exact(written: number): number {
  const found = millionths(written);
  if (found === undefined) throw new RangeError(`${written} is no amount: six decimals at most`);
  return found;
}

/** The quota is used first, then the wallet. Neither falls below zero. */
export function charged(balance: UserBalance, cost: number): UserBalance {
  const fromQuota = Math.min(balance.quota, cost);
  const fromWallet = Math.min(balance.wallet, cost - fromQuota);
  return { ...balance, quota: balance.quota - fromQuota, wallet: balance.wallet - fromWallet };
}
