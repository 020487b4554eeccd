/** The words in the language that is shown at the moment, for every part of the page. */
import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { FrameNotice } from '../../frame.ts';
import { instant, wallTime } from '../clock.ts';
import { en } from './en.ts';
import type { Language } from './language.ts';
import { english } from './language.ts';
import type { MessageKey, Messages, Params } from './message.ts';
import { fill, numeralsOf } from './message.ts';
import { sayNeed } from './need-words.ts';
import { noticeWords } from './notice-words.ts';
import { createSentTime } from './sent-time.ts';

export interface Words {
  readonly language: Language;
  readonly say: (key: MessageKey, params?: Params) => string;
  /** Falls back to the sentence for a code that is newer than the page. */
  readonly sayNotice: (notice: FrameNotice, sentence: string) => string;
  /** An amount of money from decimal text, without a unit: the service names none. */
  readonly amount: (decimal: string) => string;
  /** Hours and minutes of an instant, ISO 8601. */
  readonly time: (at: string) => string;
  /** `today 14:05` and the like, of an instant, ISO 8601. */
  readonly sent: (at: string) => string;
}

export function wordsOf(language: Language, messages: Messages): Words {
  const { code } = language;
  const numerals = numeralsOf(code);
  const clock = new Intl.DateTimeFormat(code, { timeStyle: 'short' });
  const sentTime = createSentTime(code);
  const amounts = new Map<number, Intl.NumberFormat>();
  const say = (key: MessageKey, params?: Params) => fill(messages[key], numerals, params);
  return {
    language,
    say,
    sayNotice(notice, sentence) {
      if (notice.needs) return sayNeed(notice.needs, say);
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
    sent: (at) => sentTime(instant(at), wallTime()),
  };
}

export const englishWords = wordsOf(english, en);

/** Rejects when the language's file does not come. */
export const loadWords = async (language: Language): Promise<Words> =>
  wordsOf(language, await language.load());

/** `choice`: another one whenever somebody chose, so that a language that did not come is asked for again. */
interface WantedWords {
  readonly language: Language;
  readonly choice: unknown;
  readonly first: Words;
}

/** The wanted ones as soon as they are here, until then those of before; once here, they stay. */
export function useWordsOf({ language, choice, first }: WantedWords): Words {
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
  return shown.current;
}

const context = createContext(englishWords);

export const WordsProvider = context.Provider;
export const useWords = (): Words => useContext(context);
