/**
 * The package pdf-to-printer, as far as Platen uses it: it hands a PDF to the spooler of Windows. An optional peer
 * dependency, loaded at its first use and only on Windows; where it is not, that is said by `config/printer-support.ts`
 * before anything starts.
 */
import { Problem } from '../../domain/problem/problem.ts';

/** The options of its README. */
export interface PdfToPrinterOptions {
  readonly printer: string;
  readonly copies?: number;
  readonly side?: 'simplex' | 'duplexlong' | 'duplexshort';
  readonly monochrome?: boolean;
  readonly silent: true;
}

export interface PdfToPrinter {
  /** Resolves when the program that prints has ended well. There is no way to stop it. */
  print(path: string, options: PdfToPrinterOptions): Promise<unknown>;
  getPrinters(): Promise<readonly { readonly name: string }[]>;
}

const packageName = 'pdf-to-printer';

/** Rejects `printer-unsupported` where the package is not. */
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
