/**
 * What a command needs that asks the engine of a fleet: the section `fleet` with its secrets, checked by the schema of
 * the whole. The rest of the file is not looked at, so that any machine will do that has this section.
 */
import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import type { Environment } from './load.ts';
import { readConfigText } from './load.ts';
import { ConfigInvalid, mistakesOf } from './mistakes.ts';
import { outsideOf } from './outside.ts';
import { configSchema } from './schema/config.ts';
import type { fleet } from './schema/fleet.ts';
import { settingsAsFarAsReadable } from './yaml-text.ts';

export type FleetPart = z.output<ReturnType<typeof fleet>>;

/** Throws `ConfigInvalid`, also where there is no such section. */
export function loadFleetPart(file: string, env: Environment): FleetPart {
  const schema = configSchema(outsideOf(dirname(resolve(file)), env))
    .pick({ fleet: true })
    .strip();
  const settings = settingsAsFarAsReadable(readConfigText(file));
  const { success, data, error } = schema.safeParse(settings, { reportInput: true });
  if (!success) {
    throw new ConfigInvalid(
      file,
      error.issues.flatMap((issue) => mistakesOf(issue)),
    );
  }
  if (data.fleet) return data.fleet;
  throw new ConfigInvalid(file, [
    { path: ['fleet'], message: 'is missing, so this gateway is not in a fleet' },
  ]);
}
