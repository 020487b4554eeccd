/** How the page looks and speaks for the person in front; all of it is forgotten when they leave. */
import type { LanguageCode } from '../../domain/language.ts';
import type { Language } from '../../phrases/language.ts';
import { languageFor } from '../../phrases/language.ts';
import type { Look } from '../look.ts';
import { languagesOf, ownLanguageOf } from './look.ts';
import type { Words } from './languages/words.ts';

export interface Preferences {
  /** What was chosen here; else what the terminal says, else the browser's. */
  readonly language?: LanguageCode;
  readonly highContrast: boolean;
  readonly largeText: boolean;
  readonly spoken: boolean;
}

export const noPreferences: Preferences = { highContrast: false, largeText: false, spoken: false };

export const withoutLanguage = ({ language: _, ...others }: Preferences): Preferences => others;

/** `wanted`: by their badge. */
export function languageOf({ language }: Preferences, wanted: string | undefined, look: Look): Language {
  const code = language ?? (wanted === undefined ? undefined : languageFor([wanted]).code);
  return languagesOf(look).find((one) => one.code === code) ?? ownLanguageOf(look);
}

/** Tells the document, for style sheet, browser and screen reader. */
export function apply({ highContrast, largeText }: Preferences, { language, say }: Words): void {
  document.title = say('title');
  const { documentElement: root } = document;
  root.lang = language.code;
  root.dir = language.direction;
  root.dataset['contrast'] = highContrast ? 'high' : 'normal';
  root.dataset['text'] = largeText ? 'large' : 'normal';
}
