/** The printing of Platen on a printer of the test's choice, until the test ends. */
import { onTestFinished } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { milliseconds, seconds } from '../../../src/core/duration.ts';
import { Secret } from '../../../src/core/secret.ts';
import type { KnownPrinter, PrinterMemory } from '../../../src/domain/ports/printer-memory.ts';
import type { PrinterJob } from '../../../src/domain/ports/printing.ts';
import type { Ticket } from '../../../src/domain/release.ts';
import type { IppPrinterDeps } from '../../../src/printing/ipp/ipp-printer.ts';
import { createIppPrinter } from '../../../src/printing/ipp/ipp-printer.ts';
import type { PrinterAccess } from '../../../src/printing/ipp/ipp-session.ts';
import type { IppJobPlan } from '../../../src/printing/ipp/job/job-plan.ts';
import { systemTrust } from '../../../src/printing/ipp/system-trust.ts';
import type { PrinterOptions, VirtualPrinter } from '../../../src/simulator/printer/printer.ts';
import { startVirtualPrinter } from '../../../src/simulator/printer/printer.ts';
import { withoutLimit } from '../patience.ts';
import type { RecordedLog } from '../recorded-log.ts';
import { recordLog } from '../recorded-log.ts';
import { sampleTicket } from '../sample-ticket.ts';
import { pdfOf, spooled } from './samples.ts';

export interface OpenedPrinter {
  readonly printer: ReturnType<typeof createIppPrinter>;
  readonly recorded: RecordedLog;
}

export function openPrinter(uri: string, options: Partial<IppPrinterDeps> = {}): OpenedPrinter {
  const recorded = recordLog();
  const printer = createIppPrinter({
    uri,
    outputType: 'auto',
    stall: seconds(10),
    clock: systemClock,
    log: recorded.log,
    trust: systemTrust(),
    ...options,
  });
  onTestFinished(() => printer[Symbol.asyncDispose]());
  return { printer, recorded };
}

export async function virtualPrinter(options: PrinterOptions = {}): Promise<VirtualPrinter> {
  const peer = await startVirtualPrinter(options);
  onTestFinished(() => peer[Symbol.asyncDispose]());
  return peer;
}

/** Waits no longer than 100 ms for an answer. */
export const impatientClock = {
  ...systemClock,
  deadline: (_: unknown, parent?: AbortSignal) => systemClock.deadline(milliseconds(100), parent),
};

/** Everything up to the printer's answer to Send-Document. */
export async function sendTo(
  { printer }: Pick<OpenedPrinter, 'printer'>,
  bytes: Buffer,
  { ticket = sampleTicket(), onFirstByte = () => {} }: { ticket?: Ticket; onFirstByte?: () => void } = {},
): Promise<PrinterJob> {
  const document = await spooled(bytes);
  const plan = await printer.prepare(ticket, document, withoutLimit());
  const job = await printer.createJob(plan, withoutLimit());
  await printer.send(job, plan, document, { ...withoutLimit(), onFirstByte });
  return job;
}

const plainNaming = {
  jobName: 'Report.pdf [7f3a9c21]',
  documentName: 'Report.pdf',
  userName: 'platen',
};

/** A plan that needs no printer to be asked. */
export const plainPlan: IppJobPlan = {
  ...plainNaming,
  naming: plainNaming,
  format: 'application/pdf',
  job: [],
};

export const aDocument = (length = 1000) => spooled(pdfOf(length));

/** What Platen shows a printer of itself, with a memory that lasts as long as the test. */
export function accessFor(username: string, password?: string): PrinterAccess {
  const held = new Map<string, KnownPrinter>();
  const memory: PrinterMemory = {
    recall: (address) => held.get(address),
    keep: (address, known) => void held.set(address, known),
    all: () => [...held.values()],
  };
  const credentials =
    password === undefined ? {} : { credentials: { username, password: new Secret(password) } };
  return { memory, tls: { trust: 'auto' }, chance: systemChance, ...credentials };
}
