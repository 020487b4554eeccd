/**
 * The file that a person wants a command to write. It is made while the command is still whoever called, for the
 * service's user may not write everywhere; what comes into it is read and written as that user (service-user.ts).
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
import { CommandFailed } from './failure.ts';
import { serviceUser } from './service-user.ts';

export interface NewFile extends Disposable {
  readonly path: string;
  /** False: there is something already, and it stays as it is; but for an empty file of the caller's, which nobody misses. */
  readonly isNew: boolean;
  /** For good. Throws `CommandFailed`, and then there is no file, or an empty one where only root could take it away. */
  write(content: string | Uint8Array): void;
}

export interface Wanted {
  readonly mode: number;
  /** Takes the place of a file or a link that is there. */
  readonly force?: boolean | undefined;
}

/** Never through a link. Throws `CommandFailed` where there cannot be one. Disposed before it is written, it goes again. */
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
 * One of the service's user on the way there, links followed: whoever may write in it leads root where it wants. None where
 * it is not root who asks.
 */
export function serviceFolderOn(path: string): string | undefined {
  const user = serviceUser();
  if (!user) return undefined;
  const isTheirs = (folder: string): boolean =>
    lstatSync(folder, { throwIfNoEntry: false })?.uid === user.uid;
  return waysTo(dirname(path)).find(isTheirs);
}

/** Each folder and link that the system passes on its way to this one. */
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
    // The mode of `open` has passed the umask, which may hide the file from the agent.
    if (file !== undefined) fchmodSync(file, mode);
    return file;
  } catch (cause) {
    throw failure(path, cause);
  }
}

/** `undefined` where there is something already. */
function createHere(path: string, mode: number): number | undefined {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  try {
    return openSync(path, flags, mode);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
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

/** As a command leaves one that failed (below): it stands in the way of no second try. */
function isLeftEmpty(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && found.isFile() && found.size === 0 && found.uid === process.getuid?.();
}

function takeAway(path: string, file: number): void {
  ftruncateSync(file);
  const { dev, ino } = fstatSync(file);
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    // By its name alone it might be another's by now (T26).
    if (found?.dev === dev && found.ino === ino) rmSync(path);
  } catch {
    // It is root's, who made it and is gone: an empty one is left.
  }
}

const failure = (path: string, cause: unknown): CommandFailed =>
  new CommandFailed(
    `${path}: cannot be written (${(cause as NodeJS.ErrnoException).code ?? 'unknown error'})`,
    { cause },
  );
