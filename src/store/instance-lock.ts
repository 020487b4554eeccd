/**
 * One agent per state directory (INVARIANTS.md D13): the holder is the only writer, so no two processes can spend one
 * refresh token or print one document. SQLite's own exclusive lock on a file of the state directory, fcntl(2): it is on
 * the file, so it holds across all namespaces; the kernel frees it when the process ends, however that does; and nobody
 * can take it who cannot open the file, as any user of the machine could take a name in the abstract (unix(7)) first.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Problem } from '../domain/problem/problem.ts';
import { requireFiles, sqliteCode, storeProblem } from './database.ts';
import { ensurePrivateFile } from './files/durable-file.ts';

const sqliteBusy = 5;

/**
 * Held until disposed. Throws `already-running` and has touched nothing when another process holds it. POSIX forgets all
 * locks that a process has on a file when it closes any descriptor of it, SQLite's own apart: nobody else in this
 * process may open `lock.db`.
 */
export function lockInstance(realPath: string): Disposable {
  const path = join(realPath, 'lock.db');
  ensurePrivateFile(path);
  requireFiles(path);
  const lock = new DatabaseSync(path);
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return lock;
  } catch (cause) {
    lock.close();
    throw sqliteCode(cause) === sqliteBusy
      ? new Problem('already-running', `${realPath}: another Platen is running on this state directory`, {
          cause,
        })
      : storeProblem(path, cause);
  }
}
