/**
 * All words that a person may say. If the terminal expects no such word, it does nothing, and the log tells that
 * something was said.
 */
import { recordOf } from '../../core/record-of.ts';
import type { WordType } from '../../domain/terminal/persons-word.ts';
import { personsWords } from '../../domain/terminal/persons-word.ts';

/** These words are heard in every state with a person. */
type Elsewhere = Exclude<WordType, 'language' | 'still-there'>;
const elsewhere = Object.keys(personsWords).filter(
  (type): type is Elsewhere => type !== 'language' && type !== 'still-there',
);

export const wordsOutOfPlace = recordOf(elsewhere, { actions: 'tellIgnored' } as const);
