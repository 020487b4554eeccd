/** The virtual printer keeps the contract of a real one; it also notes every deviation from the standard. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { openPrinter, sendTo } from '../support/printer/printers.ts';
import { pdfOf } from '../support/printer/samples.ts';
import type { PrinterStage } from './printer.ts';
import { printerContract } from './printer.ts';
import { withoutLimit } from '../support/patience.ts';

async function startStage(kind: PrinterStage['kind']): Promise<PrinterStage> {
  const printer = await startVirtualPrinter({
    habits: ['finisher'],
    ...(kind === 'spooler' ? { queue: 'office' } : {}),
  });
  return {
    uri: printer.uri,
    kind,
    documents: () => Promise.all(printer.outputs.map(({ file }) => readFile(file))),
    hold: () => printer.behave({ kind: 'hold' }),
    letGo: () => printer.clear(),
    abortJobs: () => printer.behave({ kind: 'abort', afterPages: 0 }),
    async makeUnfit() {
      await printer.behave({ kind: 'stopped', reason: 'media-empty-error' });
      return 'media-empty';
    },
    switchOff: () => printer.behave({ kind: 'refuse-connections' }),
    [Symbol.asyncDispose]: () => printer[Symbol.asyncDispose](),
  };
}

describe('the virtual printer', () => {
  printerContract(() => startStage('printer'));

  it('finds no deviation from the standard in a whole release', async () => {
    const peer = await startVirtualPrinter();
    onTestFinished(() => peer[Symbol.asyncDispose]());
    const { printer } = openPrinter(peer.uri);
    const job = await sendTo({ printer }, pdfOf(100_000));
    await printer.follow(job, withoutLimit());
    await printer.cancel(job, withoutLimit());
    await printer.sweep({ jobName: 'Report.pdf [7f3a9c21]' }, withoutLimit());
    expect(peer.deviations).toEqual([]);
  });
});

describe('the virtual printer as a queue of CUPS', () => {
  printerContract(() => startStage('spooler'));
});
