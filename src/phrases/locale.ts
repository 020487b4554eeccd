/** A language as it is written where the screen stands: times, numbers, and how a word is spelled. */
import type { LanguageCode } from '../domain/language.ts';
import type { Messages } from './message.ts';

/** Of the browser's locales the first of this language, else the language as such. */
export const localeOf = (code: LanguageCode, locales: readonly string[]): string =>
  locales.find((locale) => new Intl.Locale(locale).language === code) ?? code;

/** Where English is spelled as in America; without a region it is. */
const american: ReadonlySet<string | undefined> = new Set([undefined, 'US', 'PH', 'PR', 'LR']);

export function spelledFor(locale: string, messages: Messages): Messages {
  const { language, region } = new Intl.Locale(locale);
  if (language !== 'en' || american.has(region)) return messages;
  return JSON.parse(JSON.stringify(messages), (_key, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('olor', 'olour') : value,
  ) as Messages;
}
