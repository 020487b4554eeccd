/** Answers beside the standard that can be understood all the same, as CUPS understands them; and those that cannot. */
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/ipp/message.ts';
import { attribute } from '../../../src/ipp/message.ts';
import { statusCodes } from '../../../src/ipp/registry.ts';
import { enumValue } from '../../../src/ipp/values.ts';
import { openPrinter, sendTo } from '../../support/printer/printers.ts';
import { pdfOf } from '../../support/printer/samples.ts';
import { idlePrinter, jobAnswer, startScriptedPrinter } from '../../support/printer/scripted-printer.ts';
import { decentAnswer, startRawPrinter } from './raw-http-printer.ts';
import { withoutLimit } from '../../support/patience.ts';

/** Says it in every answer. */
const printerThat = (changed: (request: Message) => Partial<Message>, headers?: readonly string[]) =>
  startRawPrinter({
    asked: (exchange) => exchange.socket.write(decentAnswer(exchange, changed(exchange.message), headers)),
  });

describe('printed to all the same is a printer', () => {
  it.each<[string, readonly string[]]>([
    ['without a Content-Type', []],
    ['of text/html', ['content-type: text/html']],
    ['of application/octet-stream', ['Content-Type: application/octet-stream']],
    ['of APPLICATION/IPP with a charset', ['content-type: APPLICATION/IPP; charset=utf-8']],
  ])('that answers IPP %s', async (_, headers) => {
    const peer = await printerThat(() => ({}), headers);
    const { printer } = openPrinter(peer.uri);
    const job = await sendTo({ printer }, pdfOf(5000));
    expect(await printer.follow(job, withoutLimit())).toMatchObject({ state: 'completed' });
  });

  it.each<[string, Message['version']]>([
    ['1.0', [1, 0]],
    ['1.1', [1, 1]],
    ['2.2', [2, 2]],
  ])('that answers in version %s whatever it is asked in', async (_, version) => {
    const peer = await printerThat(() => ({ version }));
    const { printer } = openPrinter(peer.uri);
    const job = await sendTo({ printer }, pdfOf(5000));
    expect(await printer.follow(job, withoutLimit())).toMatchObject({ state: 'completed' });
  });
});

/** As a Lexmark T620dn does (apple/cups#2683). */
it('printed to all the same is a printer that answers in HTTP/1.0, and ends each answer by closing', async () => {
  const peer = await startRawPrinter({
    asked(exchange) {
      const answer = decentAnswer(exchange);
      const body = answer.subarray(answer.indexOf('\r\n\r\n') + 4);
      const head = 'HTTP/1.0 200 OK\r\nContent-Type: application/ipp\r\n\r\n';
      exchange.socket.end(Buffer.concat([Buffer.from(head), body]));
    },
  });
  const { printer } = openPrinter(peer.uri);
  const job = await sendTo({ printer }, pdfOf(1_000_000));
  expect(await printer.follow(job, withoutLimit())).toMatchObject({ state: 'completed' });
  expect(peer.sockets).toHaveLength(peer.exchanges.length);
});

/** RFC 8011 section 5.3.7 knows 3 to 9. */
it.each([0, 2, 10, 255])(
  'a document was taken also where its job is in a state of %i, whatever that is',
  async (state) => {
    const odd = jobAnswer(attribute('job-state', enumValue(state)));
    let documents = 0;
    const uri = await startScriptedPrinter((_, operation) => {
      if (operation === 'Get-Printer-Attributes') return idlePrinter();
      if (operation === 'Send-Document') documents += 1;
      return operation === 'Validate-Job' ? {} : odd;
    });
    await expect(sendTo(openPrinter(uri), pdfOf(5000))).resolves.toMatchObject({ jobId: 1 });
    expect(documents).toBe(1);
  },
);

describe('an error', () => {
  it.each([0, 1, 0x7fff_ffff, -1])('counts with the request-id %i', async (requestId) => {
    const code = statusCodes['client-error-not-authenticated'];
    const peer = await printerThat(() => ({ code, requestId, groups: [], version: [1, 1] }));
    await expect(openPrinter(peer.uri).printer.describe(withoutLimit())).rejects.toMatchObject({
      code: 'printer-denied',
      delivery: 'answered',
      reasons: ['client-error-not-authenticated'],
    });
  });
});

describe('a success', () => {
  it.each([0, 999])('with the request-id %i may be that of another request', async (requestId) => {
    const peer = await printerThat(() => ({ requestId }));
    await expect(openPrinter(peer.uri).printer.describe(withoutLimit())).rejects.toMatchObject({
      code: 'printer-protocol',
      delivery: 'perhaps',
    });
  });
});

it.each([
  ['application/ipp', 'printer-protocol'],
  ['text/html', 'printer-no-ipp'],
])('what does not decode is no answer, as %s', async (type, code) => {
  const page = '<html>It works!</html>';
  const peer = await startRawPrinter({
    asked: ({ socket }) =>
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${page.length}\r\n\r\n${page}`,
      ),
  });
  await expect(openPrinter(peer.uri).printer.describe(withoutLimit())).rejects.toMatchObject({
    code,
    delivery: 'perhaps',
    message: expect.stringContaining(type) as string,
  });
});
