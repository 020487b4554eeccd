/** The adapter for a printer, by the scheme of its address. */
import type { Printer } from '../domain/ports/printing.ts';
import type { IppPrinterOptions } from './ipp/ipp-printer.ts';
import { createIppPrinter } from './ipp/ipp-printer.ts';
import { loadPdfToPrinter } from './spooler/pdf-to-printer.ts';
import { socketScheme } from './raw/socket-address.ts';
import type { SocketPrinterOptions } from './raw/socket-printer.ts';
import { createSocketPrinter } from './raw/socket-printer.ts';
import { windowsScheme } from './spooler/windows-address.ts';
import type { WindowsPrinterOptions } from './spooler/windows-printer.ts';
import { createWindowsPrinter } from './spooler/windows-printer.ts';

/** What any of them may need. */
export type PrinterOptions = IppPrinterOptions & SocketPrinterOptions & Omit<WindowsPrinterOptions, 'load'>;

/** Throws `config-invalid` for an address that is none. */
export function createPrinter(options: PrinterOptions): Printer & AsyncDisposable {
  if (options.uri.startsWith(socketScheme)) return createSocketPrinter(options);
  if (options.uri.startsWith(windowsScheme)) {
    return createWindowsPrinter({ ...options, load: loadPdfToPrinter });
  }
  return createIppPrinter(options);
}
