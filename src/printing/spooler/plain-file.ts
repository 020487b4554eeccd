/**
 * A document in the clear on the disk, for a spooler that takes nothing but a path: of its owner alone, and there only
 * as long as it is used. Weaker than the spool (INVARIANTS.md I4, D7): who reads the disk meanwhile reads the document.
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

/** Of one agent, in its state directory. */
export const plainFolderIn = (stateDir: string): string => join(stateDir, 'plain');

export interface PlainFile {
  readonly path: string;
  /** May be called again where somebody still held the file. */
  remove(): Promise<void>;
}

/** What a crash left there is removed. Rejects `state-unusable`. */
export async function emptyPlainFolder(folder: string): Promise<void> {
  try {
    ensurePrivateFolder(folder);
    for (const name of await readdir(folder)) await unlink(join(folder, name));
  } catch (cause) {
    throw new Problem('state-unusable', `the folder ${folder} cannot be emptied`, { cause });
  }
}

/** Rejects `spool-failed`, or the document's own problem; then nothing is left of it. */
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
        // Windows keeps a file that somebody has open; it goes with the next start at the latest.
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
