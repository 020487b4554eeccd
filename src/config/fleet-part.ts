/**
 * Loads only the section `fleet` with its secrets, for commands that talk to the engine of a fleet. The schema of the
 * whole configuration checks it. The rest of the file is ignored, so the command works on any machine that has this
 * section.
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

/** Throws `ConfigInvalid`, also if the section is missing. */
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
