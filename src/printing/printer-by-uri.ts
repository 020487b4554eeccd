/** Chooses the adapter for a printer by the scheme of its address. */
import type { Printer } from '../domain/ports/printing.ts';
import type { IppPrinterDeps } from './ipp/ipp-printer.ts';
import { createIppPrinter } from './ipp/ipp-printer.ts';
import { loadPdfToPrinter, windowsScheme } from './spooler/windows-spooler.ts';
import { socketScheme } from './raw/socket-connection.ts';
import type { SocketPrinterDeps } from './raw/socket-printer.ts';
import { createSocketPrinter } from './raw/socket-printer.ts';
import type { WindowsPrinterDeps } from './spooler/windows-printer.ts';
import { createWindowsPrinter } from './spooler/windows-printer.ts';

export type PrinterDeps = IppPrinterDeps & SocketPrinterDeps & Omit<WindowsPrinterDeps, 'load'>;

/** Throws `config-invalid` for an invalid address. */
export function createPrinter(deps: PrinterDeps): Printer & AsyncDisposable {
  if (deps.uri.startsWith(socketScheme)) return createSocketPrinter(deps);
  if (deps.uri.startsWith(windowsScheme)) {
    return createWindowsPrinter({ ...deps, load: loadPdfToPrinter });
  }
  return createIppPrinter(deps);
}
