/** Whose a file is, in words, and what to say to whoever may not open it. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Of the unit, which the package makes. */
export const serviceUserName = 'platen';

/** By passwd(5) or group(5): the name of a number, or the number where the machine has none. */
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

/** `/etc/platen/platen.yaml belongs to root:root, mode 0600`; of the folder that hides it, where one does. */
export function ownersInWords(path: string): string {
  const seen = nearestSeen(path);
  const { uid, gid, mode } = statSync(seen);
  const bits = (mode & 0o7777).toString(8).padStart(4, '0');
  return `${seen} belongs to ${nameIn('/etc/passwd', uid)}:${nameIn('/etc/group', gid)}, mode ${bits}`;
}

/** It, or the nearest folder above it that can be looked at: that one lets nobody in. */
function nearestSeen(path: string): string {
  if (dirname(path) === path) return path;
  try {
    statSync(path);
    return path;
  } catch {
    return nearestSeen(dirname(path));
  }
}

/** Of EACCES on a file of the installation. Root has become the service's user by then, whom no sudo helps. */
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
