/** The languages of the phrases, each with a catalogue of its own, so that a screen loads those alone that it shows. */
import type { LanguageCode } from '../domain/language.ts';
import { languageCodes, languageFacts } from '../domain/language.ts';
import { en } from './en.ts';
import type { Messages } from './message.ts';

export interface Language {
  readonly code: LanguageCode;
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  /** Rejects when the file does not come. */
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

/** Throws for a code that is none of a language. */
export function languageOf(code: LanguageCode): Language {
  const language = languages.find((one) => one.code === code);
  if (!language) throw new TypeError(`no language: ${code}`);
  return language;
}

export const english = languageOf('en');

/** For people without words of their own here, those of a language most of them read; English for all others. */
const read: Readonly<Record<string, LanguageCode>> = {
  ca: 'es',
  eu: 'es',
  gl: 'es',
  gsw: 'de',
  lb: 'de',
  br: 'fr',
  oc: 'fr',
};

/** The first of these locales that the phrases have, or that somebody who reads one of their languages uses. */
export function languageFor(locales: readonly string[]): Language {
  const primaries = locales.map((locale) => locale.toLowerCase().split(/[-_]/)[0] ?? '');
  const spoken = (code: string): Language | undefined => languages.find((one) => one.code === code);
  const found =
    primaries.map(spoken).find((one) => one !== undefined) ??
    primaries.map((primary) => spoken(read[primary] ?? '')).find((one) => one !== undefined);
  return found ?? english;
}
