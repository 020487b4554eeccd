/**
 * The files of `platen init`: the configuration and the API key. If root writes for the service, they belong to root,
 * and only the service's user may read them besides (INVARIANTS.md T19, T26). A file is never half written. A symbolic
 * link is never followed. A file that the service's user could have written is not read.
 */
import { constants } from 'node:fs';
import { lstat, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errnoSaid } from '../../core/errno.ts';
import type { Chance } from '../../core/chance.ts';
import { CommandFailed } from '../failure.ts';
import type { ServiceUser } from '../service-user.ts';

/** Absent: the files belong to the user of this process, and no other user may read them. */
export interface Reader {
  readonly reader: ServiceUser | undefined;
}

const ownerOnly = 0o600;
const readerToo = 0o640;

/** `undefined` if there is no file. Rejects `CommandFailed`. */
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
    const code = errnoSaid(cause);
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP')
      throw new CommandFailed(`${path} is a symbolic link; name the file itself`, { cause });
    throw new CommandFailed(`${path}: cannot be read (${code})`, { cause });
  }
}

const strangers = (path: string): string =>
  `${path}: users other than root can write there, so root does not read it. Look into it, then run: chown root:platen ${path} && chmod go-w ${path}`;

/**
 * Whether only root can change the entries of this folder. A user who can write in a folder above, unless it has the
 * sticky bit, decides where a path leads. A missing folder will be made in its parent, so the parent counts.
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
  /** If every user may read it. */
  readonly mode?: 0o644;
}

/**
 * Writes a new file beside the old one and then replaces the old one. A missing folder is made. Rejects
 * `CommandFailed`.
 */
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
    throw new CommandFailed(`${path}: cannot be written (${errnoSaid(cause)})`, { cause });
  }
}

/** Whether the agent can read it but not write it, and only root can write it. */
export async function isForAgent(path: string, { reader }: Reader): Promise<boolean> {
  const { mode, uid, gid } = await lstat(path);
  if (!reader) return (mode & 0o007) === 0;
  return uid === 0 && gid === reader.gid && (mode & 0o777) === readerToo;
}

/** As StateDirectory= of the unit would make it. In a folder of the service the agent makes it itself. */
export async function makeStateFolder(folder: string, { reader }: Reader): Promise<void> {
  if (reader && (await isRoots(dirname(folder)))) await makeFolder(folder, reader, 0o700);
}

/** An existing folder is not changed. */
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
