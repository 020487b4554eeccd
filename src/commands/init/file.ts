/**
 * The files that `platen init` writes: the configuration and the API key. Where root writes for the service they are
 * root's, and the service's user may read them; nobody else may (INVARIANTS.md T19, T26). Each is whole at any moment;
 * a symbolic link is never followed, and what the service's user could have written is not read.
 */
import { constants } from 'node:fs';
import { lstat, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Chance } from '../../core/chance.ts';
import { CommandFailed } from '../failure.ts';
import type { ServiceUser } from '../service-user.ts';

/** Absent: files are whose process it is, and nobody else's. */
export interface Reader {
  readonly reader: ServiceUser | undefined;
}

const ownerOnly = 0o600;
const readerToo = 0o640;

/** `undefined` where there is none. Rejects `CommandFailed`. */
export async function textOf(path: string, { reader }: Reader): Promise<string | undefined> {
  try {
    if (reader && !(await isRoots(dirname(path)))) throw new CommandFailed(strangers(path));
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (reader && (await file.stat()).uid !== 0) throw new CommandFailed(strangers(path));
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof CommandFailed) throw cause;
    const code = codeOf(cause);
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP')
      throw new CommandFailed(`${path} is a symbolic link; name the file itself`, { cause });
    throw new CommandFailed(`${path}: cannot be read (${code})`, { cause });
  }
}

const strangers = (path: string): string =>
  `${path}: users other than root can write there, so root does not read it. Look into it, then run: chown root:platen ${path} && chmod go-w ${path}`;

/**
 * Whether root alone chooses what is in this folder: whoever may write in one above it chooses where a path leads, but in
 * one with the sticky bit. One that is not there yet will be made in one that is.
 */
async function isRoots(folder: string): Promise<boolean> {
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined) return isRoots(dirname(folder));
  const { uid, mode } = await stat(real);
  if (uid !== 0 || ((mode & 0o022) !== 0 && (mode & 0o1000) === 0)) return false;
  return real === dirname(real) || isRoots(dirname(real));
}

export interface Writing extends Reader {
  readonly chance: Chance;
  /** Where everybody may read it. */
  readonly mode?: 0o644;
}

/** Writes beside it, and puts that in its place. Its folder is made where there is none. Rejects `CommandFailed`. */
export async function replaceFile(
  path: string,
  text: string,
  { reader, chance, mode }: Writing,
): Promise<void> {
  const folder = dirname(path);
  const successor = join(folder, `.platen-${chance.uuid()}`);
  try {
    await makeFolder(folder, reader && { uid: 0, gid: reader.gid }, mode === undefined ? 0o750 : 0o755);
    const file = await open(successor, 'wx', ownerOnly);
    try {
      await file.writeFile(text);
      if (reader) {
        await file.chown(0, reader.gid);
        await file.chmod(readerToo);
      }
      if (mode !== undefined) await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(successor, path);
    await syncFolder(folder);
  } catch (cause) {
    await rm(successor, { force: true });
    throw new CommandFailed(`${path}: cannot be written (${codeOf(cause)})`, { cause });
  }
}

/** Whether the agent may read it and not write it, and nobody else but root may either. */
export async function isForAgent(path: string, { reader }: Reader): Promise<boolean> {
  const { mode, uid, gid } = await lstat(path);
  if (!reader) return (mode & 0o007) === 0;
  return uid === 0 && gid === reader.gid && (mode & 0o777) === readerToo;
}

/** As StateDirectory= of the unit would. In a folder of the service's the agent makes it itself. */
export async function makeStateFolder(folder: string, { reader }: Reader): Promise<void> {
  if (reader && (await isRoots(dirname(folder)))) await makeFolder(folder, reader, 0o700);
}

/** One that is there stays as it is. */
async function makeFolder(folder: string, owner: ServiceUser | undefined, mode = 0o750): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode });
  if (made === undefined || !owner) return;
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    await handle.chown(owner.uid, owner.gid);
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown error';
