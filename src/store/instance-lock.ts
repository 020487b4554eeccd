/**
 * One agent per state directory (reliability.md D13): the holder is the only writer, so no two processes can spend
 * one refresh token or print one document. Two locks, because each has a gap: the abstract unix socket guards one
 * network namespace and exists on Linux only, a file lock guards all of them. SIGKILL frees both.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Problem } from '../domain/problem.ts';
import { sqliteCode, storeProblem } from './database.ts';
import { ensurePrivateFile, errnoOf } from './durable-file.ts';

const sqliteBusy = 5;

/** Held until disposed. Throws `already-running` and has touched nothing when another process holds it. */
export async function lockInstance(realPath: string): Promise<AsyncDisposable> {
  await using locks = new AsyncDisposableStack();
  if (process.platform === 'linux') locks.use(await lockSocket(realPath));
  locks.use(lockFile(realPath));
  return locks.move();
}

async function lockSocket(realPath: string): Promise<AsyncDisposable> {
  const name = `platen-${createHash('sha256').update(realPath).digest('hex')}`;
  const server = createServer((peer) => peer.destroy());
  server.listen({ path: `\0${name}`, exclusive: true });
  try {
    await once(server, 'listening');
  } catch (cause) {
    if (errnoOf(cause) === 'EADDRINUSE') throw alreadyRunning(realPath, cause);
    throw new Problem('state-unusable', `${realPath}: the lock socket @${name} cannot be made`, { cause });
  }
  server.unref();
  return server;
}

/**
 * POSIX forgets all of a process's locks on a file when it closes any descriptor of it: nobody in this process may
 * open `lock.db` again.
 */
function lockFile(realPath: string): Disposable {
  const path = join(realPath, 'lock.db');
  ensurePrivateFile(path);
  const lock = new DatabaseSync(path);
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return lock;
  } catch (cause) {
    lock.close();
    throw sqliteCode(cause) === sqliteBusy ? alreadyRunning(realPath, cause) : storeProblem(path, cause);
  }
}

const alreadyRunning = (realPath: string, cause: unknown): Problem =>
  new Problem('already-running', `${realPath}: another Platen is running on this state directory`, { cause });
