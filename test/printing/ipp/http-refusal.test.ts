/** What answers in HTTP alone is told as what it is, with the address to write (RFC 9110 section 15, RFC 2817). */
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../src/domain/problem/problem.ts';
import { httpRefusal, notIpp } from '../../../src/printing/ipp/wire/other-answers.ts';
import { ippAddress } from '../../../src/printing/ipp/wire/ipp-address.ts';
import { startVirtualPrinter } from '../../../src/simulator/printer/printer.ts';
import { aDocument, openPrinter, plainPlan } from '../../support/printer/printers.ts';
import { withoutLimit } from '../../support/patience.ts';

const refusal = (
  status: number,
  headers: Record<string, string> = {},
  uri = 'ipp://printer.example/ipp/print',
) => httpRefusal({ status, headers }, ippAddress(uri));

const reported = ({ code, message }: Problem) => [code, message];

describe('a demand for TLS', () => {
  it.each([
    ['ipp://printer.example/ipp/print', 'ipps://printer.example:631/ipp/print'],
    ['ipp://10.0.0.7:8631/ipp/print', 'ipps://10.0.0.7:8631/ipp/print'],
    ['ipp://[fd00::7]/ipp/print', 'ipps://[fd00::7]:631/ipp/print'],
    ['ipp://printer.example:80/', 'ipps://printer.example:80/'],
    ['cups://spooler.example/Lobby', 'cupss://spooler.example:631/Lobby'],
  ])('of %s names the line to write', (uri, line) => {
    const { code, message } = refusal(426, {}, uri);
    expect(code).toBe('printer-tls-wanted');
    expect(message.endsWith(`it wants TLS. Write uri: ${line}`)).toBe(true);
  });

  it('over TLS is a demand for something else', () => {
    expect(refusal(426, { upgrade: 'h2c' }, 'ipps://printer.example/ipp/print').code).toBe(
      'printer-protocol',
    );
  });
});

describe('a redirect', () => {
  it.each([
    ['https://printer.example/', 'printer-tls-wanted', 'Write uri: ipps://printer.example:443/ipp/print'],
    [
      'https://printer.example:631/ipp/print',
      'printer-tls-wanted',
      'Write uri: ipps://printer.example:631/ipp/print',
    ],
    [
      'ipps://printer.example/ipp/print',
      'printer-tls-wanted',
      'Write uri: ipps://printer.example:631/ipp/print',
    ],
    ['ipp://other.example/ipp', 'printer-moved', 'write uri: ipp://other.example:631/ipp'],
    ['/ipp/printer', 'printer-moved', 'write uri: ipp://printer.example:631/ipp/printer'],
    ['http://printer.example/ipp', 'printer-moved', 'write uri: ipp://printer.example:80/ipp'],
    ['//other.example/x?token=1', 'printer-moved', 'write uri: ipp://other.example:80/x'],
    ['https://me:secret@other.example/x', 'printer-moved', 'write uri: ipps://other.example:443/x'],
  ])('to %s is %s, with the line to write', (location, code, line) => {
    const problem = refusal(302, { location });
    expect(problem.code).toBe(code);
    expect(problem.message.endsWith(line)).toBe(true);
  });

  it.each([
    ['nowhere', {}],
    ['a mail', { location: 'mailto:somebody@example' }],
    ['what is no address', { location: 'http://[' }],
    ['an endless address', { location: `http://other.example/${'x'.repeat(300)}` }],
  ])('to %s names none', (_, headers) => {
    expect(reported(refusal(307, headers))).toEqual([
      'printer-moved',
      'printer.example answered HTTP 307: it sends Platen to another address, but does not say which',
    ]);
  });
});

it.each([
  ...[404, 405, 406, 410, 415, 421, 501].map(
    (status) => [status, 'printer-path-unknown', 'answered'] as const,
  ),
  ...[407, 511].map((status) => [status, 'printer-no-ipp', 'answered'] as const),
  ...[401, 403].map((status) => [status, 'printer-denied', 'answered'] as const),
  ...[429, 503].map((status) => [status, 'printer-busy', 'answered'] as const),
  [400, 'printer-protocol', 'answered'],
  [502, 'printer-protocol', 'perhaps'],
  // It may have done what it was asked.
  [204, 'printer-no-ipp', 'perhaps'],
  [303, 'printer-moved', 'perhaps'],
] as const)('HTTP %i is %s, %s', (status, code, delivery) => {
  expect(refusal(status)).toMatchObject({ code, delivery, status });
});

describe('HTTP 400', () => {
  it('of a host by name may mean the name, which CUPS must know', () => {
    expect(refusal(400)).toMatchObject({
      code: 'printer-protocol',
      advice: expect.stringContaining('ServerAlias printer.example'),
    });
  });

  it.each(['ipp://10.0.0.7/ipp/print', 'ipp://[fd00::7]/ipp/print'])('of %s does not', (uri) => {
    expect(refusal(400, {}, uri).advice).not.toContain('ServerAlias');
  });
});

it.each([
  [
    'text/html; charset=utf-8',
    20,
    'printer-no-ipp',
    'printer.example answered what is not IPP, as text/html',
  ],
  ['application/ipp', 0, 'printer-no-ipp', 'printer.example answered nothing at all instead of IPP'],
  ['application/ipp', 20, 'printer-protocol', 'printer.example answered what is not IPP, as application/ipp'],
])('OK with %s of %i octets is %s', (type, length, code, message) => {
  const address = ippAddress('ipp://printer.example/ipp/print');
  const problem = notIpp({ headers: { 'content-type': type }, length, cause: undefined }, address);
  expect(reported(problem)).toEqual([code, message]);
});

it('after a demand for TLS at a document no further document goes out in the clear', async () => {
  await using peer = await startVirtualPrinter({ habits: ['wants-tls=documents'] });
  const { printer } = openPrinter(peer.uri);
  const send = async () => {
    const job = await printer.createJob(plainPlan, withoutLimit());
    return printer.send(job, plainPlan, await aDocument(), withoutLimit());
  };
  await expect(send()).rejects.toMatchObject({ code: 'printer-tls-wanted', delivery: 'answered' });
  await expect(send()).rejects.toMatchObject({ code: 'printer-tls-wanted', delivery: 'not-sent' });
  expect(peer.requests.filter(({ operation }) => operation === 'Send-Document')).toHaveLength(1);
});
