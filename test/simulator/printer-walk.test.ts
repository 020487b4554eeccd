/** One whole job with the virtual printer, by hand; and what it tells of itself. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { milliseconds } from '../../src/core/duration.ts';
import { attribute, boolean, group, groups, integer, string, strings } from '../../src/ipp/message.ts';
import * as ipp from '../../src/ipp/values.ts';
import type { PrinterOptions } from '../../src/simulator/printer/printer.ts';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import {
  ask,
  createJob,
  ended,
  jobNamed,
  jobState,
  lastDocument,
  stream,
  userNamed,
} from '../support/printer/ipp-by-hand.ts';

const start = (options: PrinterOptions = {}) =>
  startVirtualPrinter({ pageTime: milliseconds(0), ...options });
const pdf = samplePdf({ title: 'Report', pages: 3 });
const isPdf = attribute('document-format', ipp.mimeMediaType('application/pdf'));

test('a job is validated, created, sent, followed to its end, and lies in the folder unchanged', async () => {
  await using printer = await start();
  const heard: string[] = [];
  printer.onEvent((sentence) => heard.push(sentence));
  const template = [
    attribute('copies', ipp.integer(2)),
    attribute('sides', ipp.keyword('two-sided-long-edge')),
    attribute('print-color-mode', ipp.keyword('monochrome')),
    attribute('media', ipp.keyword('iso_a4_210x297mm')),
  ];
  const attributes = [userNamed('alice'), jobNamed('Report.pdf [7f3a9c21]')];
  const valid = await ask(printer, {
    operation: 'Validate-Job',
    attributes: [...attributes, isPdf],
    template,
  });
  expect(valid.status).toBe('successful-ok');

  const jobId = await createJob(printer, { attributes, template });
  expect(await jobState(printer, jobId)).toMatchObject({ state: 3, reasons: ['job-incoming'] });
  const sent = await ask(printer, {
    operation: 'Send-Document',
    jobId,
    attributes: [userNamed('alice'), isPdf, lastDocument],
    document: pdf,
  });
  expect(sent.status).toBe('successful-ok');
  await ended(printer, jobId);
  expect(await jobState(printer, jobId)).toEqual({
    state: 9,
    reasons: ['job-completed-successfully'],
    impressions: 6,
    sheets: 3,
  });

  const [output] = printer.outputs;
  expect(output).toMatchObject({
    jobId,
    jobName: 'Report.pdf [7f3a9c21]',
    userName: 'alice',
    bytes: pdf.length,
    sha256: createHash('sha256').update(pdf).digest('hex'),
    impressions: 6,
    complete: true,
    attributes: { copies: 2, sides: 'two-sided-long-edge', 'print-color-mode': 'monochrome' },
  });
  expect(basename(output?.file ?? '')).toBe('1-Report.pdf [7f3a9c21].pdf');
  expect(await readFile(output?.file ?? '')).toEqual(pdf);
  expect(printer.deviations).toEqual([]);
  expect(heard.at(-1)).toContain('“Report.pdf [7f3a9c21]” came out');
});

test('Print-Job does it in one request, in IPP/1.1 as well', async () => {
  await using printer = await start();
  const { status, message, job } = await ask(printer, {
    operation: 'Print-Job',
    version: [1, 1],
    attributes: [jobNamed('One'), isPdf],
    document: pdf,
  });
  expect(status).toBe('successful-ok');
  expect(message.version).toEqual([1, 1]);
  await ended(printer, integer(job, 'job-id') ?? 0);
  expect(printer.outputs).toMatchObject([{ jobName: 'One', complete: true, impressions: 3 }]);
});

test('a document of many chunks arrives whole', async () => {
  await using printer = await start({ pages: 4 });
  const jobId = await createJob(printer);
  const parts = Array.from({ length: 64 }, (_, index) => Buffer.alloc(65_536, index));
  const asked = { operation: 'Send-Document', jobId, attributes: [lastDocument] } as const;
  expect(await stream(printer, asked, parts)).toBe('successful-ok');
  await ended(printer, jobId);
  const sha256 = createHash('sha256').update(Buffer.concat(parts)).digest('hex');
  expect(printer.outputs).toMatchObject([{ bytes: 64 * 65_536, sha256, complete: true, impressions: 4 }]);
});

test('Get-Printer-Attributes honours requested-attributes: names, groups, all', async () => {
  await using printer = await start();
  const wanted = async (...names: string[]) => {
    const attributes =
      names.length === 0 ? [] : [attribute('requested-attributes', ...names.map(ipp.keyword))];
    const { message } = await ask(printer, { operation: 'Get-Printer-Attributes', attributes });
    return group(message, 'printer-attributes').map((one) => one.name);
  };
  expect(await wanted('printer-state', 'nonsense', 'media-ready')).toEqual(['media-ready', 'printer-state']);
  expect(await wanted('job-template')).toContain('sides-supported');
  expect(await wanted('job-template')).not.toContain('printer-state');
  expect(await wanted('printer-description')).toContain('printer-make-and-model');
  expect(await wanted()).toEqual(await wanted('all'));
  expect(await wanted()).not.toContain('media-col-database');
  expect(await wanted('media-col-database')).toEqual(['media-col-database']);
});

test('attributes can be replaced and added, to play another printer', async () => {
  const mono = attribute('print-color-mode-supported', ipp.keyword('monochrome'));
  const pin = attribute('job-password-supported', ipp.integer(4));
  await using printer = await start({ attributes: [mono, pin] });
  const { message } = await ask(printer, { operation: 'Get-Printer-Attributes' });
  const attributes = group(message, 'printer-attributes');
  expect(strings(attributes, 'print-color-mode-supported')).toEqual(['monochrome']);
  expect(integer(attributes, 'job-password-supported')).toBe(4);
});

test('what it does not support it ignores and says so, or refuses where fidelity is asked for', async () => {
  await using printer = await start();
  const template = [
    attribute('copies', ipp.integer(5000)),
    attribute('sides', ipp.keyword('one-sided')),
    attribute('job-password', ipp.octetString(Buffer.from('1234'))),
  ];
  const loose = await ask(printer, { operation: 'Validate-Job', template });
  expect(loose.status).toBe('successful-ok-ignored-or-substituted-attributes');
  expect(group(loose.message, 'unsupported-attributes').map((one) => one.name)).toEqual([
    'copies',
    'job-password',
  ]);
  const fidelity = attribute('ipp-attribute-fidelity', ipp.boolean(true));
  const strict = await ask(printer, { operation: 'Create-Job', attributes: [fidelity], template });
  expect(strict.status).toBe('client-error-attributes-or-values-not-supported');
  const format = attribute('document-format', ipp.mimeMediaType('image/tiff'));
  const refused = await ask(printer, { operation: 'Validate-Job', attributes: [format] });
  expect(refused.status).toBe('client-error-document-format-not-supported');
});

test('Get-Jobs tells of waiting and ended jobs, and of my own', async () => {
  await using printer = await start();
  const first = await createJob(printer, { attributes: [userNamed('alice'), jobNamed('a')] });
  await createJob(printer, { attributes: [userNamed('bob'), jobNamed('b')] });
  await ask(printer, { operation: 'Cancel-Job', jobId: first });
  const names = async (...attributes: Parameters<typeof attribute>[]) => {
    const { message } = await ask(printer, {
      operation: 'Get-Jobs',
      attributes: [
        userNamed('bob'),
        attribute('requested-attributes', ipp.keyword('job-name')),
        ...attributes.map(([name, ...values]) => attribute(name, ...values)),
      ],
    });
    return groups(message, 'job-attributes').map((one) => string(one.attributes, 'job-name'));
  };
  expect(await names()).toEqual(['b']);
  expect(await names(['which-jobs', ipp.keyword('completed')])).toEqual(['a']);
  expect(await names(['which-jobs', ipp.keyword('all')])).toEqual(['a', 'b']);
  expect(await names(['which-jobs', ipp.keyword('all')], ['my-jobs', ipp.boolean(true)])).toEqual(['b']);
  expect(await names(['which-jobs', ipp.keyword('all')], ['limit', ipp.integer(1)])).toEqual(['a']);
});

test('one job prints at a time; the next one waits, or meets a busy printer', async () => {
  await using queueing = await start();
  await queueing.behave({ kind: 'hold' });
  const print = { operation: 'Print-Job', document: pdf } as const;
  await ask(queueing, print);
  await queueing.waitFor(() => queueing.jobs[0]?.state === 'processing');
  await ask(queueing, print);
  expect(queueing.jobs.map((job) => job.state)).toEqual(['processing', 'pending']);
  await queueing.clear();
  await ended(queueing, 2);
  expect(queueing.outputs.map((output) => output.jobId)).toEqual([1, 2]);

  await using refusing = await start({ whenBusy: 'refuse' });
  await createJob(refusing);
  expect((await ask(refusing, { operation: 'Create-Job' })).status).toBe('server-error-busy');
});

test('counters can be missing, as some printers have it', async () => {
  await using printer = await start({ counters: 'absent' });
  const jobId = await createJob(printer);
  expect(await jobState(printer, jobId)).toMatchObject({ impressions: undefined, sheets: undefined });
});

test('after a reboot no job is known and ids begin at 1 again', async () => {
  await using printer = await start();
  await createJob(printer);
  const second = await createJob(printer);
  await printer.reboot();
  expect((await ask(printer, { operation: 'Get-Job-Attributes', jobId: second })).status).toBe(
    'client-error-not-found',
  );
  expect(await createJob(printer)).toBe(1);
});

test('the temporary folder goes with the printer', async () => {
  const printer = await start();
  expect(existsSync(printer.outputFolder)).toBe(true);
  await printer[Symbol.asyncDispose]();
  expect(existsSync(printer.outputFolder)).toBe(false);
});

test('a printer that accepts no jobs says so in its attributes', async () => {
  await using printer = await start();
  await printer.behave({ kind: 'not-accepting' });
  const { message } = await ask(printer, { operation: 'Get-Printer-Attributes' });
  expect(boolean(group(message, 'printer-attributes'), 'printer-is-accepting-jobs')).toBe(false);
});

test('a document packed with gzip lies in the folder unpacked, where the printer lists that', async () => {
  const gzip = attribute('compression', ipp.keyword('gzip'));
  const packed = { attributes: [userNamed('alice'), isPdf, gzip, lastDocument], document: gzipSync(pdf) };
  await using plain = await start();
  const jobId = await createJob(plain, { attributes: [userNamed('alice')] });
  const refused = await ask(plain, { operation: 'Send-Document', jobId, ...packed });
  expect(refused.status).toBe('client-error-compression-not-supported');

  const listed = attribute('compression-supported', ipp.keyword('none'), ipp.keyword('gzip'));
  await using printer = await start({ attributes: [listed] });
  const other = await createJob(printer, { attributes: [userNamed('alice')] });
  await ask(printer, { operation: 'Send-Document', jobId: other, ...packed });
  await ended(printer, other);
  expect(await readFile(printer.outputs[0]?.file ?? '')).toEqual(pdf);
  expect(printer.deviations).toEqual([]);
});

test.each([
  ['impressions', { impressions: 3 }],
  ['sheets', { sheets: 3 }],
  ['absent', {}],
  ['always-zero', { impressions: 0, sheets: 0 }],
] as const)('the counters of a job may be told otherwise: %s', async (counters, reported) => {
  await using printer = await start({ counters });
  const jobId = await createJob(printer, { attributes: [userNamed('alice')] });
  const attributes = [userNamed('alice'), isPdf, lastDocument];
  await ask(printer, { operation: 'Send-Document', jobId, attributes, document: pdf });
  await ended(printer, jobId);
  const { impressions, sheets } = await jobState(printer, jobId);
  expect({ impressions, sheets }).toEqual({ impressions: undefined, sheets: undefined, ...reported });
});
