/** How the virtual printer misbehaves when told to, and what then really came out. */
import { expect, test } from 'vitest';
import { milliseconds, seconds } from '../../src/core/duration.ts';
import { decodeMessage } from '../../src/ipp/decode.ts';
import { encodeMessage } from '../../src/ipp/encode.ts';
import { attribute, group, integer, strings } from '../../src/ipp/message.ts';
import * as ipp from '../../src/ipp/values.ts';
import type { PrinterOptions } from '../../src/simulator/printer/printer.ts';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import {
  ask,
  beginStream,
  createJob,
  ended,
  jobState,
  lastDocument,
  messageFor,
  post,
} from '../support/printer/ipp-by-hand.ts';

const start = (options: PrinterOptions = {}) =>
  startVirtualPrinter({ pageTime: milliseconds(0), ...options });
const pdf = samplePdf({ title: 'Report', pages: 3 });
const printJob = { operation: 'Print-Job', document: pdf } as const;
const sendTo = (jobId: number) =>
  ({ operation: 'Send-Document', jobId, attributes: [lastDocument], document: pdf }) as const;

test('busy once: the first job is refused, the second one taken', async () => {
  await using printer = await start();
  await printer.behaveOnce({ kind: 'busy' });
  expect((await ask(printer, { operation: 'Create-Job' })).status).toBe('server-error-busy');
  expect((await ask(printer, { operation: 'Create-Job' })).status).toBe('successful-ok');
});

test.each([
  { behaviour: { kind: 'not-accepting' }, status: 'server-error-not-accepting-jobs' },
  { behaviour: { kind: 'refuse-format' }, status: 'client-error-document-format-not-supported' },
] as const)('$behaviour.kind is answered before a job is made', async ({ behaviour, status }) => {
  await using printer = await start();
  await printer.behave(behaviour);
  const format = attribute('document-format', ipp.mimeMediaType('application/pdf'));
  expect((await ask(printer, { ...printJob, attributes: [format] })).status).toBe(status);
  expect(printer.jobs).toEqual([]);
});

test('a jam after page 2 stops the job until it is cleared', async () => {
  await using printer = await start();
  await printer.behave({ kind: 'jam', afterPages: 2 });
  await ask(printer, printJob);
  await printer.waitFor(() => printer.jobs[0]?.state === 'processing-stopped');
  expect(await jobState(printer, 1)).toMatchObject({
    state: 6,
    reasons: ['printer-stopped'],
    impressions: 2,
  });
  const { message } = await ask(printer, { operation: 'Get-Printer-Attributes' });
  const attributes = group(message, 'printer-attributes');
  expect(integer(attributes, 'printer-state')).toBe(5);
  expect(strings(attributes, 'printer-state-reasons')).toEqual(['media-jam-error']);
  await printer.clear();
  await ended(printer, 1);
  expect(printer.outputs).toMatchObject([{ complete: true, impressions: 3 }]);
});

test('a job canceled in a jam is an output in part', async () => {
  await using printer = await start();
  await printer.behave({ kind: 'jam', afterPages: 1 });
  await ask(printer, printJob);
  await printer.waitFor(() => printer.jobs[0]?.state === 'processing-stopped');
  expect((await ask(printer, { operation: 'Cancel-Job', jobId: 1 })).status).toBe('successful-ok');
  await printer.waitFor(() => printer.outputs.length === 1);
  expect(await jobState(printer, 1)).toMatchObject({ state: 7, impressions: 1 });
  expect(printer.outputs).toMatchObject([{ complete: false, impressions: 1, bytes: pdf.length }]);
  expect((await ask(printer, { operation: 'Cancel-Job', jobId: 1 })).status).toBe(
    'client-error-not-possible',
  );
});

test.each([
  { afterPages: 0, outputs: [] },
  { afterPages: 2, outputs: [{ complete: false, impressions: 2 }] },
])('a job aborted after $afterPages pages', async ({ afterPages, outputs }) => {
  await using printer = await start();
  await printer.behave({ kind: 'abort', afterPages });
  await ask(printer, printJob);
  await ended(printer, 1);
  expect(await jobState(printer, 1)).toMatchObject({
    state: 8,
    reasons: ['aborted-by-system'],
    impressions: afterPages,
  });
  expect(printer.outputs).toMatchObject(outputs);
});

test('a stopped printer lets jobs wait until it is seen to', async () => {
  await using printer = await start();
  await printer.behave({ kind: 'stopped', reason: 'media-empty-error' });
  await ask(printer, printJob);
  const { message } = await ask(printer, { operation: 'Get-Printer-Attributes' });
  expect(strings(group(message, 'printer-attributes'), 'printer-state-reasons')).toEqual([
    'media-empty-error',
  ]);
  expect(await jobState(printer, 1)).toMatchObject({ state: 3, impressions: 0 });
  await printer.clear();
  await ended(printer, 1);
  expect(printer.outputs).toHaveLength(1);
});

test('a slow printer takes its time for each page', async () => {
  await using printer = await start();
  await printer.behave({ kind: 'slow', pageTime: seconds(60) });
  await ask(printer, printJob);
  await printer.waitFor(() => printer.jobs[0]?.state === 'processing');
  await ask(printer, { operation: 'Cancel-Job', jobId: 1 });
  await ended(printer, 1);
  expect(printer.outputs).toEqual([]);
});

