/**
 * Small files that survive a crash and a power cut: a new file is written and synced, then renamed, and the directory
 * is synced (INVARIANTS.md B.2 step 5, D12). The database does not use this; it syncs itself.
 */
import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { errnoOf } from '../../core/errno.ts';
import { isProblem, Problem } from '../../domain/problem/problem.ts';

/**
 * Gives a descriptor that the caller closes. Throws the system's error, and `store-refused` if the path is not a
 * regular file. Opening a FIFO would wait until another process writes to it, and never end (INVARIANTS.md T26).
 */
export function openRegular(path: string, flags: number, mode?: number): number {
  const file = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, mode);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw noFile(path);
}

/** `undefined` if there is no such file. */
export function readIfPresent(path: string): Buffer | undefined {
  try {
    const file = openRegular(path, constants.O_RDONLY);
    try {
      return readFileSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw isProblem(error) ? error : fileProblem(path, error);
  }
}

/** As `readIfPresent`; `bad` where the disk does not give the content back. */
export function readUnlessBad(path: string): Buffer | 'bad' | undefined {
  try {
    return readIfPresent(path);
  } catch (error) {
    if (isProblem(error, 'store-failed') && errnoOf(error.cause) === 'EIO') return 'bad';
    throw error;
  }
}

/**
 * Renames files that are damaged: `NAME.damaged-TIME`, in the same folder. On a disk that takes nothing any more it
 * throws `store-failed`.
 */
export function setFilesAside(paths: readonly string[], at: string): void {
  for (const path of paths) {
    try {
      renameSync(path, `${path}.damaged-${at.replaceAll(':', '-')}`);
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw fileProblem(path, error);
    }
  }
  for (const folder of new Set(paths.map((path) => dirname(path)))) syncDirectory(folder);
}

/**
 * When it returns, the file has exactly these bytes for good. When it throws `store-refused`, the file is unchanged.
 */
export function writeDurably(path: string, bytes: Uint8Array): void {
  refuseRoot(dirname(path));
  const successor = successorOf(path);
  writeSynced(successor, bytes);
  try {
    renameSync(successor, path);
  } catch (error) {
    throw fileProblem(path, error);
  }
  syncDirectory(dirname(path));
}

/** Takes the room that the next `writeDurably` of this file needs, so that the write cannot fail on a full disk. */
export function reserveRoom(path: string, size: number): void {
  writeSynced(successorOf(path), Buffer.alloc(size));
}

/** Makes an empty file of mode 0600 if there is none. SQLite gives its side files the mode of the main file. */
export function ensurePrivateFile(path: string): void {
  refuseRoot(dirname(path));
  if (isFile(path)) return;
  try {
    closeSync(openSync(path, constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600));
  } catch (error) {
    throw fileProblem(path, error);
  }
  syncDirectory(dirname(path));
}

/** False if nothing is there. Throws `store-refused` for a link, because SQLite would follow it (INVARIANTS.md T26). */
export function isFile(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile()) throw noFile(path);
  return found !== undefined;
}

const noFile = (path: string) => new Problem('store-refused', `${path} is not a file. Remove it`);

/**
 * If root wrote into the directory of another user, that user could not use the file, or the user's links could lead
 * root elsewhere (INVARIANTS.md T26).
 */
function refuseRoot(directory: string): void {
  if (process.geteuid?.() !== 0) return;
  const uid = statSync(directory, { throwIfNoEntry: false })?.uid ?? 0;
  if (uid === 0) return;
  throw new Problem(
    'store-refused',
    `${directory} is the user's of uid ${uid}, and root writes nothing there: run this as that user`,
    { delivery: 'not-sent' },
  );
}

const successorOf = (path: string): string => `${path}.new`;

/** Reuses the blocks of a file that is there already: that is why a reservation holds. */
function writeSynced(path: string, bytes: Uint8Array): void {
  try {
    const file = openRegular(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
    try {
      writeFileSync(file, bytes);
      ftruncateSync(file, bytes.length);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const problem = isProblem(error) ? error : fileProblem(path, error);
    // A refused write must not keep the room it got on a full disk. After an I/O error nothing more is tried.
    if (problem.code === 'store-refused') rmSync(path, { force: true });
    throw problem;
  }
}

/** After the rename every failure is fatal, because it is unknown which of the two files a restart will find. */
export function syncDirectory(path: string): void {
  // Windows has no directory handle to sync; NTFS journals the rename.
  if (process.platform === 'win32') return;
  try {
    const directory = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      fsyncSync(directory);
    } finally {
      closeSync(directory);
    }
  } catch (cause) {
    throw new Problem('store-failed', `${path}: the directory could not be synced`, { cause });
  }
}

/** These errors come before anything has changed. After any other error the state is unknown (D12). */
const refusals: ReadonlySet<string | undefined> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EACCES',
  'EPERM',
  'ELOOP',
  // A FIFO that no process reads, or a socket.
  'ENXIO',
  'EMFILE',
  'ENFILE',
]);

export function fileProblem(path: string, cause: unknown): Problem {
  const code = errnoOf(cause);
  return refusals.has(code)
    ? new Problem('store-refused', `${path}: cannot be written or read (${code})`, { cause })
    : new Problem('store-failed', `${path}: reading or writing failed (${code})`, { cause });
}

export interface StandingFile extends Disposable {
  readonly path: string;
  /**
   * Throws the system's error. A disk that becomes full takes a part of the bytes without an error; the next part then
   * fails.
   */
  write(bytes: Uint8Array, at: number): void;
  cutTo(length: number): void;
  /** Everything written before is on disk when it returns. */
  sync(): void;
  /** As `sync`, when it resolves; one call at a time. */
  syncBeside(): Promise<void>;
}

const dataSynced = promisify(fdatasync);

/**
 * A file that stays open as long as the books and is written in place. It is synced on the thread, or beside it when
 * other work must not wait for the disk. The file must exist.
 */
export function openStandingFile(path: string): StandingFile {
  const file = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW);
  let syncing: Promise<void> | undefined;
  let isClosed = false;
  function requireOpen(): void {
    // The descriptor may belong to another file by now.
    if (isClosed) throw new Error(`${path} is closed`);
  }
  return {
    path,
    write(bytes, at) {
      requireOpen();
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(file, bytes, done, bytes.length - done, at + done);
      }
    },
    cutTo: (length) => ftruncateSync(file, length),
    sync: () => fdatasyncSync(file),
    async syncBeside() {
      requireOpen();
      syncing = dataSynced(file);
      await syncing.finally(() => (syncing = undefined));
    },
    [Symbol.dispose]() {
      isClosed = true;
      const close = () => closeSync(file);
      // Closing during a sync could make the sync act on another file.
      if (syncing) void syncing.then(close, close);
      else close();
    },
  };
}
