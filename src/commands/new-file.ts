/**
 * The file that a person wants a command to write. It is made while the command is still whoever called, for the
 * service's user may not write everywhere; what comes into it is read and written as that user (service-user.ts).
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { CommandFailed } from './failure.ts';

export interface NewFile extends Disposable {
  readonly path: string;
  /** False: there is something already, and it stays as it is. */
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
  const file = create(path, wanted);
  let isWritten = false;
  return {
    path,
    isNew: file !== undefined,
    write(content) {
      if (file === undefined) throw new CommandFailed(`${path}: is there already`);
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

function create(path: string, { mode, force }: Wanted): number | undefined {
  try {
    if (force && isReplaceable(path)) rmSync(path);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const file = openSync(path, flags, mode);
    // The mode of `open` has passed the umask, which may hide the file from the agent.
    fchmodSync(file, mode);
    return file;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw failure(path, cause);
  }
}

function isReplaceable(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && (found.isFile() || found.isSymbolicLink());
}

function takeAway(path: string, file: number): void {
  ftruncateSync(file);
  try {
    rmSync(path, { force: true });
  } catch {
    // It is root's, who made it and is gone: an empty one is left.
  }
}

const failure = (path: string, cause: unknown): CommandFailed =>
  new CommandFailed(
    `${path}: cannot be written (${(cause as NodeJS.ErrnoException).code ?? 'unknown error'})`,
    { cause },
  );
