/** A folder for one user alone: of mode 0700, made where it is missing, and where it says it is (INVARIANTS.md T26). */
import { lstatSync, mkdirSync } from 'node:fs';

/** Throws the system's error; ENOTDIR for a link as well, for what is put into it, or cleared from it, is elsewhere. */
export function ensurePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (lstatSync(path).isDirectory()) return;
  throw Object.assign(new Error(`${path} is a symbolic link`), { code: 'ENOTDIR' });
}