test.each([
  { afterCut: 'print', state: 9, outputs: [{ bytes: 1000, complete: false }] },
  { afterCut: 'discard', state: 8, outputs: [] },
] as const)(
  'a reset after 1000 bytes, with a printer that would $afterCut',
  async ({ afterCut, state, outputs }) => {
    await using printer = await start({ afterCut });
    const jobId = await createJob(printer);
    await printer.behaveOnce({ kind: 'reset', afterBytes: 1000 });
    await expect(ask(printer, sendTo(jobId))).rejects.toMatchObject({ code: 'ECONNRESET' });
    await ended(printer, jobId);
    expect(await jobState(printer, jobId)).toMatchObject({ state });
    expect(printer.outputs).toMatchObject(outputs);
  },
);

test('a client that goes away mid-document leaves the part that came', async () => {
  await using printer = await start();
  const jobId = await createJob(printer);
  const { sending, answer } = beginStream(printer, {
    operation: 'Send-Document',
    jobId,
    attributes: [lastDocument],
  });
  sending.write(pdf.subarray(0, 700));
  await printer.waitFor(() => printer.jobs[0]?.transfer === 'under-way');
  sending.destroy();
  expect(await answer).toBe('broken');
  await ended(printer, jobId);
  expect(printer.outputs.every((output) => !output.complete && output.bytes <= 700)).toBe(true);
});

test('a printer that stops reading holds the connection until the job is canceled', async () => {
  await using printer = await start();
  const jobId = await createJob(printer);
  await printer.behave({ kind: 'stop-reading', afterBytes: 500 });
  const heard: string[] = [];
  printer.onEvent((sentence) => heard.push(sentence));
  const sent = ask(printer, sendTo(jobId));
  await printer.waitFor(() => heard.some((sentence) => sentence.includes('reads no further than 500 bytes')));
  expect((await ask(printer, { operation: 'Cancel-Job', jobId })).status).toBe('successful-ok');
  expect((await sent).status).toBe('server-error-job-canceled');
  expect(printer.outputs).toEqual([]);
});

test('a printer that stopped reading reads on when it is well again', async () => {
  await using printer = await start();
  const jobId = await createJob(printer);
  await printer.behaveOnce({ kind: 'stop-reading', afterBytes: 500 });
  const stalled = Promise.withResolvers<void>();
  printer.onEvent((sentence) => void (sentence.includes('reads no further') && stalled.resolve()));
  const sent = ask(printer, sendTo(jobId));
  await stalled.promise;
  await printer.clear();
  expect((await sent).status).toBe('successful-ok');
  await ended(printer, jobId);
  expect(printer.outputs).toMatchObject([{ complete: true, bytes: pdf.length }]);
});

test('an answer lost after the whole document was sent: the job completes all the same', async () => {
  await using printer = await start();
  const jobId = await createJob(printer);
  await printer.behaveOnce({ kind: 'answer-lost', to: 'Send-Document' });
  await expect(ask(printer, sendTo(jobId))).rejects.toMatchObject({ code: 'ECONNRESET' });
  await ended(printer, jobId);
  expect(printer.outputs).toMatchObject([{ complete: true }]);
});

test('an answer lost to Create-Job leaves an empty job behind', async () => {
  await using printer = await start();
  await printer.behaveOnce({ kind: 'answer-lost', to: 'Create-Job' });
  await expect(ask(printer, { operation: 'Create-Job' })).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(printer.jobs).toMatchObject([{ id: 1, state: 'pending' }]);
});

test('a request never answered is taken in, and nothing is done', async () => {
  await using printer = await start();
  await printer.behave({ kind: 'never-answer', to: 'Print-Job' });
  const { sending, answer } = beginStream(printer, { operation: 'Print-Job' });
  sending.end(pdf);
  await printer.waitFor(() => printer.requests.length === 1);
  expect((await ask(printer, { operation: 'Get-Printer-Attributes' })).status).toBe('successful-ok');
  expect(printer.jobs).toEqual([]);
  sending.destroy();
  expect(await answer).toBe('broken');
});

test('connections are refused, and welcome again afterwards on the same port', async () => {
  await using printer = await start();
  await printer.behave({ kind: 'refuse-connections' });
  await expect(ask(printer, printJob)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await printer.clear();
  expect((await ask(printer, printJob)).status).toBe('successful-ok');
});

test('HTTP may have the word before IPP', async () => {
  await using printer = await start();
  await printer.behaveOnce({
    kind: 'http',
    status: 401,
    headers: { 'www-authenticate': 'Basic realm="printer"' },
  });
  const answer = await post(printer, encodeMessage(messageFor(printer, { operation: 'Get-Jobs' })));
  expect(answer.status).toBe(401);
  expect(answer.headers['www-authenticate']).toBe('Basic realm="printer"');
});

test('garbage and a foreign request-id', async () => {
  await using printer = await start();
  const request = encodeMessage(messageFor(printer, { operation: 'Get-Printer-Attributes', requestId: 7 }));
  await printer.behaveOnce({ kind: 'garbage', bytes: Buffer.from([1, 2, 3]) });
  const garbage = await post(printer, request);
  expect(garbage.body).toEqual(Buffer.from([1, 2, 3]));
  await printer.behaveOnce({ kind: 'wrong-request-id' });
  const foreign = await post(printer, request);
  expect(decodeMessage(foreign.body).message.requestId).toBe(8);
});

test('a reboot in the middle of a job leaves what had come out', async () => {
  await using printer = await start();
  await printer.behave({ kind: 'jam', afterPages: 1 });
  await ask(printer, printJob);
  await printer.waitFor(() => printer.jobs[0]?.state === 'processing-stopped');
  await printer.reboot();
  await printer.waitFor(() => printer.outputs.length === 1);
  expect(printer.outputs).toMatchObject([{ complete: false, impressions: 1 }]);
});
