/**
 * The one directory for Platen's state (systemd's `StateDirectory`), and the lock of the one agent that works in it.
 * It is made if it is missing, and checked before anything in it is opened. It is for the agent's user alone: mode
 * 0700, everything inside 0600 (INVARIANTS.md T19).
 */
import { accessSync, constants, mkdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { errnoOf } from '../../core/errno.ts';
import type { Log } from '../../core/log.ts';
import { ensurePrivateFolder } from '../../core/private-folder.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { requireFiles, sqliteCode, storeProblem } from '../database.ts';
import { ensurePrivateFile } from './durable-file.ts';

interface StateDirectory {
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
  // On Windows access rights are not in the mode.
  for (const directory of process.platform === 'win32' ? [] : [path, spoolPath]) {
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

const sqliteBusy = 5;

/**
 * One agent for each state directory (INVARIANTS.md D13): the holder is the only writer, so no two processes can
 * spend one refresh token or print one document. Held until it is disposed. If another process holds it, throws
 * `already-running` and has changed nothing.
 *
 * The lock is SQLite's exclusive lock on a file (fcntl(2)). It holds across all namespaces, and the kernel frees it
 * when the process ends in any way. Only a process that can open the file can take it, while any user of the machine
 * could take an abstract socket name (unix(7)) first. POSIX drops all locks of a process on a file when it closes any
 * descriptor of that file, except in SQLite itself. Therefore no other code in this process may open `lock.db`.
 */
export function lockInstance(realPath: string): Disposable {
  const path = join(realPath, 'lock.db');
  ensurePrivateFile(path);
  requireFiles(path);
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path);
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return lock;
  } catch (cause) {
    lock?.close();
    throw sqliteCode(cause) === sqliteBusy
      ? new Problem('already-running', `${realPath}: another Platen is running on this state directory`, {
          cause,
        })
      : storeProblem(path, cause);
  }
}
