/** A person's own account on the screen; for them alone, and gone with it. Amounts are decimals as text. */
import type { OwnTransaction } from '../own-account.ts';
import type { Notice } from './notice.ts';

export interface AccountView {
  /** `proving`: their password is asked for; `awaiting-card`: a card is to be held to the reader. */
  readonly stage: 'open' | 'busy' | 'proving' | 'awaiting-card';
  readonly balance?: { readonly total: string; readonly quota: string; readonly wallet: string };
  /** Of what is shown; a card is named by its place in it. */
  readonly edition: number;
  /** The most recent first. */
  readonly transactions?: readonly TransactionView[];
  readonly prices?: PricesView;
  readonly cards?: readonly CardView[];
  /** Something did not come. */
  readonly isIncomplete?: true;
  readonly may: { readonly drop: boolean; readonly register: boolean; readonly shortId: boolean };
  /** What came of the last change; nobody else's affair. */
  readonly notice?: Omit<Notice, 'sentence'>;
  /** That was given just now; told once. */
  readonly shortId?: string;
}

export type TransactionView = Omit<OwnTransaction, 'amount'> & { readonly amount: string };

/** Of one page. */
export interface PricesView {
  readonly bwNormal: string;
  readonly bwLarge: string;
  readonly colorNormal: string;
  readonly colorLarge: string;
}

export interface CardView {
  /** Its last characters. */
  readonly end: string;
  /** It signed them in. */
  readonly isHeld?: true;
}
