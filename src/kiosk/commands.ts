/**
 * Parses a command of a page (`POST /t/<id>/commands`). Only the words of `persons-word.ts` are allowed (INVARIANTS.md
 * T03), each with the generation of the frame that it answers (D2). The result is a person's word and goes to the
 * terminal unchanged.
 */
import * as z from 'zod';
import type { PersonsWord, WordType } from '../domain/terminal/persons-word.ts';
import { personsWords } from '../domain/terminal/persons-word.ts';

const verbs = Object.keys(personsWords) as [WordType, ...WordType[]];
const head = z.object({ command: z.enum(verbs), generation: z.int().nonnegative() });

/** Gives `undefined` if the body is not a command. */
export function wordIn(body: unknown): PersonsWord | undefined {
  if (!head.safeParse(body).success) return undefined;
  const { command: type, generation, ...rest } = body as z.output<typeof head>;
  const { data } = personsWords[type].said.safeParse(rest);
  // The schema of this verb has checked the data.
  return data && ({ ...data, type, generation } as PersonsWord);
}

/** A command in the form that the page sends. */
export type Command = {
  [Verb in WordType]: { readonly command: Verb; readonly generation: number } & z.input<
    (typeof personsWords)[Verb]['said']
  >;
}[WordType];
