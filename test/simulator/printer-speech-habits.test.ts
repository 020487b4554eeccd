/** How printers with habits speak: refusals, versions, answers, connections. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { decodeMessage } from '../../src/ipp/decode.ts';
import { encodeMessage } from '../../src/ipp/encode.ts';
import { attribute, boolean, group, integer, strings, valuesOf } from '../../src/ipp/message.ts';
import * as ipp from '../../src/ipp/values.ts';
import {
  ask,
  beginStream,
  createJob,
  ended,
  jobNamed,
  jobState,
  messageFor,
  post,
  userNamed,
} from '../support/printer/ipp-by-hand.ts';
import {
  printJob,
  pdf,
  printed,
  printerSays,
  sendTo,
  withHabits,
} from '../support/printer/printer-with-habits.ts';

test('sleeping: silent at first, awake afterwards, asleep again when told', async () => {
  await using printer = await withHabits(['sleeping=0.05']);
  const asked = { operation: 'Get-Printer-Attributes' } as const;
  const both = await Promise.all([ask(printer, asked), ask(printer, asked)]);
  expect(both.map(({ status }) => status)).toEqual(['successful-ok', 'successful-ok']);
  printer.fallAsleep();
  expect((await ask(printer, asked)).status).toBe('successful-ok');
});

test('sleeping: the connection is taken, and nothing is said while it lasts', async () => {
  await using printer = await withHabits(['sleeping=600']);
  const socket = connect(Number(new URL(printer.uri).port), '127.0.0.1');
  await once(socket, 'connect');
  const { sending, answer } = beginStream(printer, { operation: 'Get-Printer-Attributes' });
  sending.end();
  await once(sending, 'finish');
  expect(printer.requests).toEqual([]);
  sending.destroy();
  socket.destroy();
  expect(await answer).toBe('broken');
});

test('sleeping-deaf: what wakes it breaks, and it is away for a while', async () => {
  await using printer = await withHabits(['sleeping-deaf=0.05']);
  const asked = { operation: 'Get-Printer-Attributes' } as const;
  const heard: string[] = [];
  printer.onEvent((sentence) => heard.push(sentence));
  await expect(ask(printer, asked)).rejects.toMatchObject({ code: 'ECONNRESET' });
  await printer.waitFor(() => heard.includes('printer: awake'));
  expect((await ask(printer, asked)).status).toBe('successful-ok');
});

test('busy-at-send: twice, then the document is taken, and so again', async () => {
  await using printer = await withHabits(['busy-at-send']);
  const jobId = await createJob(printer);
  const statuses = [];
  for (let time = 1; time <= 3; time += 1) statuses.push((await ask(printer, sendTo(jobId))).status);
  expect(statuses).toEqual(['server-error-busy', 'server-error-busy', 'successful-ok']);
  await ended(printer, jobId);
  const next = await createJob(printer);
  expect((await ask(printer, sendTo(next))).status).toBe('server-error-busy');
  expect(printer.jobs[1]).toMatchObject({ state: 'pending', transfer: 'awaited' });
  expect(printer.outputs).toHaveLength(1);
});

test('rejecting: idle, and not accepting jobs', async () => {
  await using printer = await withHabits(['rejecting']);
  const says = await printerSays(printer);
  expect([integer(says, 'printer-state'), boolean(says, 'printer-is-accepting-jobs')]).toEqual([3, false]);
  expect((await ask(printer, { operation: 'Create-Job' })).status).toBe('server-error-not-accepting-jobs');
});

test('rejects-at-send: a job is made, and its document refused', async () => {
  await using printer = await withHabits(['rejects-at-send']);
  expect(boolean(await printerSays(printer), 'printer-is-accepting-jobs')).toBe(true);
  const jobId = await createJob(printer);
  expect((await ask(printer, sendTo(jobId))).status).toBe('server-error-not-accepting-jobs');
  expect(await jobState(printer, jobId)).toMatchObject({ state: 3, reasons: ['job-incoming'] });
});

const gzip = attribute('compression', ipp.keyword('gzip'));
const documentName = attribute('document-name', ipp.nameWithoutLanguage('Report.pdf'));
test.each([
  { habit: 'refuses-compression-at-send', given: gzip, status: 'client-error-compression-not-supported' },
  {
    habit: 'refuses-document-name',
    given: documentName,
    status: 'client-error-attributes-or-values-not-supported',
  },
] as const)('$habit: names it, and takes the document without', async ({ habit, given, status }) => {
  await using printer = await withHabits([habit]);
  const jobId = await createJob(printer);
  const refused = await ask(printer, sendTo(jobId, [given]));
  expect(refused.status).toBe(status);
  expect(group(refused.message, 'unsupported-attributes').map(({ name }) => name)).toEqual([given.name]);
  expect((await ask(printer, sendTo(jobId))).status).toBe('successful-ok');
  await ended(printer, jobId);
});

test('refuses-compression-at-send lists what it refuses', async () => {
  await using printer = await withHabits(['refuses-compression-at-send']);
  expect(strings(await printerSays(printer), 'compression-supported')).toEqual(['none', 'gzip']);
});

test.each([
  { habit: 'refuses-job-name', given: jobNamed('a.pdf'), refused: 'job-name' },
  { habit: 'refuses-job-name=not-ascii', given: jobNamed('a.pdf'), refused: undefined },
  { habit: 'refuses-job-name=not-ascii', given: jobNamed('ä.pdf'), refused: 'job-name' },
  { habit: 'refuses-user-name', given: userNamed('alice'), refused: 'requesting-user-name' },
] as const)('$habit: $given.name is refused as $refused', async ({ habit, given, refused }) => {
  await using printer = await withHabits([habit]);
  const { status, message } = await ask(printer, { operation: 'Create-Job', attributes: [given] });
  expect(status).toBe(
    refused === undefined ? 'successful-ok' : 'client-error-attributes-or-values-not-supported',
  );
  expect(group(message, 'unsupported-attributes').map(({ name }) => name)).toEqual(
    refused === undefined ? [] : [refused],
  );
  expect((await ask(printer, { operation: 'Create-Job' })).status).toBe('successful-ok');
});

test('denies-at-send: 401 to a document alone', async () => {
  await using printer = await withHabits(['denies-at-send']);
  const jobId = await createJob(printer);
  const body = Buffer.concat([encodeMessage(messageFor(printer, sendTo(jobId))), pdf]);
  const { status, headers } = await post(printer, body);
  expect([status, headers['www-authenticate']]).toEqual([401, 'Basic realm="printer"']);
  expect(await jobState(printer, jobId)).toMatchObject({ state: 3, reasons: ['job-incoming'] });
});

test.each([
  { habit: 'refuses-job-questions', status: 'client-error-bad-request' },
  { habit: 'refuses-job-questions=0403', status: 'client-error-not-authorized' },
  { habit: 'refuses-job-questions=0501', status: 'server-error-operation-not-supported' },
] as const)('$habit: $status, and the job prints all the same', async ({ habit, status }) => {
  await using printer = await withHabits([habit]);
  const jobId = await printed(printer);
  expect((await ask(printer, { operation: 'Get-Job-Attributes', jobId })).status).toBe(status);
  expect((await ask(printer, { operation: 'Get-Jobs' })).status).toBe('successful-ok');
  expect(printer.outputs).toHaveLength(1);
});

test('refuses-job-lists: nothing is found', async () => {
  await using printer = await withHabits(['refuses-job-lists']);
  expect((await ask(printer, { operation: 'Get-Jobs' })).status).toBe('client-error-not-found');
});

test('refuses-job-lists=0501: not known, and not listed', async () => {
  await using printer = await withHabits(['refuses-job-lists=0501']);
  expect((await ask(printer, { operation: 'Get-Jobs' })).status).toBe('server-error-operation-not-supported');
  const listed = valuesOf(await printerSays(printer), 'operations-supported');
  expect(listed).not.toContainEqual(ipp.enumValue(0x000a));
});

test.each(['100', '102', '103', '100+102+103'])('interim-answers=%s come unasked', async (codes) => {
  await using printer = await withHabits([`interim-answers=${codes}`]);
  const socket = connect(Number(new URL(printer.uri).port), '127.0.0.1');
  const body = encodeMessage(messageFor(printer, { operation: 'Get-Printer-Attributes' }));
  socket.write(
    `POST /ipp/print HTTP/1.1\r\nHost: here\r\nContent-Type: application/ipp\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`,
  );
  socket.write(body);
  let heard = '';
  for await (const chunk of socket) heard += (chunk as Buffer).toString('latin1');
  expect(heard.match(/^HTTP\/1\.1 \d+/gm)).toEqual(
    [...codes.split('+'), '200'].map((code) => `HTTP/1.1 ${code}`),
  );
});

test.each([
  { habit: 'only-ipp-1.1', understands: [1, 1], code: 0x0503, id: 7 },
  { habit: 'only-ipp-1.1=0400', understands: [1, 0], code: 0x0400, id: 7 },
  { habit: 'only-ipp-1.0=request-id-0', understands: [1, 0], code: 0x0503, id: 0 },
] as const)('$habit: others are refused with its own version', async ({ habit, understands, code, id }) => {
  await using printer = await withHabits([habit]);
  const { message } = await ask(printer, { operation: 'Get-Printer-Attributes', requestId: 7 });
  expect(message).toMatchObject({
    version: habit.startsWith('only-ipp-1.1') ? [1, 1] : [1, 0],
    code,
    requestId: id,
  });
  const again = await ask(printer, { operation: 'Get-Printer-Attributes', version: understands });
  expect([again.status, again.message.version]).toEqual(['successful-ok', understands]);
  expect(printer.deviations).toEqual([]);
});

test.each([
  { habit: 'only-ipp-1.1=http-400', status: 400 },
  { habit: 'only-ipp-1.0=http-505', status: 505 },
] as const)('$habit: HTTP says no', async ({ habit, status }) => {
  await using printer = await withHabits([habit]);
  const body = (version: readonly [number, number]) =>
    encodeMessage(messageFor(printer, { operation: 'Get-Printer-Attributes', version }));
  expect((await post(printer, body([2, 0]))).status).toBe(status);
  expect((await post(printer, body([1, 0]))).status).toBe(200);
});

test('print-job-only: neither listed nor known, and Print-Job prints', async () => {
  await using printer = await withHabits(['print-job-only']);
  const listed = valuesOf(await printerSays(printer), 'operations-supported');
  for (const number of [0x0005, 0x0006]) expect(listed).not.toContainEqual(ipp.enumValue(number));
  expect((await ask(printer, { operation: 'Create-Job' })).status).toBe(
    'server-error-operation-not-supported',
  );
  await printed(printer);
  expect(printer.outputs).toMatchObject([{ complete: true }]);
  expect(printer.deviations).toEqual([]);
});

test.each([
  { habit: 'no-content-type', type: undefined, connection: 'keep-alive' },
  { habit: 'wrong-content-type', type: 'text/html', connection: 'keep-alive' },
  { habit: 'closes-every-connection', type: 'application/ipp', connection: 'close' },
] as const)('$habit: content-type $type, connection $connection', async ({ habit, type, connection }) => {
  await using printer = await withHabits([habit]);
  const body = encodeMessage(messageFor(printer, { operation: 'Get-Printer-Attributes' }));
  const sending = httpRequest(printer.uri.replace('ipp:', 'http:'), {
    method: 'POST',
    headers: { 'content-type': 'application/ipp', 'content-length': body.length, connection: 'keep-alive' },
  });
  sending.end(body);
  const [response] = await once(sending, 'response');
  response.resume();
  await once(response, 'end');
  expect([response.headers['content-type'], response.headers.connection]).toEqual([type, connection]);
});

test('no-printer-state: absent, also when asked for by name', async () => {
  await using printer = await withHabits(['no-printer-state']);
  const attributes = [attribute('requested-attributes', ipp.keyword('printer-state'))];
  const { message } = await ask(printer, { operation: 'Get-Printer-Attributes', attributes });
  expect(group(message, 'printer-attributes')).toEqual([]);
});

test('wrong-request-id-in-errors: 0 in errors, right in what succeeds', async () => {
  await using printer = await withHabits(['wrong-request-id-in-errors']);
  const wrong = await ask(printer, { operation: 'Get-Job-Attributes', jobId: 9, requestId: 5 });
  expect([wrong.status, wrong.message.requestId]).toEqual(['client-error-not-found', 0]);
  const right = await ask(printer, { operation: 'Get-Jobs', requestId: 5 });
  expect([right.status, right.message.requestId]).toEqual(['successful-ok', 5]);
});

test('one-connection-at-a-time: the second one is answered once the first one is closed', async () => {
  await using printer = await withHabits(['one-connection-at-a-time']);
  const first = beginStream(printer, { operation: 'Print-Job' });
  await printer.waitFor(() => printer.requests.length === 1);
  let isAnswered = false;
  const second = ask(printer, { operation: 'Get-Printer-Attributes' }).finally(() => {
    isAnswered = true;
  });
  first.sending.write(pdf);
  await printer.waitFor(() => printer.jobs[0]?.transfer === 'under-way');
  expect([isAnswered, printer.requests.length]).toEqual([false, 1]);
  first.sending.end();
  expect(await first.answer).toBe('successful-ok');
  expect((await second).status).toBe('successful-ok');
});

test('habits combine: a printer that hides names, counts nothing and forgets', async () => {
  await using printer = await withHabits([
    'hides-names',
    'counts-nothing',
    'forgets-at-once',
    'only-ipp-1.1',
  ]);
  const { job } = await ask(printer, { ...printJob, version: [1, 1] });
  const jobId = integer(job, 'job-id') ?? 0;
  await ended(printer, jobId);
  const asked = { operation: 'Get-Job-Attributes', jobId, version: [1, 1] } as const;
  expect((await ask(printer, asked)).status).toBe('client-error-not-found');
  expect(printer.outputs).toMatchObject([{ complete: true }]);
});

test('a printer without habits has none of them', async () => {
  await using printer = await withHabits([]);
  const body = encodeMessage(messageFor(printer, { operation: 'Get-Printer-Attributes' }));
  const { headers, body: answer } = await post(printer, body);
  expect(headers['content-type']).toBe('application/ipp');
  const says = group(decodeMessage(answer).message, 'printer-attributes');
  expect([boolean(says, 'printer-is-accepting-jobs'), integer(says, 'printer-up-time')]).toEqual([true, 1]);
});
