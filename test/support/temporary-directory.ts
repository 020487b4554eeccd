/** A directory of a test's own, gone when the test is over. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryDirectory extends Disposable {
  readonly path: string;
}

export function temporaryDirectory(): TemporaryDirectory {
  const path = mkdtempSync(join(tmpdir(), 'platen-test-'));
  return { path, [Symbol.dispose]: () => removeDirectory(path) };
}

/** Tried again if a file appears in it meanwhile: another thread may still make the spool file of a document given up. */
export const removeDirectory = (path: string) =>
  rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });

/** Every file below, with its mode and bytes. */
export const filesBelow = (path: string): { name: string; mode: number; bytes: Buffer }[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ name, file: join(path, name) }))
    .filter(({ file }) => statSync(file).isFile())
    .map(({ name, file }) => ({ name, mode: statSync(file).mode & 0o777, bytes: readFileSync(file) }));
