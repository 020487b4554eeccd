/**
 * The costs of prints and the balances that pay for them, as the service's balance check tells it (spec, Balance
 * structures). The documents that fit are computed for showing only. Before each release the service is asked again
 * (I9).
 */
import type { Amount } from './amount.ts';
import { plus, zero } from './amount.ts';

/** The service's answer for one document, if prints are charged. */
export interface Quote {
  readonly cost: Amount;
  readonly balance: Amount;
  /** The service's own verdict on this document alone. */
  readonly isSufficient: boolean;
  /** The same verdict for a print in black and white. It is asked for only if the document does not fit otherwise. */
  readonly isSufficientInGrey?: true;
}

/**
 * Why a document may be printed: it is covered, prints are not charged, or the answer is unknown and the configuration
 * allows the print.
 */
export type Clearance = Quote | 'not-charged' | 'unknown-allowed';

/** Whether this account was seen to charge for prints. It should be kept over restarts. */
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
  /** The cost of all documents that fit, together. */
  readonly cost: Amount;
  /** In the order of the quotes. */
  readonly costs: readonly { readonly cost: Amount; readonly fits: boolean }[];
}

/**
 * In order: a document fits if enough is left after the costs of the documents that fit before it. A document that does
 * not fit is skipped, and a cheaper one after it may still fit. The balance is that of the last quote.
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
