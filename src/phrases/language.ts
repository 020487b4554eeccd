/**
 * The languages of the phrases. Each has its own catalogue, so that a screen loads only the languages that it shows.
 */
import type { LanguageCode } from '../domain/language.ts';
import { languageCodes, languageFacts } from '../domain/language.ts';
import { en } from './en.ts';
import type { Messages } from './message.ts';

export interface Language {
  readonly code: LanguageCode;
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  /** Rejects if the file does not load. */
  load(): Promise<Messages>;
}

interface Catalogue {
  readonly default: Messages;
}

export const languages: readonly Language[] = languageCodes.map((code) => ({
  code,
  ...languageFacts[code],
  load: async () => (code === 'en' ? en : ((await import(`./languages/${code}.po`)) as Catalogue).default),
}));

/** Throws for a code without a language. */
export function languageOf(code: LanguageCode): Language {
  const language = languages.find((one) => one.code === code);
  if (!language) throw new TypeError(`no language: ${code}`);
  return language;
}

export const english = languageOf('en');

/**
 * Some people find no words of their own language here. They get a language that most of them read; all others get
 * English.
 */
const read: Readonly<Record<string, LanguageCode>> = {
  ca: 'es',
  eu: 'es',
  gl: 'es',
  gsw: 'de',
  lb: 'de',
  br: 'fr',
  oc: 'fr',
};

/**
 * The first of these locales that has phrases. If none has, the first one whose people usually read a language with
 * phrases.
 */
export function languageFor(locales: readonly string[]): Language {
  const primaries = locales.map((locale) => locale.toLowerCase().split(/[-_]/)[0] ?? '');
  const spoken = (code: string): Language | undefined => languages.find((one) => one.code === code);
  const found =
    primaries.map(spoken).find((one) => one !== undefined) ??
    primaries.map((primary) => spoken(read[primary] ?? '')).find((one) => one !== undefined);
  return found ?? english;
}
