/**
 * Where damaged books are kept: `quarantine/<time>/` in the state directory. Files are moved there, never deleted
 * (INVARIANTS.md T31), and while such a folder is there every older document asks before it prints; whoever moves it
 * elsewhere ends that.
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
/** Written last: with it the move is complete. */
const reasonName = 'reason.txt';
const salvagedName = 'salvaged.json';
const books = [databaseName, `${databaseName}-wal`, `${databaseName}-shm`, anchorName, rowKeysName];

export interface QuarantineFolder {
  readonly path: string;
  /** Its name: the time it was made at. */
  readonly name: string;
  /** What was wrong, in words. */
  readonly reason: string;
  /** `undefined`: nothing was salvaged yet. */
  readonly salvaged: Salvaged | undefined;
}

/** What of the damaged books stands in the ones that took their place. */
export interface Salvaged {
  readonly releases: number;
  readonly records: number;
  readonly documents: number;
  /** The last attempt that is no later than the quarantine. */
  readonly lastAttempt: number;
}

/** `at`: ISO 8601, becomes the folder's name. Killed in between, the next start completes it. */
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

/** A folder without its reason is a move that a crash cut short: what is still outside belongs into it. */
export function completeMoves(directory: string): void {
  for (const path of foldersOf(directory)) {
    if (!existsSync(join(path, reasonName)))
      moveBooks(directory, path, 'the agent ended while it set the ledger aside');
  }
}

/** Oldest first. */
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

/** What somebody else put there is no concern of ours. */
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
