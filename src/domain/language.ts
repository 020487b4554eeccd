/**
 * The languages that a person may choose at a terminal, by their codes (BCP 47). The names are written as their
 * speakers write them. The catalogues (`phrases/`) have their words and the letters of a keyboard.
 */
export const languageFacts = {
  en: { name: 'English', direction: 'ltr' },
  de: { name: 'Deutsch', direction: 'ltr' },
  fr: { name: 'Français', direction: 'ltr' },
  es: { name: 'Español', direction: 'ltr' },
  ja: { name: '日本語', direction: 'ltr' },
  ar: { name: 'العربية', direction: 'rtl' },
} as const satisfies Readonly<Record<string, LanguageFacts>>;

interface LanguageFacts {
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
}

export type LanguageCode = keyof typeof languageFacts;
export const languageCodes = Object.keys(languageFacts) as [LanguageCode, ...LanguageCode[]];

/** The languages that a prompt can show: a Latin 9 font has their letters, and they are not written from the right. */
export const promptLanguageCodes = ['en', 'de', 'fr', 'es'] as const satisfies readonly LanguageCode[];
export type PromptLanguageCode = (typeof promptLanguageCodes)[number];
