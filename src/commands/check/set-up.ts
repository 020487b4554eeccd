/** Was this machine set up at all? If not, a list of missing keys does not help. */
import { readFileSync } from 'node:fs';
import { errnoOf } from '../../core/errno.ts';
import { draftOf } from '../../config/config-edit.ts';
import { loadConfig } from '../../config/load.ts';
import { ConfigInvalid } from '../../config/mistakes.ts';
import type { Config } from '../../config/schema/config.ts';
import { presentIn } from '../init/config.ts';
import { usualConfig } from '../usual-options.ts';
import type { Io } from '../io.ts';

/**
 * Throws `ConfigInvalid`, as the loader does. If there is no file, or still the example file of the package, the error
 * says what to do.
 */
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
  // The file could not be read at all.
  if (cause !== undefined) return errnoOf(cause) !== 'ENOENT';
  try {
    const { baseUrl, authUrl, terminals } = presentIn(draftOf(file, readFileSync(file, 'utf8')));
    return baseUrl !== undefined || authUrl !== undefined || terminals.length > 0;
  } catch {
    return true;
  }
}
