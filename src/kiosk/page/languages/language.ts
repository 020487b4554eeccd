/** The languages of the page, and which of them a locale gets. Their names are written as their speakers write them. */
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import type { Messages } from './message.ts';

export type LanguageCode = 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ar';

export interface Language {
  readonly code: LanguageCode;
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  readonly messages: Messages;
}

export const english: Language = { code: 'en', name: 'English', direction: 'ltr', messages: en };

export const languages: readonly Language[] = [
  english,
  { code: 'de', name: 'Deutsch', direction: 'ltr', messages: de },
  { code: 'fr', name: 'Français', direction: 'ltr', messages: fr },
  { code: 'es', name: 'Español', direction: 'ltr', messages: es },
  { code: 'ja', name: '日本語', direction: 'ltr', messages: ja },
  { code: 'ar', name: 'العربية', direction: 'rtl', messages: ar },
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
