/** Makes sure of a folder of mode 0700 for one user alone, at exactly this path (INVARIANTS.md T26). */
import { lstatSync, mkdirSync } from 'node:fs';

/**
 * Throws the system's error. It throws ENOTDIR for a symbolic link too, because files would be written or deleted in
 * another place.
 */
export function ensurePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (lstatSync(path).isDirectory()) return;
  throw Object.assign(new Error(`${path} is a symbolic link`), { code: 'ENOTDIR' });
}
