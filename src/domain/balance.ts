/**
 * What prints cost and who can pay for them, as the service's balance check tells it (spec, Balance structures). Which
 * documents fit is for showing only: whether one may be printed, the service is asked again at its release (I9).
 */
import type { Amount } from './amount.ts';
import { plus, zero } from './amount.ts';

/** What the service says of one document, where prints are charged. */
export interface Quote {
  readonly cost: Amount;
  readonly balance: Amount;
  /** The service's own verdict on this document alone. */
  readonly isSufficient: boolean;
  /** The same, if it came out in black and white; asked for where it does not do otherwise. */
  readonly isSufficientInGrey?: true;
}

/** Why a document may be printed: it is covered, prints are not charged, or nobody could say and it is let through. */
export type Clearance = Quote | 'not-charged' | 'unknown-allowed';

/** Whether this account was seen to charge for prints; best kept over restarts. */
export interface ChargingMemory {
  wasSeen(): boolean;
  note(isCharging: boolean): void;
}

/** A user's own record (UserBalanceInfo). */
export interface OwnBalance {
  readonly quota: Amount;
  readonly wallet: Amount;
  readonly total: Amount;
}

export interface Fitting {
  readonly balance: Amount;
  /** Of the documents that fit, together. */
  readonly cost: Amount;
  /** In the order of the quotes. */
  readonly costs: readonly { readonly cost: Amount; readonly fits: boolean }[];
}

/**
 * In order: a document fits while the costs of those that fit before it leave enough. One that does not fit is
 * skipped, and a cheaper one after it may still fit. The balance is that of the last quote.
 */
export function fittingOf(quotes: readonly Quote[]): Fitting | undefined {
  const balance = quotes.at(-1)?.balance;
  if (balance === undefined) return undefined;
  let spent = zero;
  const costs = quotes.map(({ cost, isSufficient }) => {
    const after = plus(spent, cost);
    const fits = isSufficient && after <= balance;
    if (fits) spent = after;
    return { cost, fits };
  });
  return { balance, cost: spent, costs };
}
