/** The words in the language that is shown at the moment, for every part of the page. */
import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FrameNotice } from '../../frame.ts';
import { instant, wallTime } from '../../../listener/page/clock.ts';
import { en } from './en.ts';
import type { Language } from './language.ts';
import { english } from './language.ts';
import { localeOf, spelledFor } from './locale.ts';
import type { MessageKey, Messages, Params } from './message.ts';
import { fill, numeralsOf } from './message.ts';
import { sayNeed } from './need-words.ts';
import { noticeWords } from './notice-words.ts';
import { createAge, createSentTime } from './sent-time.ts';

export interface Words {
  readonly language: Language;
  /** The language as it is written in the browser's region: `en-GB`. */
  readonly locale: string;
  readonly say: (key: MessageKey, params?: Params) => string;
  /** Falls back to the sentence for a code that is newer than the page. */
  readonly sayNotice: (notice: FrameNotice, sentence: string) => string;
  /** A number from decimal text. */
  readonly amount: (decimal: string) => string;
  /** What one document costs: the amount in the currency; where none is known, a number that says what it counts. */
  readonly price: (decimal: string) => string;
  /** An amount of money from decimal text; where no currency is known, a number and nothing else. */
  readonly money: (decimal: string) => string;
  /** Hours and minutes of an instant, ISO 8601. */
  readonly time: (at: string) => string;
  /** `3 minutes ago` and the like, of an instant, ISO 8601. */
  readonly ago: (at: string) => string;
  /** `today 14:05` and the like, of an instant, ISO 8601. */
  readonly sent: (at: string) => string;
}

export function wordsOf(language: Language, messages: Messages, locale: string = language.code): Words {
  const numerals = numeralsOf(locale);
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const sentTime = createSentTime(locale);
  const age = createAge(locale);
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
    ...{ language, locale, say, amount },
    price: (decimal) => say('cost', { amount: amount(decimal) }),
    money: amount,
    sayNotice(notice, sentence) {
      if (notice.needs) return sayNeed(notice.needs, say);
      const key: MessageKey | undefined = noticeWords[notice.code];
      return key === undefined ? sentence : say(key, notice.params);
    },
    time: (at) => clock.format(instant(at)),
    ago: (at) => age(instant(at), wallTime()),
    sent: (at) => sentTime(instant(at), wallTime()),
  };
}

/** The same words where amounts are money. */
export function wordsIn(currency: string, words: Words): Words {
  const format = new Intl.NumberFormat(words.locale, { style: 'currency', currency });
  const { maximumFractionDigits: usual = 0 } = format.resolvedOptions();
  const money = (decimal: string): string => {
    const digits = Math.max(usual, decimal.split('.')[1]?.length ?? 0);
    return new Intl.NumberFormat(words.locale, {
      ...{ style: 'currency', currency },
      ...{ minimumFractionDigits: usual, maximumFractionDigits: digits },
    }).format(Number(decimal));
  };
  return { ...words, money, price: money };
}

export const englishWords = wordsOf(english, en);

/** Rejects when the language's file does not come. */
export const loadWords = async (language: Language): Promise<Words> =>
  wordsOf(language, await language.load(), localeOf(language.code, navigator.languages));

/** `choice`: another one whenever somebody chose, so that a language that did not come is asked for again. */
interface WantedWords {
  readonly language: Language;
  readonly choice: unknown;
  readonly first: Words;
  readonly currency: string | undefined;
}

/** The wanted ones as soon as they are here, until then those of before; once here, they stay. */
export function useWordsOf({ language, choice, first, currency }: WantedWords): Words {
  const [loaded, setLoaded] = useState<ReadonlyMap<Language, Words>>(new Map([[first.language, first]]));
  const shown = useRef(first);
  shown.current = loaded.get(language) ?? shown.current;
  useEffect(() => {
    if (loaded.has(language)) return;
    loadWords(language).then(
      (words) => setLoaded((known) => new Map(known).set(language, words)),
      () => {},
    );
  }, [language, choice]);
  const { current: words } = shown;
  return useMemo(() => (currency === undefined ? words : wordsIn(currency, words)), [words, currency]);
}

const context = createContext(englishWords);

export const WordsProvider = context.Provider;
export const useWords = (): Words => useContext(context);
