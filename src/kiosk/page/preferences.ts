/** The look and the speech of the page for the person in front. All of it is forgotten when they leave. */
import type { LanguageCode } from '../../domain/language.ts';
import type { Language } from '../../phrases/language.ts';
import { languageFor } from '../../phrases/language.ts';
import type { Look } from '../look.ts';
import { languagesOf, ownLanguageOf } from './look.ts';
import type { Words } from './languages/words.ts';

export interface Preferences {
  /** The choice on this page. Without a choice: the terminal's language, or else the browser's. */
  readonly language?: LanguageCode;
  readonly highContrast: boolean;
  readonly largeText: boolean;
  readonly spoken: boolean;
}

export const noPreferences: Preferences = { highContrast: false, largeText: false, spoken: false };

export const withoutLanguage = ({ language: _, ...others }: Preferences): Preferences => others;

/** `wanted`: the language of the badge. */
export function languageOf({ language }: Preferences, wanted: string | undefined, look: Look): Language {
  const code = language ?? (wanted === undefined ? undefined : languageFor([wanted]).code);
  return languagesOf(look).find((one) => one.code === code) ?? ownLanguageOf(look);
}

/** Puts the settings on the document, for style sheet, browser and screen reader. */
export function apply({ highContrast, largeText }: Preferences, { language, say }: Words): void {
  document.title = say('title');
  const { documentElement: root } = document;
  root.lang = language.code;
  root.dir = language.direction;
  root.dataset['contrast'] = highContrast ? 'high' : 'normal';
  root.dataset['text'] = largeText ? 'large' : 'normal';
}
