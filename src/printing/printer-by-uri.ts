/** The adapter for a printer, by the scheme of its address. */
import type { Printer } from '../domain/ports/printing.ts';
import type { IppPrinterOptions } from './ipp-printer.ts';
import { createIppPrinter } from './ipp-printer.ts';
import { socketScheme } from './socket-address.ts';
import type { SocketPrinterOptions } from './socket-printer.ts';
import { createSocketPrinter } from './socket-printer.ts';

/** What any of them may need. */
export type PrinterOptions = IppPrinterOptions & SocketPrinterOptions;

/** Throws `config-invalid` for an address that is none. */
export const createPrinter = (options: PrinterOptions): Printer & AsyncDisposable =>
  options.uri.startsWith(socketScheme) ? createSocketPrinter(options) : createIppPrinter(options);
