/**
 * Loads the part of a configuration that a command needs, checked by the schema of the whole. A mistake elsewhere is
 * reported, but the command still works: the agent runs on the configuration that it read earlier, and the user must be
 * able to look at it.
 */
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import type { Environment } from './load.ts';
import { loadConfigWithoutSecrets, readConfigText } from './load.ts';
import { ConfigInvalid } from './mistakes.ts';
import { overLocal } from './pushed/over-local.ts';
import type { Outside } from './schema/values.ts';
import { outsideOf, withoutSecrets } from './outside.ts';
import { configSchema } from './schema/config.ts';
import { terminalKeys } from './schema/terminal.ts';
import { settingsAsFarAsReadable } from './yaml-text.ts';

export interface ConfigPart<Part> {
  readonly part: Part;
  /** The mistakes of the whole file as lines; empty if there are none. */
  readonly mistakes: readonly string[];
}

/** The state directory, which is also where the agent can be asked. */
export const statePart = (outside: Outside) => configSchema(outside).pick({ stateDir: true }).strip();

/** The state directory and the ids of the terminals, as far as they are readable. */
export const namesPart = (outside: Outside) =>
  statePart(outside).extend({
    terminals: z.array(z.object({ id: z.string() }).or(z.unknown().transform(() => undefined))).catch([]),
  });

/** The state directory and the card rules of the terminals. */
export const cardPart = (outside: Outside) =>
  statePart(outside).extend({
    terminals: terminalKeys(outside).pick({ id: true, card: true }).strip().array().default([]),
  });

/** Throws `ConfigInvalid` with all mistakes if the part itself is wrong or the file cannot be read. */
export function loadPart<Schema extends z.ZodType>(
  file: string,
  env: Environment,
  schemaOf: (outside: Outside) => Schema,
): ConfigPart<z.output<Schema>> {
  const outside = withoutSecrets(outsideOf(dirname(resolve(file)), env));
  const schema = schemaOf(outside);
  const { settings } = overLocal(settingsAsFarAsReadable(readConfigText(file)), outside, {});
  const { success, data } = schema.safeParse(settings);
  const mistaken = mistakesIn(file, env);
  if (success) return { part: data, mistakes: mistaken?.lines ?? [] };
  throw mistaken ?? new Error(`${file} has no mistakes, but Platen cannot use it`);
}

function mistakesIn(file: string, env: Environment): ConfigInvalid | undefined {
  try {
    loadConfigWithoutSecrets(file, env);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigInvalid) return error;
    throw error;
  }
}
