/**
 * The size and the cost of a choice of documents, compared with the balance, in exact decimals. Prices and balance come
 * from the service.
 */
import type { Amount } from '../../../domain/amount.ts';
import { parseAmount, plus, printAmount, zero } from '../../../domain/amount.ts';
import { totalOf } from '../../../domain/print-total.ts';
import type { DocumentView } from '../../../domain/terminal/terminal-view.ts';
import type { Words } from '../languages/words.ts';

export interface Bill {
  /** Decimal text; `undefined` if nothing is charged, or if a price is not known. */
  readonly cost: string | undefined;
  /** The documents that the balance is enough for, in their order. */
  readonly fitting: readonly DocumentView[];
  readonly isEnough: boolean;
}

const priceOf = ({ cost }: DocumentView): Amount | undefined =>
  cost === undefined ? undefined : parseAmount(cost);

/** A document without a known price is never excluded: the agent asks again before it prints. */
export function billOf(documents: readonly DocumentView[], balance: string | undefined): Bill {
  const total = documents.reduce((sum, one) => plus(sum, priceOf(one) ?? zero), zero);
  const isPriced = documents.length > 0 && documents.every((one) => priceOf(one) !== undefined);
  const limit = balance === undefined ? undefined : parseAmount(balance);
  let spent = zero;
  const fitting = documents.filter((one) => {
    const price = priceOf(one) ?? zero;
    if (limit !== undefined && price > zero && plus(spent, price) > limit) return false;
    spent = plus(spent, price);
    return true;
  });
  return {
    cost: isPriced ? printAmount(total) : undefined,
    fitting,
    isEnough: fitting.length === documents.length,
  };
}

/** `6 documents · 23 pages`; `23 pages or more` if a number of pages is not known. */
export function sayTotal(documents: readonly DocumentView[], { say }: Pick<Words, 'say'>): string {
  const { pages: n, isAtLeast } = totalOf(documents);
  return `${say('documents', { n: documents.length })} · ${say(isAtLeast ? 'pagesAtLeast' : 'pages', { n })}`;
}
