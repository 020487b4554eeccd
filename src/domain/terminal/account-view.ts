/** A person's own account on the screen. It is for them alone, and goes when they go. Amounts are decimals as text. */
import type { OwnTransaction } from '../own-account.ts';
import type { Notice } from './notice.ts';

export interface AccountView {
  /** `proving`: their password is asked for; `awaiting-card`: they are asked to hold a card to the reader. */
  readonly stage: 'open' | 'busy' | 'proving' | 'awaiting-card';
  readonly balance?: { readonly total: string; readonly quota: string; readonly wallet: string };
  /** Counts the shown lists, because a card is named by its place in the list. */
  readonly edition: number;
  /** Most recent first. */
  readonly transactions?: readonly TransactionView[];
  readonly prices?: PricesView;
  readonly cards?: readonly CardView[];
  /** A part could not be loaded. */
  readonly isIncomplete?: true;
  readonly may: { readonly drop: boolean; readonly register: boolean; readonly shortId: boolean };
  /** The result of the last change, which only this person may see. */
  readonly notice?: Omit<Notice, 'sentence'>;
  /** The short id that was given just now. It is shown once. */
  readonly shortId?: string;
}

export type TransactionView = Omit<OwnTransaction, 'amount'> & { readonly amount: string };

/** Prices per page. */
export interface PricesView {
  readonly bwNormal: string;
  readonly bwLarge: string;
  readonly colorNormal: string;
  readonly colorLarge: string;
}

export interface CardView {
  /** The last characters of the card. */
  readonly end: string;
  /** This card signed them in. */
  readonly isHeld?: true;
}
