/** Raw printing on a printer of the test's choice, until the test ends. */
import { onTestFinished } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { seconds } from '../../../src/core/duration.ts';
import type { BytePrinter, SendOptions } from '../../../src/domain/ports/printing.ts';
import type { JobReport, Ticket } from '../../../src/domain/release.ts';
import type { SocketPrinterDeps } from '../../../src/printing/raw/socket-printer.ts';
import { createSocketPrinter } from '../../../src/printing/raw/socket-printer.ts';
import type {
  SocketPrinterOptions as PeerOptions,
  VirtualSocketPrinter,
} from '../../../src/simulator/printer/raw/socket-printer.ts';
import { startVirtualSocketPrinter } from '../../../src/simulator/printer/raw/socket-printer.ts';
import { sampleTicket } from '../sample-ticket.ts';
import type { VirtualTime } from '../virtual-time.ts';
import { createVirtualTime } from '../virtual-time.ts';
import { spooled } from './samples.ts';
import { withoutLimit } from '../patience.ts';

/** The printer may be in another process. */
export function openRawPrinter(uri: string, options: Partial<SocketPrinterDeps> = {}): BytePrinter {
  const stall = options.stall ?? seconds(10);
  const printer = createSocketPrinter({
    uri,
    outputType: 'auto',
    pjl: 'auto',
    clock: systemClock,
    stall,
    jobStall: stall,
    ...options,
  });
  onTestFinished(() => printer[Symbol.asyncDispose]());
  return printer;
}

/** The printer is in this process: while it is sent to, time leaps whenever nothing is on its way. */
export function openRawPrinterHere(
  uri: string,
  options: Partial<Omit<SocketPrinterDeps, 'clock'>> & { readonly time?: VirtualTime } = {},
): BytePrinter {
  const { time = createVirtualTime(), ...rest } = options;
  const printer = openRawPrinter(uri, { clock: time.clock(), ...rest });
  return {
    kind: printer.kind,
    uri: printer.uri,
    describe: (call) => printer.describe(call),
    prepare: (...given) => printer.prepare(...given),
    send: (...given) => time.until(printer.send(...given)),
  };
}

export async function virtualSocketPrinter(options: PeerOptions = {}): Promise<VirtualSocketPrinter> {
  const peer = await startVirtualSocketPrinter(options);
  onTestFinished(() => peer[Symbol.asyncDispose]());
  return peer;
}

/** Prints the document; rejects as the printer does. */
export async function sendBytes(
  printer: BytePrinter,
  bytes: Buffer,
  { ticket = sampleTicket(), ...tells }: { ticket?: Ticket } & Omit<SendOptions, 'signal'> = {},
): Promise<JobReport | undefined> {
  const document = await spooled(bytes);
  const plan = await printer.prepare(ticket, document, withoutLimit());
  return printer.send(plan, document, { ...withoutLimit(), ...tells });
}
