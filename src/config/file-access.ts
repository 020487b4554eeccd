/** Opens a file of the configuration, describes its owner, and tells how to get access to it. */
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The user of the systemd unit. The package creates this user. */
export const serviceUserName = 'platen';

/** The name for a number in passwd(5) or group(5), or the number itself if the machine has no name for it. */
export const nameIn = (table: Table, id: number): string =>
  rowsOf(table).find(([, , known]) => known === String(id))?.[0] ?? String(id);

export function idIn(table: Table, name: string): number | undefined {
  const id = rowsOf(table).find(([known]) => known === name)?.[2];
  return id === undefined ? undefined : Number(id);
}

type Table = '/etc/passwd' | '/etc/group';

const rowsOf = (table: Table): readonly (readonly string[])[] =>
  textOf(table)
    .split('\n')
    .map((line) => line.split(':'));

/**
 * For example `/etc/platen/platen.yaml belongs to root:root, mode 0600`. If a folder hides the file, the text is about
 * the folder.
 */
export function ownersInWords(path: string): string {
  const seen = nearestSeen(path);
  const { uid, gid, mode } = statSync(seen);
  const bits = (mode & 0o7777).toString(8).padStart(4, '0');
  return `${seen} belongs to ${nameIn('/etc/passwd', uid)}:${nameIn('/etc/group', gid)}, mode ${bits}`;
}

/** The path itself, or the nearest folder above it that can be inspected. That folder denies access. */
function nearestSeen(path: string): string {
  if (dirname(path) === path) return path;
  try {
    statSync(path);
    return path;
  } catch {
    return nearestSeen(dirname(path));
  }
}

/**
 * The message for EACCES on a file of the installation. Under root, Platen has already switched to the service's user,
 * so sudo would not help.
 */
export function permissionDenied(path: string): string {
  const user = nameIn('/etc/passwd', process.getuid?.() ?? -1);
  if (user !== serviceUserName) return 'Permission denied. Run it with sudo.';
  const seen = nearestSeen(resolve(path));
  return (
    `Permission denied for the user ${user}: ${ownersInWords(seen)}. ` +
    `Run as root: chgrp ${user} ${seen}; chmod g+rX ${seen}`
  );
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Opens a file of the configuration. A running agent reads its files again, so it must not block on a path that is
 * not a file, for example a FIFO without a writer. Gives a descriptor that the caller closes. Throws an error with a
 * `code`, as openSync does.
 */
export function openFile(path: string): number {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const found = fstatSync(descriptor);
  // A folder passes here, because the first read reports it.
  if (found.isFile() || found.isDirectory()) return descriptor;
  closeSync(descriptor);
  throw Object.assign(new Error(`${path} is not a file`), { code: 'not a file' });
}
