/** Transactions and policies of balances as they are stored, and the times of schedules (spec, Balance structures). */
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
