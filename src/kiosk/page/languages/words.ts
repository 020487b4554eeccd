/** The words in the language that is shown at the moment, for every part of the page. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { FrameNotice } from '../../frame.ts';
import { instant } from '../clock.ts';
import type { Language } from './language.ts';
import { english } from './language.ts';
import type { MessageKey, Params } from './message.ts';
import { fill, numeralsOf } from './message.ts';
import { noticeWords } from './notice-words.ts';

export interface Words {
  readonly language: Language;
  readonly say: (key: MessageKey, params?: Params) => string;
  /** Falls back to the sentence for a code that is newer than the page. */
  readonly sayNotice: (notice: FrameNotice, sentence: string) => string;
  /** An amount of money from decimal text, without a unit: the service names none. */
  readonly amount: (decimal: string) => string;
  /** Hours and minutes of an instant, ISO 8601. */
  readonly time: (at: string) => string;
}

export function wordsOf(language: Language): Words {
  const { code, messages } = language;
  const numerals = numeralsOf(code);
  const clock = new Intl.DateTimeFormat(code, { timeStyle: 'short' });
  const amounts = new Map<number, Intl.NumberFormat>();
  const say = (key: MessageKey, params?: Params) => fill(messages[key], numerals, params);
  return {
    language,
    say,
    sayNotice(notice, sentence) {
      const key: MessageKey | undefined = noticeWords[notice.code];
      return key === undefined ? sentence : say(key, notice.params);
    },
    amount(decimal) {
      const digits = decimal.split('.')[1]?.length ?? 0;
      const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits };
      const format = amounts.get(digits) ?? new Intl.NumberFormat(code, decimals);
      amounts.set(digits, format);
      return format.format(Number(decimal));
    },
    time: (at) => clock.format(instant(at)),
  };
}

const context = createContext(wordsOf(english));

export const WordsProvider = context.Provider;
export const useWords = (): Words => useContext(context);
