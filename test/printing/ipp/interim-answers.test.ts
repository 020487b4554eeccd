/**
 * Interim answers, asked for by nobody (RFC 9110 section 15.2: a client parses them, and may ignore them). A Xerox Phaser
 * 8200 says "100 Continue" to every request, and slowly (apple/cups#716).
 */
import { describe, expect, it } from 'vitest';
import { openPrinter, sendTo } from '../../support/printer/printers.ts';
import { pdfOf } from '../../support/printer/samples.ts';
import type { RawHabits } from './raw-http-printer.ts';
import { decentAnswer, startRawPrinter } from './raw-http-printer.ts';
import { withoutLimit } from '../../support/patience.ts';

const goOn = 'HTTP/1.1 100 Continue\r\n\r\n';
const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\nServer: printer\r\n\r\n';

const interims: readonly (readonly [string, string])[] = [
  ['100 Continue', goOn],
  ['100 Continue with headers, as some send it', 'HTTP/1.1 100 Continue\r\nServer: printer\r\n\r\n'],
  ['102 Processing', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ['103 Early Hints with headers', hints],
  ['twelve of all kinds', `${goOn}${hints}HTTP/1.1 102 Processing\r\n\r\n`.repeat(4)],
];

const moments: readonly (readonly [string, (interim: string) => RawHabits])[] = [
  ['as soon as it is connected to', (interim) => ({ connected: (socket) => socket.write(interim) })],
  ['before it has read the body', (interim) => ({ headed: (socket) => socket.write(interim) })],
  [
    'before its answer',
    (interim) => ({
      asked: (exchange) =>
        exchange.socket.write(interim, () => exchange.socket.write(decentAnswer(exchange))),
    }),
  ],
  [
    'in one with its answer',
    (interim) => ({
      asked: (exchange) =>
        exchange.socket.write(Buffer.concat([Buffer.from(interim), decentAnswer(exchange)])),
    }),
  ],
];

describe.each(moments)('a printer that says it %s', (_, habitsWith) => {
  it.each(interims)('is printed to all the same, once: %s', async (_what, interim) => {
    const peer = await startRawPrinter(habitsWith(interim));
    const { printer } = openPrinter(peer.uri);
    const document = pdfOf(1_000_000);
    const job = await sendTo({ printer }, document);
    expect(await printer.follow(job, withoutLimit())).toMatchObject({ state: 'completed' });
    const sent = peer.exchanges.filter(({ operation }) => operation === 'Send-Document');
    expect(sent.map((one) => one.document.equals(document))).toEqual([true]);
    expect(peer.exchanges.every(({ head }) => !/^expect:/im.test(head))).toBe(true);
  });
});

it('a printer that never says more than that is given up like one that says nothing', async () => {
  const peer = await startRawPrinter({ asked: ({ socket }) => socket.write(goOn.repeat(64)) });
  const { printer } = openPrinter(peer.uri);
  const giveUp = new AbortController();
  const asked = printer.describe({ signal: giveUp.signal });
  await expect.poll(() => peer.exchanges.length).toBe(1);
  giveUp.abort();
  await expect(asked).rejects.toMatchObject({ code: 'printer-unreachable', delivery: 'perhaps' });
});

it.each([
  ['100 Continue', goOn],
  ['103 Early Hints', hints],
])('a printer that says it without an end is given up after 64, and asked once: %s', async (_, interim) => {
  const peer = await startRawPrinter({ asked: ({ socket }) => socket.write(interim.repeat(65)) });
  await expect(openPrinter(peer.uri).printer.describe(withoutLimit())).rejects.toMatchObject({
    code: 'printer-protocol',
    delivery: 'perhaps',
  });
  expect(peer.exchanges).toHaveLength(1);
});
