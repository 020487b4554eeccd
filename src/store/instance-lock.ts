/**
 * One agent for each state directory (INVARIANTS.md D13): the holder is the only writer, so no two processes can spend
 * one refresh token or print one document. The lock is SQLite's exclusive lock on a file (fcntl(2)). It holds across
 * all namespaces, and the kernel frees it when the process ends in any way. Only a process that can open the file can
 * take it, while any user of the machine could take an abstract socket name (unix(7)) first.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Problem } from '../domain/problem/problem.ts';
import { requireFiles, sqliteCode, storeProblem } from './database.ts';
import { ensurePrivateFile } from './files/durable-file.ts';

const sqliteBusy = 5;

/**
 * Held until it is disposed. If another process holds it, throws `already-running` and has changed nothing. POSIX drops
 * all locks of a process on a file when it closes any descriptor of that file, except in SQLite itself. Therefore no
 * other code in this process may open `lock.db`.
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
