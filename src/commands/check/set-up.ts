/** Whether anybody has set this machine up: where nobody has, a list of missing keys helps nobody. */
import { readFileSync } from 'node:fs';
import { draftOf } from '../../config/config-edit.ts';
import { loadConfig } from '../../config/load.ts';
import { ConfigInvalid } from '../../config/mistakes.ts';
import type { Config } from '../../config/schema/config.ts';
import { presentIn } from '../init/config.ts';
import { usualConfig } from '../usual-options.ts';
import type { Io } from '../io.ts';

/** Throws `ConfigInvalid`, as the loader does, and with what to do where there is no file, or the package's as it came. */
export function configSetUp(file: string, env: Io['env']): Config {
  try {
    return loadConfig(file, env);
  } catch (error) {
    if (!(error instanceof ConfigInvalid) || isSetUp(file, error)) throw error;
    const call = file === usualConfig ? 'platen init' : `platen init -c ${file}`;
    const message = `Not set up yet. Run: ${call}`;
    throw new ConfigInvalid(file, [{ path: [], message }], { cause: error });
  }
}

function isSetUp(file: string, { cause }: ConfigInvalid): boolean {
  // It could not be read at all.
  if (cause !== undefined) return (cause as NodeJS.ErrnoException).code !== 'ENOENT';
  try {
    const { baseUrl, authUrl, terminals } = presentIn(draftOf(file, readFileSync(file, 'utf8')));
    return baseUrl !== undefined || authUrl !== undefined || terminals.length > 0;
  } catch {
    return true;
  }
}
