/** The facts of a person's own account in the service, beside the balance. */
import type { Amount } from './amount.ts';

/** `other`: a kind that is newer than Platen. */
export type TransactionKind =
  | 'top-up'
  | 'deduction'
  | 'adjustment'
  | 'reservation'
  | 'reservation-release'
  | 'initial'
  | 'withdraw'
  | 'renew'
  | 'other';

export interface OwnTransaction {
  /** ISO 8601, if the service tells it. */
  readonly at?: string;
  readonly kind: TransactionKind;
  /** Quota and wallet together; negative if it was taken. */
  readonly amount: Amount;
  /** Made safe to show. */
  readonly description: string;
}

/** Prices per page. */
export interface PriceList {
  readonly bwNormal: Amount;
  readonly bwLarge: Amount;
  readonly colorNormal: Amount;
  readonly colorLarge: Amount;
}
