/**
 * Other users of this machine who may read secrets or write what the agent trusts (INVARIANTS.md T19, T26): the
 * configuration, the files of its secrets, the state directory. The check shows modes and owners, and changes none.
 */
import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const others = { read: 0o004, write: 0o002, enter: 0o001 } as const;

export async function examinePermissions({
  file,
  stateDir,
}: {
  readonly file: string;
  readonly stateDir: string;
}): Promise<string> {
  // Windows has other access rights. A mode does not show them.
  if (process.platform === 'win32') return 'not checked on this system';
  const configFile = resolve(file);
  const { files, isInConfig } = secretPlaces(configFile);
  const secret = [...files, ...(isInConfig ? [configFile] : [])];
  const complaints = await Promise.all([
    ...secret.map(complaintAboutReading),
    ...[...files, configFile].map(complaintAboutWriting),
    complaintAboutState(stateDir),
    ...[...files, configFile].flatMap((path) => [
      complaintAboutService(path, stateDir),
      complaintAboutOwner(path, stateDir),
    ]),
  ]);
  const found = [...new Set(complaints.filter((one) => one !== undefined))];
  if (found.length > 0) throw new Error(found.join('; '));
  const own = files.length === 0 ? '' : `, ${files.join(', ')}`;
  return `${configFile}${own} and ${stateDir} can be read only by their owners`;
}

async function complaintAboutReading(path: string): Promise<string | undefined> {
  const { mode } = await stat(path);
  if ((mode & others.read) === 0 || !(await isReachable(path))) return undefined;
  return `${path} contains a secret, and every user can read it. Run chmod o= ${path}, and change the secret`;
}

async function complaintAboutWriting(path: string): Promise<string | undefined> {
  for (const one of [path, dirname(path)]) {
    const found = await stat(one);
    const isSticky = found.isDirectory() && (found.mode & 0o1000) !== 0;
    if ((found.mode & others.write) !== 0 && !isSticky && (await isReachable(one))) {
      return `${one} can be written by every user. Run: chmod o-w ${one}`;
    }
  }
  return undefined;
}

/** If no other user may enter a folder, everything below it is out of their reach. */
async function isReachable(path: string): Promise<boolean> {
  const folder = dirname(path);
  if (folder === path) return true;
  const { mode } = await stat(folder);
  return (mode & others.enter) !== 0 && isReachable(folder);
}

/** For example after root wrote the file anew: root reads it, but the service, which owns the state, does not. */
async function complaintAboutService(path: string, stateDir: string): Promise<string | undefined> {
  const [file, state] = await Promise.all([stat(path), stat(stateDir).catch(() => undefined)]);
  if (!state || state.uid === 0 || file.uid === state.uid || (file.mode & 0o044) !== 0) return undefined;
  return `${path} cannot be read by the owner of ${stateDir}. Run: chgrp --reference=${stateDir} ${path}; chmod g+r ${path}`;
}

/**
 * A configuration names files and programs. The service must not choose them for a user with more rights, who reads the
 * same file.
 */
async function complaintAboutOwner(path: string, stateDir: string): Promise<string | undefined> {
  const state = await stat(stateDir).catch(() => undefined);
  if (!state || state.uid === 0 || !path.startsWith('/etc/')) return undefined;
  for (const one of [path, dirname(path)]) {
    const { uid } = await stat(one);
    if (uid === state.uid)
      return `${one} can be written by the service. Run: chown root ${one}; chmod g=rX ${one}`;
  }
  return undefined;
}

async function complaintAboutState(stateDir: string): Promise<string | undefined> {
  const directory = await stat(stateDir).catch(() => undefined);
  // The line of the state directory tells this.
  if (!directory) return undefined;
  if ((directory.mode & 0o077) !== 0 && (await isReachable(stateDir))) {
    return `${stateDir} is open to other users. Run: chmod 700 ${stateDir}`;
  }
  const strange = (await filesIn(stateDir)).find(({ uid }) => uid !== directory.uid);
  if (!strange) return undefined;
  // Somebody probably ran the agent as root. The agent cannot write such files as its own user.
  return `${strange.path} belongs to another user than ${stateDir}. Run: chown -R --reference=${stateDir} ${stateDir}`;
}

async function filesIn(folder: string): Promise<readonly (Pick<Stats, 'uid'> & { path: string })[]> {
  const names = await readdir(folder).catch(() => []);
  // mke2fs(8) makes this folder for root in each file system.
  const ours = names.filter((name) => name !== 'lost+found');
  const found = await Promise.all(
    ours.map(async (name) => {
      const path = join(folder, name);
      const file = await stat(path).catch(() => undefined);
      return file ? [{ path, uid: file.uid }] : [];
    }),
  );
  return found.flat();
}

/** Where a configuration file has its secrets: in files of their own, or in the file itself. No value is kept. */
interface SecretPlaces {
  /** Absolute paths, without the configuration file itself. */
  readonly files: readonly string[];
  /** The configuration file has a secret in clear text. */
  readonly isInConfig: boolean;
}

/** For a file that was loaded without mistakes. */
export function secretPlaces(configFile: string): SecretPlaces {
  const sources = secretSources(parse(readFileSync(configFile, 'utf8')), '');
  const named = sources.flatMap((source) => (isNamed(source) ? [source.file] : []));
  return {
    files: [...new Set(named)].map((file) => resolve(dirname(configFile), file)),
    isInConfig: sources.some((source) => typeof source === 'string'),
  };
}

/** The values of all secret keys (config/schema/config.ts), at any depth. `login.password` is no such key. */
function secretSources(value: unknown, path: string): readonly unknown[] {
  if (/(?:apiKey|proxyUrl|sealingKey|credentials\.password|fleet\.engine\.url|fleet\.key)$/.test(path))
    return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inside]) => secretSources(inside, `${path}.${key}`));
}

const isNamed = (source: unknown): source is { file: string } =>
  typeof source === 'object' && source !== null && 'file' in source && typeof source.file === 'string';
