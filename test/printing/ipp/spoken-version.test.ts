/**
 * Versions that a printer refuses, in every way they do (RFC 8011 section 4.1.8). A Konica Minolta bizhub C253 says
 * server-error-version-not-supported (OpenPrinting/cups-filters#163), a print server of TP-Link says it in version 1.0
 * with request-id 0 (williamkapke/ipp#15); others call the request bad, in IPP or in HTTP, as CUPS expects of them
 * (backend/ipp.c).
 */
import { describe, expect, it } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import type { KnownPrinter, PrinterMemory } from '../../../src/domain/ports/printer-memory.ts';
import type { Message } from '../../../src/ipp/message.ts';
import { attribute } from '../../../src/ipp/message.ts';
import { statusCodes } from '../../../src/ipp/registry.ts';
import { keyword } from '../../../src/ipp/values.ts';
import { openPrinter, plainPlan, sendTo } from '../../support/printer/printers.ts';
import { pdfOf } from '../../support/printer/samples.ts';
import { idlePrinter, startScriptedPrinter } from '../../support/printer/scripted-printer.ts';
import type { RawExchange } from './raw-http-printer.ts';
import { decentAnswer, startRawPrinter } from './raw-http-printer.ts';
import { withoutLimit } from '../../support/patience.ts';

type Refusal = (exchange: RawExchange) => Buffer | string;

const inIpp =
  (code: number): Refusal =>
  (exchange) =>
    decentAnswer(exchange, { code, groups: [] });
const inOldIpp =
  (code: number): Refusal =>
  (exchange) =>
    decentAnswer(exchange, { code, groups: [], requestId: 0, version: [1, 0] });
const inHttp =
  (line: string): Refusal =>
  () =>
    `HTTP/1.1 ${line}\r\ncontent-length: 0\r\n\r\n`;

const refusals: readonly (readonly [string, Refusal])[] = [
  ['server-error-version-not-supported', inIpp(statusCodes['server-error-version-not-supported'])],
  ['the same with request-id 0, in version 1.0', inOldIpp(statusCodes['server-error-version-not-supported'])],
  ['client-error-bad-request', inIpp(statusCodes['client-error-bad-request'])],
  ['the same with request-id 0, in version 1.0', inOldIpp(statusCodes['client-error-bad-request'])],
  ['HTTP 400', inHttp('400 Bad Request')],
  ['HTTP 505', inHttp('505 HTTP Version Not Supported')],
];

/** Speaks these only. */
const printerOf = (spoken: readonly string[], refusal: Refusal) =>
  startRawPrinter({
    asked(exchange) {
      const isSpoken = spoken.includes(exchange.message.version.join('.'));
      exchange.socket.write(isSpoken ? decentAnswer(exchange) : refusal(exchange));
    },
  });

const asked = (exchanges: readonly { message: Message }[]) =>
  exchanges.map(({ message }) => message.version.join('.'));

function memory(): PrinterMemory & { readonly known: Map<string, KnownPrinter> } {
  const known = new Map<string, KnownPrinter>();
  return {
    known,
    recall: (address) => known.get(address),
    keep: (address, printer) => void known.set(address, printer),
    all: () => [...known.values()],
  };
}
const open = (uri: string, kept: PrinterMemory) =>
  openPrinter(uri, { access: { memory: kept, tls: { trust: 'auto' }, chance: systemChance } }).printer;

describe.each(refusals)('a printer that refuses a version by %s', (_, refusal) => {
  it.each(['1.1', '1.0'])('is printed to in %s, and the document is sent once', async (spoken) => {
    const peer = await printerOf([spoken], refusal);
    const { printer } = openPrinter(peer.uri);
    const job = await sendTo({ printer }, pdfOf(5000));
    expect(await printer.follow(job, withoutLimit())).toMatchObject({ state: 'completed' });
    const tried = spoken === '1.1' ? ['2.0'] : ['2.0', '1.1'];
    const rest = peer.exchanges.slice(tried.length).map(() => spoken);
    expect(asked(peer.exchanges)).toEqual([...tried, ...rest]);
    const documents = peer.exchanges.filter(({ document }) => document.length > 0);
    expect(documents.map(({ operation }) => operation)).toEqual(['Send-Document']);
  });

  it('in every version is told by its first refusal', async () => {
    const peer = await printerOf([], refusal);
    const refused = await openPrinter(peer.uri)
      .printer.describe(withoutLimit())
      .catch((error: unknown) => error);
    expect(asked(peer.exchanges)).toEqual(['2.0', '1.1', '1.0']);
    expect(refused).toMatchObject({ delivery: 'answered' });
  });
});

