/** The languages a person may choose at a terminal (BCP 47). */
export const languageCodes = ['en', 'de', 'fr', 'es', 'ja', 'ar'] as const;
export type LanguageCode = (typeof languageCodes)[number];
