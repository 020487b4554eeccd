/**
 * The files that `platen init` writes: the configuration and the API key, readable for the user the agent runs as and
 * nobody else. Each is whole at any moment, and a symbolic link is never followed: the folder may belong to that user
 * while root writes there (reliability.md T26).
 */
import { constants } from 'node:fs';
import { lchown, lstat, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Chance } from '../../core/chance.ts';
import { CommandFailed } from '../failure.ts';

/** As Node's calls take it. */
export interface FileOwner {
  readonly uid: number;
  readonly gid: number;
}

const ownerOnly = 0o600;

/** The user `platen`, where root asks and there is one (passwd(5)); `undefined`: files are whose process it is. */
export async function serviceUser(passwd = '/etc/passwd'): Promise<FileOwner | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const lines = (await readFile(passwd, 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'));
  const [, , uid, gid] = lines.find(([name]) => name === 'platen') ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

/** `undefined` where there is none. Rejects `CommandFailed`. */
export async function textOf(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP')
      throw new CommandFailed(`${path} is a symbolic link; name the file itself`, { cause });
    throw new CommandFailed(`${path}: cannot be read (${code})`, { cause });
  }
}

export interface Writing {
  readonly owner: FileOwner | undefined;
  readonly chance: Chance;
}

/** Writes beside it, and puts that in its place. Its folder is made where there is none. Rejects `CommandFailed`. */
export async function replaceFile(path: string, text: string, { owner, chance }: Writing): Promise<void> {
  const folder = dirname(path);
  const successor = join(folder, `.platen-${chance.uuid()}`);
  try {
    await makeFolder(folder, owner);
    const file = await open(successor, 'wx', ownerOnly);
    try {
      await file.writeFile(text);
      if (owner) await file.chown(owner.uid, owner.gid);
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

/** Whether the agent may read it, and nobody but its user, its group and root. */
export async function isForAgent(path: string, owner: FileOwner | undefined): Promise<boolean> {
  const { mode, uid, gid } = await lstat(path);
  if ((mode & 0o007) !== 0) return false;
  return owner === undefined || uid === owner.uid || (gid === owner.gid && (mode & 0o040) !== 0);
}

/** One that is there stays as it is. */
export async function makeFolder(folder: string, owner: FileOwner | undefined, mode = 0o750): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode });
  if (made !== undefined && owner) await lchown(folder, owner.uid, owner.gid);
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
