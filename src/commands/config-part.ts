/**
 * The part of the configuration that a command needs. A mistake elsewhere in the file is one line on standard error.
 */
import { accessSync, constants } from 'node:fs';
import type { z } from 'zod';
import { errnoOf } from '../core/errno.ts';
import { permissionDenied } from '../config/file-access.ts';
import { inOneLine } from '../config/mistakes.ts';
import type { Outside } from '../config/schema/values.ts';
import { loadPart, statePart } from '../config/part.ts';
import { CommandFailed } from './failure.ts';
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

/** Where the agent keeps its state, and where its control socket is. */
export const statePlace = (file: string, io: Io): { readonly stateDir: string } =>
  configPart(file, io, statePart);

/** The same for a command that reads the state itself. Throws `CommandFailed` if this user may not. */
export function booksPlace(file: string, io: Io): { readonly stateDir: string } {
  const place = statePlace(file, io);
  refuseLocked(place.stateDir);
  return place;
}

export function refuseLocked(stateDir: string): void {
  try {
    accessSync(stateDir, constants.R_OK | constants.X_OK);
  } catch (cause) {
    if (errnoOf(cause) !== 'EACCES') return;
    throw new CommandFailed(`${stateDir}: ${permissionDenied(stateDir)}`, { cause });
  }
}

export function tellMistakes(mistakes: readonly string[], io: Io): void {
  if (mistakes.length > 0) io.error(`platen: ${inOneLine(mistakes, ': platen check')}`);
}
