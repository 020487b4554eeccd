/** The local form of a language: times, numbers, and spelling. */
import type { LanguageCode } from '../domain/language.ts';
import type { Messages } from './message.ts';

/** The first of the browser's locales for this language, or else the language without a region. */
export const localeOf = (code: LanguageCode, locales: readonly string[]): string =>
  locales.find((locale) => new Intl.Locale(locale).language === code) ?? code;

/** Regions with American spelling. English without a region has it too. */
const american: ReadonlySet<string | undefined> = new Set([undefined, 'US', 'PH', 'PR', 'LR']);

export function spelledFor(locale: string, messages: Messages): Messages {
  const { language, region } = new Intl.Locale(locale);
  if (language !== 'en' || american.has(region)) return messages;
  return JSON.parse(JSON.stringify(messages), (_key, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('olor', 'olour') : value,
  ) as Messages;
}
