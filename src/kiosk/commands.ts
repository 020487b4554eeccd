/**
 * What a page may say to its terminal (`POST /t/<id>/commands`): the words of `persons-word.ts` and no others
 * (INVARIANTS.md T03), each with the generation of the frame it answers (D2). What is parsed here is a person's word, and
 * goes to the terminal as it is.
 */
import * as z from 'zod';
import type { PersonsWord, WordType } from '../domain/terminal/persons-word.ts';
import { personsWords } from '../domain/terminal/persons-word.ts';

const verbs = Object.keys(personsWords) as [WordType, ...WordType[]];
const head = z.object({ command: z.enum(verbs), generation: z.int().nonnegative() });

/** `undefined`: it is none. */
export function wordIn(body: unknown): PersonsWord | undefined {
  if (!head.safeParse(body).success) return undefined;
  const { command: type, generation, ...rest } = body as z.output<typeof head>;
  const { data } = personsWords[type].said.safeParse(rest);
  // The row of the verb has parsed it.
  return data && ({ ...data, type, generation } as PersonsWord);
}

/** As the page writes it. */
export type Command = {
  [Verb in WordType]: { readonly command: Verb; readonly generation: number } & z.input<
    (typeof personsWords)[Verb]['said']
  >;
}[WordType];
