/**
 * The spooler of Windows: the part of the package pdf-to-printer that Platen uses to hand it a PDF, and the names of
 * its printers. The package is an optional peer dependency, loaded at its first use and only on Windows. If it is
 * missing, `config/printers.ts` reports that before anything starts.
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

/** The options of the package's README. */
export interface PdfToPrinterOptions {
  readonly printer: string;
  readonly copies?: number;
  readonly side?: 'simplex' | 'duplexlong' | 'duplexshort';
  readonly monochrome?: boolean;
  readonly silent: true;
}

export interface PdfToPrinter {
  /** Resolves when the printing program has succeeded. It cannot be stopped. */
  print(path: string, options: PdfToPrinterOptions): Promise<unknown>;
  getPrinters(): Promise<readonly { readonly name: string }[]>;
}

const packageName = 'pdf-to-printer';

/** Rejects with `printer-unsupported` if the package is missing. */
export async function loadPdfToPrinter(): Promise<PdfToPrinter> {
  let loaded: unknown;
  try {
    loaded = await import(packageName);
  } catch (cause) {
    throw unusable(cause);
  }
  const { default: inner } = loaded as { readonly default?: unknown };
  const found = [loaded, inner].find(isPdfToPrinter);
  if (!found) throw unusable(new Error('it has no print and getPrinters'));
  return found;
}

const isPdfToPrinter = (module: unknown): module is PdfToPrinter =>
  typeof module === 'object' &&
  module !== null &&
  'print' in module &&
  typeof module.print === 'function' &&
  'getPrinters' in module &&
  typeof module.getPrinters === 'function';

const unusable = (cause: unknown) =>
  new Problem(
    'printer-unsupported',
    'the package pdf-to-printer cannot be used: npm install pdf-to-printer',
    {
      cause,
      delivery: 'not-sent',
    },
  );

/**
 * A printer of Windows by its name, such as `windows:Office printer` or `windows:\\server\Office`. The name goes to a
 * program as one argument, never through a shell (INVARIANTS.md T18).
 */
export const windowsScheme = 'windows:';

const form = /^windows:(?<name>[^\p{Cc}"]{1,220})$/u;

/** Throws `config-invalid` if the text names no printer. */
export function windowsPrinterName(uri: string): string {
  const name = form.exec(uri)?.groups?.['name']?.trim();
  if (name === undefined || name === '') {
    throw new Problem('config-invalid', 'the printer needs a name, for example windows:Office printer');
  }
  return name;
}

/**
 * A document unencrypted on the disk, for a spooler that takes only a path. The file is readable by its owner only
 * and exists only while it is used. This is weaker than the spool (INVARIANTS.md I4, D7): a program that reads the
 * disk at that time can read the document. For one agent, in its state directory.
 */
export const plainFolderIn = (stateDir: string): string => join(stateDir, 'plain');

interface PlainFile {
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
