/**
 * The spooler of Windows: the part of the package pdf-to-printer that Platen uses to hand it a PDF, and the names of
 * its printers. The package is an optional peer dependency, loaded at its first use and only on Windows. If it is
 * missing, `config/printers/doubtful-printers.ts` reports that before anything starts.
 */
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
