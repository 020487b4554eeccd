/** The texts of a screen in one language, with numbers and money in the form of a locale. */
import type { Language } from './language.ts';
import { spelledFor } from './locale.ts';
import type { MessageKey, Messages, Params } from './message.ts';
import { fill, numeralsOf } from './message.ts';
import { sayNeed } from './notice-words.ts';
import { noticeWords } from './notice-words.ts';
import type { NoticeShown } from './shown.ts';

export interface Phrases {
  readonly language: Language;
  /** The language in its regional form: `en-GB`. */
  readonly locale: string;
  readonly say: (key: MessageKey, params?: Params) => string;
  /** Uses the given sentence if the phrases do not know the code, because the agent is newer. */
  readonly sayNotice: (notice: NoticeShown, sentence: string) => string;
  /** A number from decimal text. */
  readonly amount: (decimal: string) => string;
  /** The cost of a document in the currency. If the currency is not known, a number with the word for cost. */
  readonly price: (decimal: string) => string;
  /** An amount of money from decimal text. If the currency is not known, only a number. */
  readonly money: (decimal: string) => string;
}

export function phrasesOf(language: Language, messages: Messages, locale: string = language.code): Phrases {
  const numerals = numeralsOf(locale);
  const amounts = new Map<number, Intl.NumberFormat>();
  const spelled = spelledFor(locale, messages);
  const say = (key: MessageKey, params?: Params) => fill(spelled[key], numerals, params);
  const amount = (decimal: string): string => {
    const digits = decimal.split('.')[1]?.length ?? 0;
    const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    const format = amounts.get(digits) ?? new Intl.NumberFormat(locale, decimals);
    amounts.set(digits, format);
    return format.format(Number(decimal));
  };
  return {
    language,
    locale,
    say,
    amount,
    price: (decimal) => say('cost', { amount: amount(decimal) }),
    money: amount,
    sayNotice(notice, sentence) {
      if (notice.needs) return sayNeed(notice.needs, say);
      const key: MessageKey | undefined = noticeWords[notice.code];
      return key === undefined ? sentence : say(key, notice.params);
    },
  };
}

/** Amounts in a currency (ISO 4217), with all their digits, but at least as many as the currency has. */
export function moneyIn(currency: string, locale: string): (decimal: string) => string {
  const { maximumFractionDigits: usual = 0 } = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
  }).resolvedOptions();
  return (decimal) =>
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      minimumFractionDigits: usual,
      maximumFractionDigits: Math.max(usual, decimal.split('.')[1]?.length ?? 0),
    }).format(Number(decimal));
}
