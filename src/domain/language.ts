/** The languages a person may choose at a terminal (BCP 47). */
export const languageCodes = ['en', 'de', 'fr', 'es', 'ja', 'ar'] as const;
export type LanguageCode = (typeof languageCodes)[number];

/** Those that a prompt can be in: a font of Latin 9 has their letters, and none is written from the right. */
export const promptLanguageCodes = ['en', 'de', 'fr', 'es'] as const satisfies readonly LanguageCode[];
export type PromptLanguageCode = (typeof promptLanguageCodes)[number];
