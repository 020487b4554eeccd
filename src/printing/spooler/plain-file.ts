/**
 * A document unencrypted on the disk, for a spooler that takes only a path. The file is readable by its owner only and
 * exists only while it is used. This is weaker than the spool (INVARIANTS.md I4, D7): a program that reads the disk at
 * that time can read the document.
 */
import { constants } from 'node:fs';
import { open, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Chance } from '../../core/chance.ts';
import { ensurePrivateFolder } from '../../core/private-folder.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { SpooledDocument } from '../../domain/ports/printing.ts';
import { Problem } from '../../domain/problem/problem.ts';

/** For one agent, in its state directory. */
export const plainFolderIn = (stateDir: string): string => join(stateDir, 'plain');

export interface PlainFile {
  readonly path: string;
  /** May be called again if another program still held the file. */
  remove(): Promise<void>;
}

/** Removes files that a crash left there. Rejects with `state-unusable`. */
export async function emptyPlainFolder(folder: string): Promise<void> {
  try {
    ensurePrivateFolder(folder);
    for (const name of await readdir(folder)) await unlink(join(folder, name));
  } catch (cause) {
    throw new Problem('state-unusable', `the folder ${folder} cannot be emptied`, { cause });
  }
}

/** Rejects with `spool-failed` or the document's own problem; then nothing of the file is left. */
export async function plainFileOf(
  document: SpooledDocument,
  { folder, chance }: { readonly folder: string; readonly chance: Chance },
  { signal }: CallOptions,
): Promise<PlainFile> {
  const path = join(folder, `${chance.uuid()}.pdf`);
  const file: PlainFile = {
    path,
    async remove() {
      try {
        await unlink(path);
      } catch {
        // Windows keeps a file that another program has open; the next start removes it at the latest.
      }
    },
  };
  try {
    ensurePrivateFolder(folder);
    const handle = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    await pipeline(document.read(), handle.createWriteStream(), { signal });
  } catch (cause) {
    await file.remove();
    signal.throwIfAborted();
    if (cause instanceof Problem) throw cause;
    throw new Problem('spool-failed', 'the document could not be laid out for the spooler', { cause });
  }
  return file;
}
