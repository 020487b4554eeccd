/**
 * What every IPP printer must let `src/printing` do, whatever stands behind the URI: a real `ippeveprinter` or the
 * virtual printer. What came out is read from the printer's side, never from the agent's.
 */
import { expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import type { PrinterJob } from '../../src/domain/ports/printing.ts';
import { ippAddress } from '../../src/printing/ipp/wire/ipp-address.ts';
import { ippSession } from '../../src/printing/ipp/ipp-session.ts';
import { jobSight } from '../../src/printing/ipp/job/job-sight.ts';
import { systemTrust } from '../../src/printing/ipp/system-trust.ts';
import type { OpenedPrinter } from '../support/printer/printers.ts';
import { openPrinter, sendTo } from '../support/printer/printers.ts';
import { recordLog } from '../support/recorded-log.ts';
import type { PaperWork } from '../../src/domain/printer/paper-work.ts';
import { choicesFor, workKinds } from '../../src/domain/printer/paper-work.ts';
import { sampleTicket } from '../support/sample-ticket.ts';
import { pdfOf, spooled } from '../support/printer/samples.ts';
import { eventually, withoutLimit } from '../support/patience.ts';

/** The printer's side. */
const mediaA4 = { name: 'iso_a4_210x297mm', size: { width: 21_000, height: 29_700 } };

export interface PrinterStage extends AsyncDisposable {
  readonly uri: string;
  /** What stands behind the URI; a spooler's own word is no printer's. */
  readonly kind: 'printer' | 'spooler';
  /** Every document that was received for printing, oldest first. */
  documents(): Promise<readonly Buffer[]>;
  /** Jobs stay `processing` until `letGo`. */
  hold(): Promise<void>;
  letGo(): Promise<void>;
  /** From now on every job is given up. */
  abortJobs(): Promise<void>;
  /** Takes the paper out, or stops the queue; resolves with the reason that is told from now on. */
  makeUnfit(): Promise<string>;
  /** Nobody listens any more. */
  switchOff(): Promise<void>;
}

/** State and reasons of a job, asked for beside the printer under test. */
async function wordsOn(job: PrinterJob, printerUri: string): Promise<string> {
  const address = ippAddress(printerUri);
  const { log } = recordLog();
  await using session = ippSession({ address, trust: systemTrust(), clock: systemClock, log });
  const { client } = session;
  const request = { operation: 'Get-Job-Attributes', jobId: job.jobId } as const;
  const { report } = jobSight(await client.ask(request, withoutLimit()));
  return [report.state, ...report.reasons].join(' ');
}

/** Defines the tests; stands within a `describe`. */
export function printerContract(startStage: () => Promise<PrinterStage>): void {
  const setUp = async (): Promise<OpenedPrinter & { stage: PrinterStage }> => {
    const stage = await startStage();
    onTestFinished(() => stage[Symbol.asyncDispose]());
    return { stage, ...openPrinter(stage.uri) };
  };

  it('is described as ready, with what it takes', async () => {
    const { stage, printer } = await setUp();
    const description = await printer.describe(withoutLimit());
    expect(description).toMatchObject({ ready: true, state: 'idle', acceptingJobs: true });
    expect(description.formats).toContain('application/pdf');
    expect(stage.kind === 'spooler' || description.mediaReady.length > 0).toBe(true);
    expect(description.makeAndModel).not.toBe('');
  });

  it.each([1000, 1_000_000, 20_000_000])(
    'prints a document of %i octets, unchanged and once',
    async (length) => {
      const { stage, printer } = await setUp();
      const onFirstByte = vi.fn<() => void>();
      const job = await sendTo({ printer }, pdfOf(length), { onFirstByte });
      const report = await printer.follow(job, withoutLimit());
      expect(report.state).toBe('completed');
      expect(onFirstByte).toHaveBeenCalledTimes(1);
      const documents = await stage.documents();
      expect(documents).toHaveLength(1);
      expect(documents[0]?.equals(pdfOf(length))).toBe(true);
    },
  );

  it('takes every job attribute it lists, and ignores none', async () => {
    const { printer, recorded } = await setUp();
    const ticket = sampleTicket(
      { copies: 2, sides: 'two-sided-long-edge', paperSize: 'A4', grayscale: true, collate: true },
      { sendUsername: true },
    );
    const job = await sendTo({ printer }, pdfOf(1000), { ticket });
    expect(await printer.follow(job, withoutLimit())).toMatchObject({ state: 'completed' });
    expect(recorded.records('printer ignores job attributes')).toEqual([]);
  });

  it('does to paper each thing that it offers, one of every kind that goes with the ones before, and ignores none', async () => {
    const { printer, recorded } = await setUp();
    const { capabilities } = await printer.describe(withoutLimit());
    const abilities = capabilities?.work ?? { choices: {}, papers: [], constraints: [] };
    const job = { sides: 'one-sided', isGrey: false, copies: 3, media: mediaA4 } as const;
    const work = workKinds.reduce<PaperWork>((chosen, kind) => {
      const value = choicesFor(abilities, { ...job, work: chosen })[kind]?.at(-1);
      return value === undefined ? chosen : { ...chosen, [kind]: value };
    }, {});
    const ticket = sampleTicket(
      { copies: 3, sides: 'one-sided', paperSize: 'A4' },
      { changed: { copies: 3, work } },
    );
    const sent = await sendTo({ printer }, pdfOf(1000), { ticket });
    expect(await printer.follow(sent, withoutLimit())).toMatchObject({ state: 'completed' });
    expect(recorded.records('printer ignores job attributes')).toEqual([]);
  });

  it('reports a job that it gives up as aborted, with the counters a printer has', async () => {
    const { stage, printer } = await setUp();
    await stage.abortJobs();
    const report = await printer.follow(await sendTo({ printer }, pdfOf(1000)), withoutLimit());
    expect(report.state).toBe('aborted');
    expect(report.impressionsCompleted).toBe(stage.kind === 'printer' ? 0 : undefined);
    expect(stage.kind === 'spooler' || report.reasons.includes('aborted-by-system')).toBe(true);
  });

  it('lets a job be cancelled while it is being printed', async () => {
    const { stage, printer } = await setUp();
    await stage.hold();
    const job = await sendTo({ printer }, pdfOf(1000));
    await eventually(async () => expect(await wordsOn(job, stage.uri)).toMatch(/^processing/));
    const cancelled = printer.cancel(job, withoutLimit());
    // Some let what is being printed come to its end first.
    await eventually(async () =>
      expect(await wordsOn(job, stage.uri)).toMatch(/canceled|processing-to-stop-point/),
    );
    await stage.letGo();
    expect(await cancelled).toMatchObject({ state: 'canceled' });
  });

  it('is waited for while it is busy with another job', async () => {
    const { stage, printer } = await setUp();
    await stage.hold();
    const first = await sendTo({ printer }, pdfOf(1000));
    const second = sendTo({ printer }, pdfOf(2000));
    await stage.letGo();
    expect(await printer.follow(first, withoutLimit())).toMatchObject({ state: 'completed' });
    expect(await printer.follow(await second, withoutLimit())).toMatchObject({ state: 'completed' });
    const documents = await stage.documents();
    expect(documents.map((document) => document.length)).toEqual([1000, 2000]);
  });

  it('is refused before any byte when it has no paper, or is stopped (I1)', async () => {
    const { stage, printer } = await setUp();
    const reason = await stage.makeUnfit();
    const document = await spooled(pdfOf(1000));
    await expect(printer.prepare(sampleTicket(), document, withoutLimit())).rejects.toMatchObject({
      code: 'printer-not-ready',
      reasons: [expect.stringContaining(reason)],
    });
    expect(await printer.describe(withoutLimit())).toMatchObject({ ready: false });
  });

  it('is refused before any byte when it does not take the format', async () => {
    const { printer } = await setUp();
    const document = await spooled(Buffer.from('\u001bEpcl'));
    await expect(printer.prepare(sampleTicket(), document, withoutLimit())).rejects.toMatchObject({
      code: 'document-not-printable',
    });
  });

  it('has no job left of that name after a sweep, and takes the next one', async () => {
    const { stage, printer } = await setUp();
    const document = await spooled(pdfOf(1000));
    const plan = await printer.prepare(sampleTicket(), document, withoutLimit());
    const left = await printer.createJob(plan, withoutLimit());
    await printer.sweep(plan, withoutLimit());
    expect(await printer.follow(left, withoutLimit())).toMatchObject({ state: 'canceled' });
    await printer.follow(await sendTo({ printer }, pdfOf(1000)), withoutLimit());
    expect(await stage.documents()).toHaveLength(1);
  });

  it("never has another one's job cancelled under an id that was ours", async () => {
    const { stage, printer } = await setUp();
    await stage.hold();
    const theirs = await sendTo({ printer }, pdfOf(1000));
    const { jobId, jobUri } = theirs;
    const ours = { jobId, jobUri, jobName: 'Report.pdf [00000000]' };
    expect(await printer.cancel(ours, withoutLimit())).toBeUndefined();
    await expect(printer.follow(ours, withoutLimit())).rejects.toMatchObject({ code: 'outcome-unknown' });
    await stage.letGo();
    expect(await printer.follow(theirs, withoutLimit())).toMatchObject({ state: 'completed' });
  });

  it('cannot say what became of a job it does not know', async () => {
    const { printer } = await setUp();
    const job = { jobId: 4711, jobUri: printer.uri, jobName: 'A job [00000000]' };
    await expect(printer.follow(job, withoutLimit())).rejects.toMatchObject({ code: 'outcome-unknown' });
    expect(await printer.cancel(job, withoutLimit())).toBeUndefined();
  });

  it('is unreachable when nobody listens, and then nothing was sent', async () => {
    const { stage, printer } = await setUp();
    const document = await spooled(pdfOf(1000));
    const plan = await printer.prepare(sampleTicket(), document, withoutLimit());
    await stage.switchOff();
    const unreachable = { code: 'printer-unreachable', delivery: 'not-sent' };
    // A connection kept from before may still take a request while the printer goes down.
    await eventually(() => expect(printer.describe(withoutLimit())).rejects.toMatchObject(unreachable));
    await expect(printer.createJob(plan, withoutLimit())).rejects.toMatchObject(unreachable);
    const job = { jobId: 1, jobUri: printer.uri, jobName: plan.jobName };
    await expect(printer.send(job, plan, document, withoutLimit())).rejects.toMatchObject(unreachable);
  });
}
