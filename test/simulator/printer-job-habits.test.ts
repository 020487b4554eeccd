/** What printers with habits do with a job and say of it, as a client sees it, and what then really came out. */
import { expect, test } from 'vitest';
import { attribute, groups, integer, string, strings, valuesOf } from '../../src/ipp/message.ts';
import * as ipp from '../../src/ipp/values.ts';
import type { VirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { ask, createJob, ended, jobNamed, jobState, userNamed } from '../support/printer/ipp-by-hand.ts';
import {
  jobSays,
  printJob,
  printed,
  printerSays,
  sendTo,
  withHabits,
} from '../support/printer/printer-with-habits.ts';

/** Until its first page is out, of a printer that stops there. */
const afterOnePage = (printer: VirtualPrinter) =>
  printer.waitFor(() => printer.jobs.some((job) => job.impressionsCompleted === 1));
const completed = { state: 9, reasons: ['job-completed-successfully'] };

test('counts-late: 0 while it prints, right at the end', async () => {
  await using printer = await withHabits(['counts-late']);
  await printer.behave({ kind: 'jam', afterPages: 2 });
  await ask(printer, printJob);
  await printer.waitFor(() => printer.jobs[0]?.state === 'processing-stopped');
  expect(await jobState(printer, 1)).toMatchObject({ impressions: 0, sheets: 0 });
  await printer.clear();
  await ended(printer, 1);
  expect(await jobState(printer, 1)).toEqual({ ...completed, impressions: 3, sheets: 3 });
});

test.each([
  { habit: 'counts-nothing-zero', reported: { impressions: 0, sheets: 0 } },
  { habit: 'counts-nothing', reported: { impressions: undefined, sheets: undefined } },
  { habit: 'counts-sheets', reported: { impressions: 2, sheets: 2 } },
] as const)('$habit: three pages on both sides', async ({ habit, reported }) => {
  await using printer = await withHabits([habit]);
  const template = [attribute('sides', ipp.keyword('two-sided-long-edge'))];
  await printed(printer, { ...printJob, template });
  expect(await jobState(printer, 1)).toEqual({ ...completed, ...reported });
  expect(printer.outputs).toMatchObject([{ impressions: 3, complete: true }]);
});

test('slow-rip: processing without a page, and a cancel then leaves nothing in the tray', async () => {
  await using printer = await withHabits(['slow-rip=600']);
  await ask(printer, printJob);
  await printer.waitFor(() => printer.jobs[0]?.state === 'processing');
  expect(await jobState(printer, 1)).toMatchObject({ state: 5, reasons: ['job-printing'], impressions: 0 });
  expect(strings(await printerSays(printer), 'printer-state-reasons')).toEqual(['none']);
  await ask(printer, { operation: 'Cancel-Job', jobId: 1 });
  await ended(printer, 1);
  expect(printer.outputs).toEqual([]);
});

test('slow-rip and warm-up: after their time every page comes', async () => {
  await using printer = await withHabits(['slow-rip=0.02', 'warm-up=0.02']);
  await printed(printer);
  await printed(printer);
  expect(printer.outputs).toMatchObject([{ complete: true }, { complete: true }]);
});

test('warm-up: the first job waits, the one behind it does not', async () => {
  await using printer = await withHabits(['warm-up=600']);
  await ask(printer, printJob);
  await printer.waitFor(() => printer.jobs[0]?.state === 'processing');
  await ask(printer, { operation: 'Cancel-Job', jobId: 1 });
  await printed(printer);
  expect(printer.outputs).toMatchObject([{ jobId: 2, complete: true }]);
});

test('holds-answer: the document is answered when its job has ended', async () => {
  await using printer = await withHabits(['holds-answer']);
  await printer.behave({ kind: 'hold' });
  const jobId = await createJob(printer);
  let isAnswered = false;
  const sent = ask(printer, sendTo(jobId)).finally(() => {
    isAnswered = true;
  });
  await printer.waitFor(() => printer.jobs[0]?.state === 'processing');
  expect(await jobState(printer, jobId)).toMatchObject({ state: 5 });
  expect(isAnswered).toBe(false);
  await printer.clear();
  expect(integer((await sent).job, 'job-state')).toBe(9);
});

test('behind-others: pending behind strangers, and the queue moves', async () => {
  await using printer = await withHabits(['behind-others=2x600']);
  const jobId = integer((await ask(printer, printJob)).job, 'job-id') ?? 0;
  await printer.waitFor(() => printer.jobs[0]?.state === 'processing');
  expect(jobId).toBe(3);
  expect(await jobState(printer, jobId)).toMatchObject({ state: 3, reasons: ['none'] });
  expect(integer(await printerSays(printer), 'queued-job-count')).toBe(3);
  for (const stranger of [1, 2]) await ask(printer, { operation: 'Cancel-Job', jobId: stranger });
  await ended(printer, jobId);
  expect(printer.outputs).toMatchObject([{ jobId, complete: true }]);
});

test('behind-others: strangers come out by themselves', async () => {
  await using printer = await withHabits(['behind-others=2x0.01']);
  await printed(printer);
  expect(printer.jobs.map(({ id, state }) => [id, state])).toEqual([
    [1, 'completed'],
    [2, 'completed'],
    [3, 'completed'],
  ]);
  expect(printer.outputs).toMatchObject([{ jobId: 3 }]);
});

test('stops-while-processing: out of paper, and the job goes on saying that it prints', async () => {
  await using printer = await withHabits(['stops-while-processing=2']);
  await ask(printer, printJob);
  await printer.waitFor(() => printer.jobs[0]?.impressionsCompleted === 2);
  const says = await printerSays(printer);
  expect([integer(says, 'printer-state'), strings(says, 'printer-state-reasons')]).toEqual([
    5,
    ['media-empty-error'],
  ]);
  expect(await jobState(printer, 1)).toMatchObject({ state: 5, reasons: ['job-printing'], impressions: 2 });
  await printer.clear();
  await ended(printer, 1);
  expect(strings(await printerSays(printer), 'printer-state-reasons')).toEqual(['none']);
  expect(printer.outputs).toMatchObject([{ impressions: 3, complete: true }]);
});

test.each([
  { habit: 'cuts-names=8', name: 'Rechnung.pdf', reported: 'Rechnung' },
  { habit: 'capital-names', name: 'Büro.pdf', reported: 'BÜRO.PDF' },
  { habit: 'ascii-names', name: 'Büro.pdf', reported: 'B?ro.pdf' },
  { habit: 'masks-names', name: 'Büro.pdf', reported: '********' },
  { habit: 'empty-names', name: 'Büro.pdf', reported: '' },
  { habit: 'own-names', name: 'Büro.pdf', reported: 'Print' },
] as const)('$habit: $name is told as $reported, whoever asks', async ({ habit, name, reported }) => {
  await using printer = await withHabits([habit]);
  const jobId = await printed(printer, { ...printJob, attributes: [userNamed('alice'), jobNamed(name)] });
  expect(string(await jobSays(printer, jobId, 'alice'), 'job-name')).toBe(reported);
  expect(string(await jobSays(printer, jobId), 'job-name')).toBe(reported);
  expect(printer.outputs).toMatchObject([{ jobName: name, userName: 'alice' }]);
});

test('cuts-names in the middle of a character: what is told is not UTF-8', async () => {
  await using printer = await withHabits(['cuts-names=2']);
  const jobId = await printed(printer, { ...printJob, attributes: [jobNamed('Büro.pdf')] });
  expect(valuesOf(await jobSays(printer, jobId), 'job-name')).toEqual([
    { tag: 'raw', number: 0x42, octets: Buffer.from([0x42, 0xc3]) },
  ]);
});

test('hides-names: told to the user who made the job alone', async () => {
  await using printer = await withHabits(['hides-names']);
  const jobId = await printed(printer, { ...printJob, attributes: [userNamed('alice'), jobNamed('a.pdf')] });
  const names = async (as?: string) => {
    const job = await jobSays(printer, jobId, as);
    return [string(job, 'job-name'), string(job, 'job-originating-user-name')];
  };
  expect(await names('alice')).toEqual(['a.pdf', 'alice']);
  expect(await names('bob')).toEqual([undefined, undefined]);
  expect(await names()).toEqual([undefined, undefined]);
});

test('tells-no-uuid and tells-no-up-time: neither at the start of a job nor later', async () => {
  await using printer = await withHabits(['tells-no-uuid', 'tells-no-up-time']);
  const { job: atStart } = await ask(printer, printJob);
  const later = await jobSays(printer, 1);
  expect([...atStart, ...later].map(({ name }) => name)).not.toContain('job-uuid');
  expect(integer(later, 'job-printer-up-time')).toBeUndefined();
  expect(integer(later, 'time-at-creation')).toBe(1);
  expect(integer(await printerSays(printer), 'printer-up-time')).toBeUndefined();
});

test('restarts: in mid job, and ids and up-time begin again', async () => {
  await using printer = await withHabits(['restarts=2']);
  await ask(printer, printJob);
  await printer.waitFor(() => printer.outputs.length === 1);
  expect(printer.outputs).toMatchObject([{ impressions: 2, complete: false }]);
  expect((await ask(printer, { operation: 'Get-Job-Attributes', jobId: 1 })).status).toBe(
    'client-error-not-found',
  );
  expect(integer(await printerSays(printer), 'printer-up-time')).toBe(1);
  const jobId = await createJob(printer);
  const job = await jobSays(printer, jobId);
  expect([jobId, integer(job, 'job-printer-up-time'), integer(job, 'time-at-creation')]).toEqual([1, 1, 1]);
});

test.each([
  { habit: 'completes-with-errors', reason: 'job-completed-with-errors', out: 3 },
  { habit: 'completes-unprintable', reason: 'document-unprintable-error', out: 0 },
  { habit: 'completes-short=2', reason: 'job-completed-successfully', out: 2 },
  { habit: 'completes-aborted', reason: 'aborted-by-system', out: 1 },
] as const)('$habit: completed, and $out of 3 pages in the tray', async ({ habit, reason, out }) => {
  await using printer = await withHabits([habit]);
  await printed(printer);
  expect(await jobState(printer, 1)).toMatchObject({ state: 9, reasons: [reason], impressions: out });
  expect(printer.outputs).toMatchObject(out === 0 ? [] : [{ impressions: out, complete: out === 3 }]);
});

test('queued-in-device: completed before the first page, and the pages are not counted', async () => {
  await using printer = await withHabits(['queued-in-device']);
  await printer.behave({ kind: 'hold' });
  await ask(printer, printJob);
  await ended(printer, 1);
  const reported = { state: 9, reasons: ['queued-in-device'], impressions: 0, sheets: 0 };
  expect(await jobState(printer, 1)).toEqual(reported);
  expect(printer.outputs).toEqual([]);
  await printer.clear();
  await printer.waitFor(() => printer.outputs.length === 1);
  expect(printer.outputs).toMatchObject([{ impressions: 3, complete: true }]);
  expect(await jobState(printer, 1)).toEqual(reported);
});

test('canceled-at-panel: each job, after so many pages', async () => {
  await using printer = await withHabits(['canceled-at-panel=2']);
  await printed(printer);
  await printer.waitFor(() => printer.outputs.length === 1);
  expect(await jobState(printer, 1)).toMatchObject({ state: 7, reasons: ['job-canceled-at-device'] });
  expect(printer.outputs).toMatchObject([{ impressions: 2, complete: false }]);
});

test('somebody cancels at the panel: the job that prints, or the next one', async () => {
  await using printer = await withHabits(['stops-while-processing=1']);
  await ask(printer, printJob);
  await afterOnePage(printer);
  await printer.cancelAtPanel();
  await printer.waitFor(() => printer.outputs.length === 1);
  expect(await jobState(printer, 1)).toMatchObject({ state: 7, impressions: 1 });
  const canceled = printer.cancelAtPanel(1);
  await ask(printer, printJob);
  await canceled;
  expect(await jobState(printer, 2)).toMatchObject({ state: 7, reasons: ['job-canceled-at-device'] });
});

test('refuses-cancel: once the job prints', async () => {
  await using printer = await withHabits(['refuses-cancel', 'stops-while-processing=1']);
  await ask(printer, printJob);
  await afterOnePage(printer);
  expect((await ask(printer, { operation: 'Cancel-Job', jobId: 1 })).status).toBe(
    'client-error-not-possible',
  );
  await printer.clear();
  await ended(printer, 1);
  expect(printer.outputs).toMatchObject([{ complete: true }]);
});

test('forgets-at-once: not found, and in no list', async () => {
  await using printer = await withHabits(['forgets-at-once']);
  const jobId = await printed(printer);
  for (const operation of ['Get-Job-Attributes', 'Cancel-Job'] as const) {
    expect((await ask(printer, { operation, jobId })).status).toBe('client-error-not-found');
  }
  const which = attribute('which-jobs', ipp.keyword('all'));
  const { message } = await ask(printer, { operation: 'Get-Jobs', attributes: [which] });
  expect(groups(message, 'job-attributes')).toEqual([]);
  expect(printer.outputs).toHaveLength(1);
});
