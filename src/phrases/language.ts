/**
 * The languages of the phrases, and which of them a locale gets. Their names are written as their speakers write them;
 * their words are a catalogue of their own each, so that a screen loads those alone that it shows.
 */
import type { LanguageCode } from '../domain/language.ts';
import { en } from './en.ts';
import type { Messages } from './message.ts';

export interface Language {
  readonly code: LanguageCode;
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  /** Rejects when the file does not come. */
  load(): Promise<Messages>;
}

const known: Readonly<Record<LanguageCode, Omit<Language, 'code'>>> = {
  en: { name: 'English', direction: 'ltr', load: async () => en },
  de: { name: 'Deutsch', direction: 'ltr', load: async () => (await import('./de.po')).default as Messages },
  fr: { name: 'Français', direction: 'ltr', load: async () => (await import('./fr.po')).default as Messages },
  es: { name: 'Español', direction: 'ltr', load: async () => (await import('./es.po')).default as Messages },
  ja: { name: '日本語', direction: 'ltr', load: async () => (await import('./ja.po')).default as Messages },
  ar: { name: 'العربية', direction: 'rtl', load: async () => (await import('./ar.po')).default as Messages },
};

export const languages: readonly Language[] = Object.entries(known).map(([code, language]) => ({
  ...language,
  code: code as LanguageCode,
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