it('a request that is called bad by a printer that has understood the version is not made again', async () => {
  const peer = await startRawPrinter({
    asked(exchange) {
      const isBad = exchange.operation === 'Create-Job';
      exchange.socket.write(
        decentAnswer(exchange, isBad ? { code: statusCodes['client-error-bad-request'], groups: [] } : {}),
      );
    },
  });
  const { printer } = openPrinter(peer.uri);
  await printer.describe(withoutLimit());
  await expect(printer.createJob(plainPlan, withoutLimit())).rejects.toMatchObject({
    code: 'printer-refused-job',
    reasons: ['client-error-bad-request'],
  });
  expect(peer.exchanges.filter(({ operation }) => operation === 'Create-Job')).toHaveLength(1);
});

describe('what worked', () => {
  it('is remembered with the printer, and asked in first after a restart', async () => {
    const peer = await printerOf(['1.1'], inIpp(statusCodes['client-error-bad-request']));
    const kept = memory();
    await open(peer.uri, kept).describe(withoutLimit());
    expect([...kept.known.values()]).toMatchObject([{ habits: { version: '1.1' } }]);
    await open(peer.uri, kept).describe(withoutLimit());
    expect(asked(peer.exchanges)).toEqual(['2.0', '1.1', '1.1']);
  });

  it('is nothing to remember where it is the best', async () => {
    const peer = await printerOf(['2.0'], inHttp('400 Bad Request'));
    const kept = memory();
    await open(peer.uri, kept).describe(withoutLimit());
    expect([...kept.known.values()].map(({ habits }) => habits)).toEqual([undefined]);
  });

  it('is forgotten when new firmware lists 2.0, and speaks it', async () => {
    const versions: string[] = [];
    const uri = await startScriptedPrinter(({ version }) => {
      versions.push(version.join('.'));
      return idlePrinter(attribute('ipp-versions-supported', keyword('1.1'), keyword('2.0')));
    });
    const kept = memory();
    kept.keep(uri.slice('ipp://'.length, uri.indexOf('/ipp/print')), { uri, habits: { version: '1.1' } });
    const printer = open(uri, kept);
    for (let n = 0; n < 3; n += 1) await printer.describe(withoutLimit());
    expect(versions).toEqual(['1.1', '2.0', '2.0']);
    expect([...kept.known.values()]).toMatchObject([{ habits: { version: undefined } }]);
  });

  it('stays where the printer lists 2.0, and refuses it: it is tried once', async () => {
    const versions: string[] = [];
    const uri = await startScriptedPrinter(({ version }) => {
      versions.push(version.join('.'));
      if (version[0] === 2) return { status: 'server-error-version-not-supported' };
      return idlePrinter(attribute('ipp-versions-supported', keyword('1.1'), keyword('2.0')));
    });
    const kept = memory();
    kept.keep(uri.slice('ipp://'.length, uri.indexOf('/ipp/print')), { uri, habits: { version: '1.1' } });
    const printer = open(uri, kept);
    for (let n = 0; n < 3; n += 1) await printer.describe(withoutLimit());
    expect(versions).toEqual(['1.1', '2.0', '1.1', '1.1']);
    expect([...kept.known.values()]).toMatchObject([{ habits: { version: '1.1' } }]);
  });

  it('is no more when only higher versions are spoken now', async () => {
    const peer = await printerOf(['2.0'], inIpp(statusCodes['server-error-version-not-supported']));
    const kept = memory();
    kept.keep(`127.0.0.1:${peer.port}`, { uri: peer.uri, habits: { version: '1.1' } });
    await open(peer.uri, kept).describe(withoutLimit());
    expect(asked(peer.exchanges)).toEqual(['1.1', '1.0', '2.0']);
    expect([...kept.known.values()]).toMatchObject([{ habits: { version: undefined } }]);
  });
});
