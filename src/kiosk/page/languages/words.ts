/** The phrases in the present language, with times in its form, for every part of the page. */
import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { instant, wallTime } from '../../../listener/page/clock.ts';
import { en } from '../../../phrases/en.ts';
import type { Language } from '../../../phrases/language.ts';
import { english } from '../../../phrases/language.ts';
import { localeOf } from '../../../phrases/locale.ts';
import type { Messages } from '../../../phrases/message.ts';
import type { Phrases } from '../../../phrases/phrases.ts';
import { moneyIn, phrasesOf } from '../../../phrases/phrases.ts';

export interface Words extends Phrases {
  /** Hours and minutes of an ISO 8601 instant. */
  readonly time: (at: string) => string;
  /** `3 minutes ago`, of an ISO 8601 instant. */
  readonly ago: (at: string) => string;
  /** `today 14:05`, of an ISO 8601 instant. */
  readonly sent: (at: string) => string;
}

export function wordsOf(language: Language, messages: Messages, locale: string = language.code): Words {
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const sentTime = createSentTime(locale);
  const age = createAge(locale);
  return {
    ...phrasesOf(language, messages, locale),
    time: (at) => clock.format(instant(at)),
    ago: (at) => age(instant(at), wallTime()),
    sent: (at) => sentTime(instant(at), wallTime()),
  };
}

/** The same words, but amounts are money. */
export function wordsIn(currency: string, words: Words): Words {
  const money = moneyIn(currency, words.locale);
  return { ...words, money, price: money };
}

export const englishWords = wordsOf(english, en);

/** Rejects if the file of the language does not load. */
export const loadWords = async (language: Language): Promise<Words> =>
  wordsOf(language, await language.load(), localeOf(language.code, navigator.languages));

/** `choice`: a new value for each choice of a person, so that a language that did not load is loaded again. */
interface WantedWords {
  readonly language: Language;
  readonly choice: unknown;
  readonly first: Words;
  readonly currency: string | undefined;
}

/** The wanted words as soon as they are loaded, and the earlier ones until then. Loaded words are kept. */
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

/**
 * Times as people say them. For a sent document: today with the time, yesterday, or the day. For a printed document:
 * how long ago.
 */

/** Today is the day of the local calendar. */
export function createSentTime(locale: string): (sentAt: Date, now: Date) => string {
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const thisYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
  const otherYear = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  return (sentAt, now) => {
    const daysAgo = dayOf(now) - dayOf(sentAt);
    if (daysAgo === 0) return `${relative.format(0, 'day')} ${clock.format(sentAt)}`;
    if (daysAgo === 1) return relative.format(-1, 'day');
    return (sentAt.getFullYear() === now.getFullYear() ? thisYear : otherYear).format(sentAt);
  };
}

/** In whole minutes or hours, at least one minute. */
export function createAge(locale: string): (at: Date, now: Date) => string {
  const relative = new Intl.RelativeTimeFormat(locale);
  return (at, now) => {
    const minutes = Math.ceil((now.getTime() - at.getTime()) / 60_000) || 1;
    return minutes < 60
      ? relative.format(-minutes, 'minute')
      : relative.format(-Math.round(minutes / 60), 'hour');
  };
}

/** Days of the local calendar. */
const dayOf = (at: Date): number => Math.floor((at.getTime() - at.getTimezoneOffset() * 60_000) / 86_400_000);
