/**
 * A new file that a command writes for a person. It is created while the command still runs as the caller, because the
 * service's user may not write everywhere. Its content is read and written as the service's user (service-user.ts).
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { errnoOf, errnoSaid } from '../core/errno.ts';
import { CommandFailed } from './failure.ts';
import { serviceUser } from './service-user.ts';

export interface NewFile extends Disposable {
  readonly path: string;
  /**
   * False: there is a file already, and it stays unchanged. An empty file of the caller is replaced, because nobody
   * misses it.
   */
  readonly isNew: boolean;
  /** Keeps the file. Throws `CommandFailed`; then there is no file, or an empty one that only root could remove. */
  write(content: string | Uint8Array): void;
}

export interface Wanted {
  readonly mode: number;
  /** Replaces an existing file or link. */
  readonly force?: boolean | undefined;
}

/**
 * Never writes through a link. Throws `CommandFailed` if the file cannot be created. If it is disposed without a write,
 * the file is removed.
 */
export function createNewFile(path: string, wanted: Wanted): NewFile {
  const folder = serviceFolderOn(resolve(path));
  if (folder !== undefined) {
    throw new CommandFailed(
      `${path}: is in a folder of Platen (${folder}), where root writes no files. Choose another folder`,
    );
  }
  const file = create(path, wanted);
  let isWritten = false;
  return {
    path,
    isNew: file !== undefined,
    write(content) {
      if (file === undefined) throw new CommandFailed(`${path}: exists already`);
      try {
        writeFileSync(file, content);
        fsyncSync(file);
        isWritten = true;
      } catch (cause) {
        throw failure(path, cause);
      }
    },
    [Symbol.dispose]() {
      if (file === undefined) return;
      if (!isWritten) takeAway(path, file);
      closeSync(file);
    },
  };
}

/**
 * A folder of the service's user on the way to this path, also behind links: a user who can write in such a folder
 * could lead root to any place. `undefined` if the caller is not root.
 */
export function serviceFolderOn(path: string): string | undefined {
  const user = serviceUser();
  if (!user) return undefined;
  const isTheirs = (folder: string): boolean =>
    lstatSync(folder, { throwIfNoEntry: false })?.uid === user.uid;
  return waysTo(dirname(path)).find(isTheirs);
}

/** Each folder and link on the way to this folder, as the system resolves it. */
function waysTo(folder: string, most = 40): readonly string[] {
  const parts = folder.split(sep).filter(Boolean);
  const passed = ['/'];
  for (const [at, part] of parts.entries()) {
    const next = join(passed.at(-1) ?? '/', part);
    passed.push(next);
    if (!lstatSync(next, { throwIfNoEntry: false })?.isSymbolicLink()) continue;
    const target = resolve(dirname(next), readlinkSync(next), ...parts.slice(at + 1));
    return most === 0 ? passed : [...passed, ...waysTo(target, most - 1)];
  }
  return passed;
}

function create(path: string, { mode, force }: Wanted): number | undefined {
  try {
    if (force && isReplaceable(path)) rmSync(path);
    const file = createHere(path, mode) ?? (isLeftEmpty(path) ? createAnew(path, mode) : undefined);
    // The umask has changed the mode of `open`, and the agent might not be able to read the file.
    if (file !== undefined) fchmodSync(file, mode);
    return file;
  } catch (cause) {
    throw failure(path, cause);
  }
}

/** `undefined` if there is a file already. */
function createHere(path: string, mode: number): number | undefined {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  try {
    return openSync(path, flags, mode);
  } catch (cause) {
    if (errnoOf(cause) === 'EEXIST') return undefined;
    throw cause;
  }
}

function createAnew(path: string, mode: number): number | undefined {
  rmSync(path);
  return createHere(path, mode);
}

function isReplaceable(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && (found.isFile() || found.isSymbolicLink());
}

/** A failed command may leave an empty file (see below). It must not prevent a second try. */
function isLeftEmpty(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && found.isFile() && found.size === 0 && found.uid === process.getuid?.();
}

function takeAway(path: string, file: number): void {
  ftruncateSync(file);
  const { dev, ino } = fstatSync(file);
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    // Another program may have replaced the file of this name (T26).
    if (found?.dev === dev && found.ino === ino) rmSync(path);
  } catch {
    // Root created the file, but the process is no longer root. So an empty file stays.
  }
}

const failure = (path: string, cause: unknown): CommandFailed =>
  new CommandFailed(`${path}: cannot be written (${errnoSaid(cause)})`, { cause });
