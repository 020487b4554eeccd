/** What a person sees of their own account in the service, beside the balance. */
import type { Amount } from './amount.ts';

/** `other`: of a kind that is newer than Platen. */
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
  /** ISO 8601, where the service says it. */
  readonly at?: string;
  readonly kind: TransactionKind;
  /** Of quota and wallet together; negative where it was taken. */
  readonly amount: Amount;
  /** Made safe to show. */
  readonly description: string;
}

/** Of one page. */
export interface PriceList {
  readonly bwNormal: Amount;
  readonly bwLarge: Amount;
  readonly colorNormal: Amount;
  readonly colorLarge: Amount;
}
