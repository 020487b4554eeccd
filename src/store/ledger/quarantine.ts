/**
 * Keeps damaged books in `quarantine/<time>/` in the state directory. Files are moved there, never deleted
 * (INVARIANTS.md T31). While such a folder is there, every older document asks before it prints; an administrator ends
 * that by moving the folder elsewhere.
 */
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ensurePrivateFolder } from '../../core/private-folder.ts';
import { z } from 'zod';
import { jsonText } from '../columns.ts';
import { databaseName } from '../database.ts';
import { fileProblem, readIfPresent, syncDirectory, writeDurably } from '../files/durable-file.ts';
import { anchorName } from './head-anchor.ts';
import { rowKeysName } from '../sealed/row-keys.ts';

const folderName = 'quarantine';
/** Written last: if it is there, the move is complete. */
const reasonName = 'reason.txt';
const salvagedName = 'salvaged.json';
const books = [databaseName, `${databaseName}-wal`, `${databaseName}-shm`, anchorName, rowKeysName];

export interface QuarantineFolder {
  readonly path: string;
  /** The time at which the folder was made. */
  readonly name: string;
  /** The fault, in words. */
  readonly reason: string;
  /** `undefined` if nothing was salvaged yet. */
  readonly salvaged: Salvaged | undefined;
}

/** How much of the damaged books is in the books that took their place. */
export interface Salvaged {
  readonly releases: number;
  readonly records: number;
  readonly documents: number;
  /** The last attempt from before the quarantine. */
  readonly lastAttempt: number;
}

/**
 * `at` is ISO 8601 and becomes the folder's name. If the process is killed in between, the next start completes the
 * move.
 */
export function setAside(directory: string, { reason, at }: { reason: string; at: string }): void {
  const parent = join(directory, folderName);
  let folder = join(parent, at.replaceAll(':', '-'));
  while (existsSync(folder)) folder += '-again';
  asFileProblem(folder, () => {
    ensurePrivateFolder(parent);
    ensurePrivateFolder(folder);
  });
  syncDirectory(parent);
  syncDirectory(directory);
  moveBooks(directory, folder, reason);
}

/** In a folder without its reason a crash cut the move short: files that are still outside belong into it. */
export function completeMoves(directory: string): void {
  for (const path of foldersOf(directory)) {
    if (!existsSync(join(path, reasonName)))
      moveBooks(directory, path, 'the agent ended while it set the ledger aside');
  }
}

/** The oldest first. */
export const quarantineFolders = (directory: string): QuarantineFolder[] =>
  foldersOf(directory).map((path) => ({
    path,
    name: basename(path),
    reason: (readIfPresent(join(path, reasonName))?.toString() ?? '').trim(),
    salvaged: salvagedText.safeParse(readIfPresent(join(path, salvagedName))?.toString()).data,
  }));

export const noteSalvaged = (folder: QuarantineFolder, salvaged: Salvaged): void =>
  writeDurably(join(folder.path, salvagedName), Buffer.from(`${JSON.stringify(salvaged)}\n`));

const salvagedText: z.ZodType<Salvaged> = jsonText.pipe(
  z.object({ releases: z.int(), records: z.int(), documents: z.int(), lastAttempt: z.int() }),
);

/** Other folders there are not ours and are ignored. */
const ownName = /^\d{4,}-\d\d-\d\dT/;

function foldersOf(directory: string): string[] {
  const parent = join(directory, folderName);
  if (!existsSync(parent)) return [];
  const folders = readdirSync(parent, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && ownName.test(entry.name),
  );
  return folders.map(({ name }) => join(parent, name)).sort();
}

function moveBooks(directory: string, folder: string, reason: string): void {
  asFileProblem(folder, () => {
    for (const name of books) {
      if (existsSync(join(directory, name))) renameSync(join(directory, name), join(folder, name));
    }
  });
  syncDirectory(folder);
  syncDirectory(directory);
  writeDurably(join(folder, reasonName), Buffer.from(`${reason}\n`));
}

function asFileProblem(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw fileProblem(path, error);
  }
}
