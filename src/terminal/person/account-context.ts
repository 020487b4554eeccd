/**
 * A terminal's knowledge of the account of the person in front while they look at it, and the changes that they may
 * make there.
 */
import type { Secret } from '../../core/secret.ts';
import type { OwnBalance } from '../../domain/balance.ts';
import type { CardNumber } from '../../domain/card/card-number.ts';
import type { OwnTransaction, PriceList } from '../../domain/own-account.ts';
import { Problem } from '../../domain/problem/problem.ts';
import type { Notice } from '../../domain/terminal/notice.ts';

/** `off`: the account cannot be opened. `read`: it can be read, and not changed. */
export type AccountOffer = 'off' | 'read' | 'full';

export interface FoundAccount {
  readonly balance?: OwnBalance;
  readonly transactions?: readonly OwnTransaction[];
  readonly prices?: PriceList;
  readonly cards?: readonly CardNumber[];
  /** A part could not be loaded. */
  readonly isIncomplete: boolean;
  /** The deeds that the service refused to the person before. */
  readonly denied: readonly Deed['kind'][];
}

export type Deed =
  | { readonly kind: 'drop'; readonly card: CardNumber }
  /** Without a card: the person is asked to hold it to the reader. */
  | { readonly kind: 'register'; readonly card?: CardNumber }
  | { readonly kind: 'short-id' };

/** What a deed came to. */
export interface Altered {
  readonly notice: Notice;
  readonly shortId?: Secret;
}

export interface AccountContext {
  readonly found: FoundAccount | undefined;
  /** Counts the readings, so that a word about a card is matched to the list that was shown. */
  readonly edition: number;
  readonly deed: Deed | undefined;
  /** The short id that was given just now. */
  readonly shortId: Secret | undefined;
  /** The deeds that the service refuses by permission. */
  readonly denied: readonly Deed['kind'][];
}

export const nothingFound: AccountContext = {
  found: undefined,
  edition: 0,
  deed: undefined,
  shortId: undefined,
  denied: [],
};

/** The card belongs to another person, who is at the terminal now. */
export class CardOfAnother extends Problem {
  readonly card: CardNumber;

  constructor(card: CardNumber) {
    super('login-refused', 'the card signs somebody else in');
    this.card = card;
  }
}

/** No card is dropped if the others could not be given back for certain. */
export class CardsNotKept extends Problem {
  constructor(cause: Problem) {
    super(cause.code, 'Platen drops no card, because it cannot write down the other cards first', { cause });
  }
}

/** Cards other than the dropped one are missing. */
export class CardsMissing extends Problem {
  constructor(cause: unknown) {
    super('cloud-rejected', 'not all other cards could be given back', { cause });
  }
}
