/** All that the prompt says in the language that its terminal was given: its own words, and the phrases of the page. */
import type { PromptLanguageCode } from '../domain/language.ts';
import { languageOf } from '../phrases/language.ts';
import { fill, numeralsOf } from '../phrases/message.ts';
import type { Params } from '../phrases/message.ts';
import type { Phrases } from '../phrases/phrases.ts';
import { phrasesOf } from '../phrases/phrases.ts';
import { prompted } from './languages/en.ts';

type PromptKey = keyof typeof prompted;
type PromptMessages = Readonly<Record<PromptKey, string>>;

export interface PromptWords {
  readonly phrases: Phrases;
  readonly say: (key: PromptKey, params?: Params) => string;
}

const catalogues: Readonly<Record<PromptLanguageCode, () => Promise<PromptMessages>>> = {
  en: async () => prompted,
  de: async () => (await import('./languages/de.po')).default as PromptMessages,
  fr: async () => (await import('./languages/fr.po')).default as PromptMessages,
  es: async () => (await import('./languages/es.po')).default as PromptMessages,
};

export async function loadPromptWords(code: PromptLanguageCode): Promise<PromptWords> {
  const language = languageOf(code);
  const [messages, phrases] = await Promise.all([catalogues[code](), language.load()]);
  const numerals = numeralsOf(code);
  return {
    phrases: phrasesOf(language, phrases),
    say: (key, params) => fill(messages[key], numerals, params),
  };
}
