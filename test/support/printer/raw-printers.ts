/** Raw printing on a printer of the test's choice, until the test ends. */
import { onTestFinished } from 'vitest';
import type { Clock } from '../../../src/core/clock.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { milliseconds, seconds } from '../../../src/core/duration.ts';
import type { BytePrinter, SendOptions } from '../../../src/domain/ports/printing.ts';
import type { JobReport, Ticket } from '../../../src/domain/release.ts';
import type { SocketPrinterOptions } from '../../../src/printing/raw/socket-printer.ts';
import { createSocketPrinter } from '../../../src/printing/raw/socket-printer.ts';
import type {
  SocketPrinterOptions as PeerOptions,
  VirtualSocketPrinter,
} from '../../../src/simulator/printer/raw/socket-printer.ts';
import { startVirtualSocketPrinter } from '../../../src/simulator/printer/raw/socket-printer.ts';
import { sampleTicket } from '../sample-ticket.ts';
import { withoutLimit, spooled } from './samples.ts';

/** Sleeps a tenth of what is asked for; time itself passes as ever. What is waited for here comes in a moment or never. */
export const briskClock: Clock = {
  ...systemClock,
  sleep: (span, options) => systemClock.sleep(milliseconds(span / 10), options),
};

export function openRawPrinter(uri: string, options: Partial<SocketPrinterOptions> = {}): BytePrinter {
  const printer = createSocketPrinter({
    uri,
    outputType: 'auto',
    pjl: 'auto',
    stall: seconds(2),
    jobStall: options.stall ?? seconds(2),
    clock: briskClock,
    ...options,
  });
  onTestFinished(() => printer[Symbol.asyncDispose]());
  return printer;
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
