/** The part of the configuration that a command works by; a mistake elsewhere in the file is one line on standard error. */
import type { z } from 'zod';
import { inOneLine } from '../config/mistakes.ts';
import type { Outside } from '../config/outside.ts';
import { loadPart, statePart } from '../config/part.ts';
import type { Io } from './io.ts';

export function configPart<Schema extends z.ZodType>(
  file: string,
  io: Io,
  schemaOf: (outside: Outside) => Schema,
): z.output<Schema> {
  const { part, mistakes } = loadPart(file, io.env, schemaOf);
  tellMistakes(mistakes, io);
  return part;
}

/** Where the agent keeps its books, and is asked. */
export const statePlace = (file: string, io: Io): { readonly stateDir: string } =>
  configPart(file, io, statePart);

export function tellMistakes(mistakes: readonly string[], io: Io): void {
  if (mistakes.length > 0) io.error(`platen: ${inOneLine(mistakes, ': platen check')}`);
}
