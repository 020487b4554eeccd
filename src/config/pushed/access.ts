/** Reads the access to a fleet for an administrator's command. The file needs only the section `fleet`. */
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import type { Environment } from '../load.ts';
import { readConfigText } from '../load.ts';
import { ConfigInvalid, lineOf, mistakesOf } from '../mistakes.ts';
import { outsideOf } from '../outside.ts';
import type { Config } from '../schema/config.ts';
import { fleet } from '../schema/fleet.ts';
import { parsedYaml } from '../yaml-text.ts';

export type FleetAccess = NonNullable<Config['fleet']>;

/** Throws `ConfigInvalid` with all mistakes of that part. */
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
