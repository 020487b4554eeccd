/**
 * The one directory for Platen's state (systemd's `StateDirectory`). It is made if it is missing, and checked before
 * anything in it is opened. It is for the agent's user alone: mode 0700, everything inside 0600 (INVARIANTS.md T19).
 */
import { accessSync, constants, mkdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../core/log.ts';
import { ensurePrivateFolder } from '../../core/private-folder.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { errnoOf } from './durable-file.ts';

export interface StateDirectory {
  /** The real path, without symbolic links. */
  readonly path: string;
  /** For documents on their way from the cloud to a printer, unlinked and encrypted. */
  readonly spoolPath: string;
}

/**
 * Throws `state-unusable`. A mode that lets other users in only causes a warning, because the administrator may want
 * it.
 */
export function openStateDirectory(options: { path: string; log: Log }): StateDirectory {
  const path = usable(options.path, (given) => mkdirSync(given, { recursive: true, mode: 0o700 }));
  const spoolPath = usable(join(path, 'spool'), ensurePrivateFolder);
  for (const directory of [path, spoolPath]) {
    const mode = statSync(directory).mode & 0o777;
    if ((mode & 0o077) !== 0) {
      options.log.warn('directory is open to other users', { directory, mode: mode.toString(8) });
    }
  }
  return { path, spoolPath };
}

/** An administrator may have put a link at the path of the state directory itself. Inside it there is none. */
function usable(path: string, make: (path: string) => void): string {
  try {
    make(path);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(path);
  } catch (cause) {
    const code = errnoOf(cause);
    throw new Problem(
      'state-unusable',
      `${path}: ${code === 'EEXIST' || code === 'ENOTDIR' ? 'is not a directory' : `cannot be made or written (${code})`}. ` +
        'Make it a directory that the user Platen runs as may write, or set stateDir to another',
      { cause },
    );
  }
}
