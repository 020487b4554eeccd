/** Whatever a person may say: where the terminal expects none of it, it does nothing, and the log tells that something was said. */
import { recordOf } from '../../core/record-of.ts';
import type { WordType } from '../../domain/terminal/persons-word.ts';
import { personsWords } from '../../domain/terminal/persons-word.ts';

/** These are heard wherever somebody is. */
type Elsewhere = Exclude<WordType, 'language' | 'still-there'>;
const elsewhere = Object.keys(personsWords).filter(
  (type): type is Elsewhere => type !== 'language' && type !== 'still-there',
);

export const wordsOutOfPlace = recordOf(elsewhere, { actions: 'tellIgnored' } as const);
