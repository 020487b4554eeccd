/** Requests that are not what RFC 8010 and RFC 8011 ask for are answered as they say, and noticed. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { milliseconds } from '../../src/core/duration.ts';
import { encodeMessage } from '../../src/ipp/encode.ts';
import type { Attribute, Group } from '../../src/ipp/message.ts';
import { attribute } from '../../src/ipp/message.ts';
import * as ipp from '../../src/ipp/values.ts';
import type { VirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { needsPeer } from '../support/needs.ts';
import type { Asked } from '../support/printer/ipp-by-hand.ts';
import {
  ask,
  charset,
  createJob,
  jobNamed,
  language,
  lastDocument,
  messageFor,
  post,
  printerUri,
} from '../support/printer/ipp-by-hand.ts';

interface Case {
  readonly what: string;
  readonly asked: (printer: VirtualPrinter) => Asked;
  readonly status?: string;
  readonly noted: string;
}

const describing = 'Get-Printer-Attributes';
const operationGroup = (...attributes: readonly Attribute[]): readonly Group[] => [
  { tag: 'operation-attributes', attributes },
];
const copies = attribute('copies', ipp.integer(2));

const cases: readonly Case[] = [
  {
    what: 'an unknown version',
    asked: () => ({ operation: describing, version: [3, 0] }),
    status: 'server-error-version-not-supported',
    noted: 'version 3.0',
  },
  { what: 'request-id 0', asked: () => ({ operation: describing, requestId: 0 }), noted: 'request-id 0' },
  {
    what: 'an operation it does not know',
    asked: () => ({ operation: 'CUPS-Get-Printers' }),
    status: 'server-error-operation-not-supported',
    noted: 'not supported',
  },
  {
    what: 'the language before the charset',
    asked: (printer) => ({
      operation: describing,
      groups: operationGroup(language, charset, printerUri(printer)),
    }),
    noted: 'attributes-charset is not the first attribute',
  },
  {
    what: 'no language',
    asked: (printer) => ({ operation: describing, groups: operationGroup(charset, printerUri(printer)) }),
    noted: 'attributes-natural-language is not the second attribute',
  },
  {
    what: 'another charset',
    asked: (printer) => ({
      operation: describing,
      groups: operationGroup(
        attribute('attributes-charset', ipp.charset('us-ascii')),
        language,
        printerUri(printer),
      ),
    }),
    status: 'client-error-charset-not-supported',
    noted: 'not utf-8',
  },
  {
    what: 'no groups at all',
    asked: () => ({ operation: describing, groups: [] }),
    noted: 'operation-attributes is not the first group',
  },
  {
    what: 'no target',
    asked: () => ({ operation: describing, groups: operationGroup(charset, language) }),
    noted: 'the target is not the third attribute',
  },
  {
    what: "another printer's URI",
    asked: () => ({
      operation: describing,
      groups: operationGroup(
        charset,
        language,
        attribute('printer-uri', ipp.uri('ipp://127.0.0.1:631/ipp/fax')),
      ),
    }),
    status: 'client-error-not-found',
    noted: 'no printer here',
  },
  {
    what: 'a job operation without job-id',
    asked: () => ({ operation: 'Cancel-Job' }),
    noted: 'job-id is not the fourth attribute',
  },
  {
    what: 'an attribute in the wrong group',
    asked: () => ({ operation: 'Create-Job', attributes: [copies] }),
    noted: 'copies is no operation attribute of Create-Job',
  },
  {
    what: 'document-format on Create-Job',
    asked: () => ({
      operation: 'Create-Job',
      attributes: [attribute('document-format', ipp.mimeMediaType('application/pdf'))],
    }),
    noted: 'document-format is no operation attribute of Create-Job',
  },
  {
    what: 'job attributes where none belong',
    asked: () => ({ operation: 'Get-Jobs', template: [copies] }),
    noted: 'does not belong in Get-Jobs',
  },
  {
    what: 'an attribute that comes twice',
    asked: () => ({ operation: 'Create-Job', attributes: [jobNamed('a'), jobNamed('b')] }),
    noted: 'job-name comes twice',
  },
  {
    what: 'a wrong syntax',
    asked: () => ({ operation: 'Create-Job', template: [attribute('copies', ipp.keyword('2'))] }),
    noted: 'copies is written as keyword, not as integer',
  },
  {
    what: 'two values where one belongs',
    asked: () => ({
      operation: 'Create-Job',
      template: [attribute('copies', ipp.integer(1), ipp.integer(2))],
    }),
    noted: 'copies has 2 values',
  },
  {
    what: 'a name of more than 255 octets',
    asked: () => ({ operation: 'Create-Job', attributes: [jobNamed('ü'.repeat(128))] }),
    status: 'client-error-request-value-too-long',
    noted: 'job-name has 256 octets',
  },
  {
    what: 'Send-Document without last-document',
    asked: () => ({ operation: 'Send-Document', jobId: 1 }),
    noted: 'last-document is missing',
  },
];

test.each(cases)('$what is noticed', async ({ asked, status = 'client-error-bad-request', noted }) => {
  await using printer = await startVirtualPrinter();
  expect((await ask(printer, asked(printer))).status).toBe(status);
  expect(printer.deviations).toEqual([expect.stringContaining(noted)]);
});

test('a second document for one job is noticed', async () => {
  await using printer = await startVirtualPrinter();
  await printer.behave({ kind: 'hold' });
  const jobId = await createJob(printer);
  const send = {
    operation: 'Send-Document',
    jobId,
    attributes: [lastDocument],
    document: Buffer.from('x'),
  } as const;
  expect((await ask(printer, send)).status).toBe('successful-ok');
  expect((await ask(printer, send)).status).toBe('server-error-multiple-document-jobs-not-supported');
  expect(printer.deviations).toEqual([expect.stringContaining('a second document')]);
});

test.each([
  { what: 'GET', change: { method: 'GET' }, status: 405 },
  { what: 'another content type', change: { headers: { 'content-type': 'text/plain' } }, status: 415 },
])('$what is no IPP, and noticed', async ({ change, status }) => {
  await using printer = await startVirtualPrinter();
  const url = printer.uri.replace('ipp:', 'http:');
  const answer = await fetch(url, { method: 'POST', ...change });
  expect(answer.status).toBe(status);
  expect(printer.deviations).toHaveLength(1);
});

test.each([
  { what: 'no IPP at all', body: Buffer.from('hello, printer') },
  { what: 'a message that ends early', body: Buffer.from([2, 0, 0, 11, 0, 0, 0, 1, 1]) },
])('$what is noticed', async ({ body }) => {
  await using printer = await startVirtualPrinter();
  expect((await post(printer, body)).status).toBe(400);
  expect(printer.deviations).toEqual([expect.stringContaining('RFC 8010')]);
});

test('another path is no printer', async () => {
  await using printer = await startVirtualPrinter();
  const body = new Uint8Array(encodeMessage(messageFor(printer, { operation: describing })));
  const url = new URL('/printers/other', printer.uri.replace('ipp:', 'http:'));
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/ipp' }, body });
  expect(answer.status).toBe(404);
  expect(printer.deviations).toHaveLength(1);
});

test('ordinary refusals are no deviations: an unknown job, a job that has ended', async () => {
  await using printer = await startVirtualPrinter();
  expect((await ask(printer, { operation: 'Get-Job-Attributes', jobId: 9 })).status).toBe(
    'client-error-not-found',
  );
  const jobId = await createJob(printer);
  await ask(printer, { operation: 'Cancel-Job', jobId });
  expect((await ask(printer, { operation: 'Cancel-Job', jobId })).status).toBe('client-error-not-possible');
  expect(printer.deviations).toEqual([]);
});

needsPeer('ipptool', 'cups-ipp-utils')('as ipptool sees it', () => {
  async function asSeenIn(suite: string): Promise<string> {
    await using printer = await startVirtualPrinter({ pageTime: milliseconds(0) });
    const parts = ['OPTIONAL_CREATE_JOB=1', 'OPTIONAL_SEND_DOCUMENT=1'].flatMap((one) => ['-d', one]);
    const asked = ['-tI', ...parts, '-f', import.meta.filename, printer.uri, suite];
    // What the suite needs and Debian has not breaks it off, with an exit code of its own.
    return await promisify(execFile)('ipptool', asked).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
  }

  test('the virtual printer passes the IPP/1.1 tests of CUPS', async () => {
    expect(await asSeenIn('ipp-1.1.test')).toMatch(/[3-9]\d passed, 0 failed/);
  });

  test('and tells what a printer of IPP Everywhere has to (PWG 5100.14)', async () => {
    const said = await asSeenIn('ipp-everywhere.test');
    expect(said).toMatch(/Required Operations and Attributes +\[PASS\]/);
    expect(said).not.toContain('[FAIL]');
  });

  test('and tells what a printer of IPP/2.0 has to (PWG 5100.12)', async () => {
    const said = await asSeenIn('ipp-2.0.test');
    expect(said).toMatch(/Required Printer Description Attributes +\[PASS\]/);
    expect(said).not.toContain('[FAIL]');
  });
});
