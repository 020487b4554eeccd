/** Whose a file is, in words, and what to say to whoever may not open it. */
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Of the unit, which the package makes. */
export const serviceUserName = 'platen';

/** By passwd(5) or group(5): the name of a number, or the number where the machine has none. */
export function nameIn(table: '/etc/passwd' | '/etc/group', id: number): string {
  const lines = textOf(table)
    .split('\n')
    .map((line) => line.split(':'));
  return lines.find(([, , known]) => known === String(id))?.[0] ?? String(id);
}

/** `/etc/platen/platen.yaml belongs to root:root, mode 0600`; of the folder that hides it, where one does. */
export function ownersInWords(path: string): string {
  try {
    const { uid, gid, mode } = statSync(path);
    const bits = (mode & 0o7777).toString(8).padStart(4, '0');
    return `${path} belongs to ${nameIn('/etc/passwd', uid)}:${nameIn('/etc/group', gid)}, mode ${bits}`;
  } catch {
    return dirname(path) === path ? `${path} cannot be looked at` : ownersInWords(dirname(path));
  }
}

/** Of EACCES on a file of the installation. Root has become the service's user by then, whom no sudo helps. */
export function permissionDenied(path: string): string {
  const user = nameIn('/etc/passwd', process.getuid?.() ?? -1);
  if (user !== serviceUserName) return 'Permission denied. Run it with sudo.';
  return (
    `Permission denied for the user ${user}: ${ownersInWords(path)}. ` +
    `Run as root: chgrp ${user} ${path}; chmod g+r ${path}`
  );
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
