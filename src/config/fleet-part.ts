/**
 * The section `fleet` alone, with its secrets, for commands that talk to the engine of a fleet. The schema of the
 * whole configuration checks it. The rest of the file is ignored, so the command works on any machine that has this
 * section. It also has the name of a gateway in its fleet.
 */
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import type { Environment } from './load.ts';
import { readConfigText } from './load.ts';
import { ConfigInvalid, lineOf, mistakesOf } from './mistakes.ts';
import { outsideOf } from './outside.ts';
import { configSchema } from './schema/config.ts';
import type { Config } from './schema/config.ts';
import { fleet } from './schema/fleet.ts';
import { parsedYaml, settingsAsFarAsReadable } from './yaml-text.ts';

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

export type FleetAccess = NonNullable<Config['fleet']>;

/** For an administrator's command. Throws `ConfigInvalid` with all mistakes of that part. */
export function fleetAccess(file: string, env: Environment): FleetAccess {
  const { document, counter, data = {} } = parsedYaml(file, readConfigText(file));
  const found = z
    .object({ fleet: fleet(outsideOf(dirname(resolve(file)), env)) })
    .safeParse(data, { reportInput: true });
  if (found.success) return found.data.fleet;
  throw new ConfigInvalid(
    file,
    found.error.issues
      .flatMap((issue) => mistakesOf(issue))
      .map((mistake) => {
        const line = lineOf(document, counter, mistake.path);
        return line === undefined ? mistake : { ...mistake, line };
      }),
  );
}

/** The name of this gateway in its fleet, shown to people. */
export const memberName = ({ device }: Pick<Config, 'device'>): string => device.clientId ?? hostname();
