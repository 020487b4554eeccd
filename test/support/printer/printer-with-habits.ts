/** Virtual printers with habits, and what they say to a client by hand. */
import { milliseconds } from '../../../src/core/duration.ts';
import { group, integer } from '../../../src/ipp/message.ts';
import type { HabitWish } from '../../../src/simulator/printer/habits/habits.ts';
import type { PrinterOptions, VirtualPrinter } from '../../../src/simulator/printer/printer.ts';
import { startVirtualPrinter } from '../../../src/simulator/printer/printer.ts';
import { samplePdf } from '../../../src/simulator/sample/sample-pdf.ts';
import type { Asked } from './ipp-by-hand.ts';
import { ask, ended, lastDocument, userNamed } from './ipp-by-hand.ts';

export const withHabits = (habits: readonly HabitWish[], options: PrinterOptions = {}) =>
  startVirtualPrinter({ pageTime: milliseconds(0), habits, ...options });
export const pdf = samplePdf({ title: 'Report', pages: 3 });
export const printJob = { operation: 'Print-Job', document: pdf } as const;
export const sendTo = (jobId: number, attributes: Asked['attributes'] = []) =>
  ({
    operation: 'Send-Document',
    jobId,
    attributes: [...attributes, lastDocument],
    document: pdf,
  }) as const;
export const printed = async (printer: VirtualPrinter, asked: Asked = printJob) => {
  const { job } = await ask(printer, asked);
  const jobId = integer(job, 'job-id') ?? 0;
  await ended(printer, jobId);
  await printer.waitFor(() => printer.jobs.every((one) => one.state !== 'processing'));
  return jobId;
};
export const printerSays = async (printer: VirtualPrinter) => {
  const { message } = await ask(printer, { operation: 'Get-Printer-Attributes' });
  return group(message, 'printer-attributes');
};
export const jobSays = async (printer: VirtualPrinter, jobId: number, as?: string) => {
  const attributes = as === undefined ? [] : [userNamed(as)];
  const { job } = await ask(printer, { operation: 'Get-Job-Attributes', jobId, attributes });
  return job;
};
