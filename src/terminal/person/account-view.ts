/**
 * A person's own account as they see it. Only the last four characters of a card are shown, and amounts with their
 * decimals.
 */
import { printAmount } from '../../domain/amount.ts';
import type { CardNumber } from '../../domain/card/card-number.ts';
import type { AccountView } from '../../domain/terminal/account-view.ts';
import type { Notice } from '../../domain/terminal/notice.ts';
import type { TerminalContext } from '../context.ts';
import type { AccountOffer } from './account-context.ts';

const shownOfCard = 4;

const stages: Readonly<Record<string, AccountView['stage']>> = {
  proving: 'proving',
  checking: 'busy',
  awaitingCard: 'awaiting-card',
  awaitingInstead: 'awaiting-card',
  altering: 'busy',
  reading: 'busy',
};

interface AccountBeside {
  readonly state: string;
  readonly offer: AccountOffer;
  readonly notice: Notice | undefined;
}

export function accountViewOf(
  { account, session }: TerminalContext,
  { state, offer, notice }: AccountBeside,
): AccountView {
  const { found, edition = 0, shortId, denied = [] } = account ?? {};
  const { balance, transactions, prices, cards } = found ?? {};
  const mayAlter = offer === 'full' && cards !== undefined;
  return {
    stage: stages[state] ?? 'open',
    edition,
    ...(balance && {
      balance: {
        total: printAmount(balance.total),
        quota: printAmount(balance.quota),
        wallet: printAmount(balance.wallet),
      },
    }),
    ...(transactions && {
      transactions: transactions.map(({ amount, ...one }) => ({ ...one, amount: printAmount(amount) })),
    }),
    ...(prices && {
      prices: {
        bwNormal: printAmount(prices.bwNormal),
        bwLarge: printAmount(prices.bwLarge),
        colorNormal: printAmount(prices.colorNormal),
        colorLarge: printAmount(prices.colorLarge),
      },
    }),
    ...(cards && { cards: cards.map((card) => cardView(card, session?.card)) }),
    ...(found?.isIncomplete && { isIncomplete: true as const }),
    may: {
      drop: mayAlter && !denied.includes('drop'),
      register: mayAlter && !denied.includes('register'),
      shortId: mayAlter && !denied.includes('short-id'),
    },
    ...(notice && { notice }),
    ...(shortId && { shortId: shortId.reveal() }),
  };
}

const cardView = (card: CardNumber, held: CardNumber | undefined) => ({
  end: card.reveal().slice(-shownOfCard),
  ...(card.equals(held) && { isHeld: true as const }),
});
