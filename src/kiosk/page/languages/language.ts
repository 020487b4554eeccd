/**
 * The languages of the page, and which of them a locale gets. Their names are written as their speakers write them; their
 * words are a catalogue of their own each, so that a page loads those alone that it shows.
 */
import { en } from './en.ts';
import type { Messages } from './message.ts';

export type LanguageCode = 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ar';

export interface Language {
  readonly code: LanguageCode;
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  /** Rejects when the file does not come. */
  load(): Promise<Messages>;
}

export const english: Language = { code: 'en', name: 'English', direction: 'ltr', load: async () => en };

export const languages: readonly Language[] = [
  english,
  {
    code: 'de',
    name: 'Deutsch',
    direction: 'ltr',
    load: async () => (await import('./de.po')).default as Messages,
  },
  {
    code: 'fr',
    name: 'Français',
    direction: 'ltr',
    load: async () => (await import('./fr.po')).default as Messages,
  },
  {
    code: 'es',
    name: 'Español',
    direction: 'ltr',
    load: async () => (await import('./es.po')).default as Messages,
  },
  {
    code: 'ja',
    name: '日本語',
    direction: 'ltr',
    load: async () => (await import('./ja.po')).default as Messages,
  },
  {
    code: 'ar',
    name: 'العربية',
    direction: 'rtl',
    load: async () => (await import('./ar.po')).default as Messages,
  },
];

/** For whom the page has no words of their own, those of a language most of them read; English for all others. */
const read: Readonly<Record<string, LanguageCode>> = {
  ca: 'es',
  eu: 'es',
  gl: 'es',
  gsw: 'de',
  lb: 'de',
  br: 'fr',
  oc: 'fr',
};

/** The first of these locales that the page speaks, or that somebody who reads one of its languages uses. */
export function languageFor(locales: readonly string[]): Language {
  const primaries = locales.map((locale) => locale.toLowerCase().split(/[-_]/)[0] ?? '');
  const spoken = (code: string): Language | undefined => languages.find((one) => one.code === code);
  const found =
    primaries.map(spoken).find((one) => one !== undefined) ??
    primaries.map((primary) => spoken(read[primary] ?? '')).find((one) => one !== undefined);
  return found ?? english;
}
