/** The account of the person in front as their own page is told of it, its fields picked by name (I3). */
import type { AccountView, TransactionView } from '../../domain/terminal/account-view.ts';

export function accountFields(view: AccountView): AccountView {
  const { stage, edition, balance, transactions, prices, cards, isIncomplete, may, notice, shortId } = view;
  return {
    ...{ stage, edition },
    ...(balance && { balance: { total: balance.total, quota: balance.quota, wallet: balance.wallet } }),
    ...(transactions && { transactions: transactions.map(transactionFields) }),
    ...(prices && {
      prices: {
        ...{ bwNormal: prices.bwNormal, bwLarge: prices.bwLarge },
        ...{ colorNormal: prices.colorNormal, colorLarge: prices.colorLarge },
      },
    }),
    ...(cards && { cards: cards.map(({ end, isHeld }) => ({ end, ...(isHeld && { isHeld }) })) }),
    ...(isIncomplete && { isIncomplete }),
    may: { drop: may.drop, register: may.register, shortId: may.shortId },
    ...(notice && {
      notice: {
        code: notice.code,
        ...(notice.params && { params: notice.params }),
        ...(notice.needs && { needs: notice.needs }),
      },
    }),
    ...(shortId !== undefined && { shortId }),
  };
}

const transactionFields = ({ at, kind, amount, description }: TransactionView): TransactionView => ({
  ...{ kind, amount, description },
  ...(at !== undefined && { at }),
});
