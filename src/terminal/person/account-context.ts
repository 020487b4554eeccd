/** What a terminal knows of the account of the person in front while they look at it, and what they may have changed there. */
import type { Secret } from '../../core/secret.ts';
import type { OwnBalance } from '../../domain/balance.ts';
import type { CardNumber } from '../../domain/card/card-number.ts';
import type { OwnTransaction, PriceList } from '../../domain/own-account.ts';
import { Problem } from '../../domain/problem/problem.ts';

/** Where `off`, nobody can open it; where `read`, nothing is changed there. */
export type AccountOffer = 'off' | 'read' | 'full';

export interface FoundAccount {
  readonly balance?: OwnBalance;
  readonly transactions?: readonly OwnTransaction[];
  readonly prices?: PriceList;
  readonly cards?: readonly CardNumber[];
  /** Something did not come. */
  readonly isIncomplete: boolean;
  /** The service refused these to the person before. */
  readonly denied: readonly Deed['kind'][];
}

export type Deed =
  | { readonly kind: 'drop'; readonly card: CardNumber }
  /** Without a card: it is to be held to the reader. */
  | { readonly kind: 'register'; readonly card?: CardNumber }
  | { readonly kind: 'short-id' };

export interface AccountContext {
  readonly found: FoundAccount | undefined;
  /** Counts the readings: a card that is named is one of the list that was shown. */
  readonly edition: number;
  readonly deed: Deed | undefined;
  /** That was given just now. */
  readonly shortId: Secret | undefined;
  /** The service refuses these by permission. */
  readonly denied: readonly Deed['kind'][];
}

export const nothingFound: AccountContext = {
  found: undefined,
  edition: 0,
  deed: undefined,
  shortId: undefined,
  denied: [],
};

/** Its holder stands there now. */
export class CardOfAnother extends Problem {
  readonly card: CardNumber;

  constructor(card: CardNumber) {
    super('login-refused', 'the card signs somebody else in');
    this.card = card;
  }
}

/** Where they could not be given back for certain, none is taken. */
export class CardsNotKept extends Problem {
  constructor(cause: Problem) {
    super(cause.code, 'Platen drops no card, because it cannot write down the other cards first', { cause });
  }
}

/** Others than the one that was dropped. */
export class CardsMissing extends Problem {
  constructor(cause: unknown) {
    super('cloud-rejected', 'not all other cards could be given back', { cause });
  }
}
