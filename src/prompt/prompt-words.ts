/** The words of the prompt in its configured language: its own texts and the phrases of the page. */
import type { PromptLanguageCode } from '../domain/language.ts';
import { languageOf } from '../phrases/language.ts';
import { fill, numeralsOf } from '../phrases/message.ts';
import type { Params } from '../phrases/message.ts';
import type { Phrases } from '../phrases/phrases.ts';
import { phrasesOf } from '../phrases/phrases.ts';
import { prompted } from './languages/en.ts';

type PromptKey = keyof typeof prompted;
type PromptMessages = Readonly<Record<PromptKey, string>>;

interface Catalogue {
  readonly default: PromptMessages;
}

export interface PromptWords {
  readonly phrases: Phrases;
  readonly say: (key: PromptKey, params?: Params) => string;
}

export async function loadPromptWords(code: PromptLanguageCode): Promise<PromptWords> {
  const language = languageOf(code);
  const [messages, phrases] = await Promise.all([promptedIn(code), language.load()]);
  const numerals = numeralsOf(code);
  return {
    phrases: phrasesOf(language, phrases),
    say: (key, params) => fill(messages[key], numerals, params),
  };
}

const promptedIn = async (code: PromptLanguageCode): Promise<PromptMessages> =>
  code === 'en' ? prompted : ((await import(`./languages/${code}.po`)) as Catalogue).default;
