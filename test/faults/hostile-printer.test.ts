/**
 * A printer that means harm, or is badly broken (INVARIANTS.md T14; B.4, 7): whatever it answers, the release ends in
 * its limits with a problem code, nothing comes out twice, nothing of it reaches the log or the screen as it is, and
 * the next badge works (I1, I7, I8). One agent meets all of them, one after the other.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLoopbackServer } from '../../src/simulator/loopback-server.ts';
import { encodeMessage } from '../../src/ipp/encode.ts';
import { attribute } from '../../src/ipp/message.ts';
import type { Operation } from '../../src/ipp/registry.ts';
import type { Value } from '../../src/ipp/message.ts';
import * as ipp from '../../src/ipp/values.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import type { Screen } from '../support/agent/screen.ts';
import { launchScreen } from '../support/agent/screen.ts';
import type { HostilePrinter, Hostility } from '../support/printer/hostile-printer.ts';
import { say, saying, sayOctets, startHostilePrinter } from '../support/printer/hostile-printer.ts';
import type { RunningStage } from '../support/agent/running-stage.ts';
import { setRunningStage } from '../support/agent/running-stage.ts';

/** Colours a terminal, turns the text round, and claims to be another line. */
const ugly = '\u001b[31mmedia-empty\u202e\n{"level":"info"}\u0007';
const mebibyte = 1024 * 1024;

const http =
  (status: number, headers: Readonly<Record<string, string>> = {}): Hostility =>
  ({ response }) =>
    response.writeHead(status, { 'content-length': '0', ...headers }).end();

const octets =
  (make: (decent: Buffer) => Buffer): Hostility =>
  ({ response, answer }) =>
    sayOctets(response, make(encodeMessage(answer)));

/** As long as anybody listens, up to 100 MB. */
const endlessly =
  (head: string, chunk: Buffer): Hostility =>
  async ({ response: { socket } }) => {
    socket?.write(head);
    for (let times = 0; times < (100 * mebibyte) / chunk.length; times += 1) {
      if (!socket?.writable) return;
      if (!socket.write(chunk))
        await Promise.race([new Promise((go) => socket.once('drain', go)), wait(100)]);
    }
  };

const nested = (depth: number): Value =>
  depth === 0 ? ipp.integer(1) : ipp.collection([attribute('deeper', nested(depth - 1))]);

const header = 'HTTP/1.1 200 OK\r\ncontent-type: application/ipp\r\n';

/** A value-length of so many octets, whatever the standard allows. */
const longKeyword = (length: number): Buffer => {
  const head = Buffer.from([0x44, 0, 21]);
  const size = Buffer.alloc(2);
  size.writeUInt16BE(length);
  return Buffer.concat([head, Buffer.from('printer-state-reasons'), size, Buffer.alloc(length, 'a')]);
};
const withKeyword = (length: number): Hostility =>
  octets((decent) => Buffer.concat([decent.subarray(0, -1), longKeyword(length), Buffer.from([3])]));

/** Octets that are what these characters are in ISO 8859-1, and nothing in UTF-8. */
const latin1Name = octets((decent) =>
  Buffer.concat([
    decent.subarray(0, -1),
    Buffer.from([0x41, 0, 22]),
    Buffer.from('printer-make-and-model'),
    Buffer.from([0, 6]),
    Buffer.from('Dr\u00fcck\u00e9', 'latin1'),
    Buffer.from([3]),
  ]),
);

interface Row {
  readonly what: string;
  readonly to?: Operation;
  readonly hostility: Hostility;
  readonly outcome?: 'completed' | 'failed' | 'unknown';
  readonly code?: string;
  /** The document is larger than the buffers of a connection. */
  readonly isLarge?: true;
  /** Its limit is ten minutes. */
  readonly isSlow?: true;
}

const beforeTheIntent: readonly Row[] = [
  {
    what: 'headers without an end',
    hostility: endlessly(header, Buffer.from(`x-more: ${'x'.repeat(4000)}\r\n`)),
    code: 'printer-unreachable',
  },
  {
    what: '100 MB of answer',
    hostility: endlessly(`${header}content-length: ${100 * mebibyte}\r\n\r\n`, Buffer.alloc(65_536)),
    code: 'printer-protocol',
  },
  {
    what: 'a gzip bomb nobody asked for',
    hostility: ({ response }) =>
      sayOctets(response.setHeader('content-encoding', 'gzip'), gzipSync(Buffer.alloc(64 * mebibyte))),
    code: 'printer-protocol',
  },
  {
    what: '10 001 attributes',
    hostility: saying(...Array.from({ length: 10_001 }, (_, n) => attribute(`a${n}`, ipp.integer(n)))),
    code: 'printer-protocol',
  },
  {
    what: 'collections nine deep',
    hostility: saying(attribute('media-col-ready', nested(9))),
    code: 'printer-protocol',
  },
  {
    what: 'a keyword of 65 535 octets',
    hostility: withKeyword(65_535),
    code: 'printer-protocol',
  },
  {
    what: 'the answer to another request',
    hostility: ({ response, answer }) =>
      say({ response, answer: { ...answer, requestId: answer.requestId + 1 } }),
    code: 'printer-protocol',
  },
  {
    what: 'version 9.9 of the protocol',
    hostility: ({ response, answer }) => say({ response, answer: { ...answer, version: [9, 9] } }),
    code: 'printer-protocol',
  },
  {
    what: 'a page of HTML with status 200',
    hostility: ({ response }) => response.setHeader('content-type', 'text/html').end('<html>It works!'),
    code: 'printer-no-ipp',
  },
  { what: 'a demand for a password', hostility: http(401), code: 'printer-denied' },
  { what: 'a demand for TLS', hostility: http(426, { upgrade: 'TLS/1.2' }), code: 'printer-tls-wanted' },
  {
    what: 'an end without an answer',
    hostility: ({ response }) => response.socket?.end(),
    code: 'printer-unreachable',
  },
  {
    what: 'an octet at a time',
    async hostility({ response }) {
      response.writeHead(200, { 'content-type': 'application/ipp' });
      for (let times = 0; times < 100 && !response.destroyed; times += 1) {
        response.write('\u0002');
        await wait(50);
      }
    },
    code: 'printer-unreachable',
  },
  {
    what: 'no attributes at all',
    hostility: ({ response, answer }) => say({ response, answer: { ...answer, groups: [] } }),
    code: 'printer-protocol',
  },
  {
    what: 'a reason that is no keyword',
    hostility: saying(
      attribute('printer-state', ipp.enumValue(5)),
      attribute('printer-state-reasons', ipp.keyword(ugly)),
    ),
    code: 'printer-not-ready',
  },
];

const atTheJob: readonly Row[] = [
  {
    what: 'a job without an id',
    to: 'Create-Job',
    hostility: ({ response, answer }) => say({ response, answer: { ...answer, groups: [] } }),
    outcome: 'failed',
    code: 'printer-protocol',
  },
  {
    what: 'an answer before the document was read',
    to: 'Send-Document',
    async hostility({ request, response, answer }) {
      let read = 0;
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        read += chunk.length;
        if (read > mebibyte) break;
      }
      say({ response, answer });
    },
    code: 'transfer-broken',
    isLarge: true,
  },
  {
    what: 'the job of somebody else',
    to: 'Get-Job-Attributes',
    hostility: saying(
      attribute('job-name', ipp.nameWithoutLanguage('Salaries.pdf [00000000]')),
      attribute('job-uuid', ipp.uri('urn:uuid:00000000-0000-4000-8000-000000000000')),
    ),
    code: 'outcome-unknown',
  },
  {
    what: 'the end of another job, which it does not name',
    to: 'Get-Job-Attributes',
    hostility({ response, answer }) {
      const attributes = [attribute('job-id', ipp.integer(999)), attribute('job-state', ipp.enumValue(9))];
      say({ response, answer: { ...answer, groups: [{ tag: 'job-attributes', attributes }] } });
    },
    code: 'outcome-unknown',
  },
  {
    // After half a minute of it nobody knows: its clock does not show that it was not restarted meanwhile.
    what: 'a job-state that there is none',
    to: 'Get-Job-Attributes',
    hostility: saying(attribute('job-state', ipp.enumValue(77))),
    code: 'outcome-unknown',
    isSlow: true,
  },
  {
    what: 'an aborted job with counters below zero',
    to: 'Get-Job-Attributes',
    hostility: saying(
      attribute('job-state', ipp.enumValue(8)),
      attribute('job-impressions-completed', ipp.integer(-1)),
      attribute('job-media-sheets-completed', ipp.integer(-1)),
    ),
    code: 'printer-aborted-job',
  },
];

let pages = 0;
const goingDown: Hostility = (exchange) => {
  pages = pages === 0 ? 3 : pages - 1;
  const state = attribute('job-state', ipp.enumValue(pages > 0 ? 5 : 9));
  return saying(state, attribute('job-impressions-completed', ipp.integer(pages)))(exchange);
};

const borne: readonly Row[] = [
  {
    // Before it is seen to count: then it would be unknown.
    what: 'a completed job with no page counted',
    to: 'Get-Job-Attributes',
    hostility: saying(
      attribute('job-impressions-completed', ipp.integer(0)),
      attribute('job-media-sheets-completed', ipp.integer(0)),
    ),
  },
  { what: 'a keyword of 32 767 octets', hostility: withKeyword(32_767) },
  {
    what: 'the same attribute twice, and the second says otherwise',
    hostility: ({ response, answer }) => {
      const [first] = answer.groups;
      const stopped = attribute('printer-state', ipp.enumValue(5));
      const attributes = [...(first?.attributes ?? []), stopped];
      say({ response, answer: { ...answer, groups: [{ tag: 'printer-attributes', attributes }] } });
    },
  },
  { what: 'text in another charset than it says', hostility: latin1Name },
  { what: 'counters that go down', to: 'Get-Job-Attributes', hostility: goingDown },
  {
    what: 'a completed job with counters below zero',
    to: 'Get-Job-Attributes',
    hostility: saying(attribute('job-impressions-completed', ipp.integer(-2_147_483_648))),
  },
];

describe('a hostile printer', () => {
  let printer: HostilePrinter;
  let stage: RunningStage;
  let screen: Screen;
  let before: { sockets: number; memory: number };

  beforeAll(async () => {
    printer = await startHostilePrinter();
    stage = await setRunningStage({ terminal: { printer: { uri: printer.uri, stallSeconds: 5 } } });
    screen = await launchScreen(stage.agent);
    await stage.release();
    before = { sockets: openSockets(), memory: process.memoryUsage().rss };
  });

  afterAll(async () => {
    await screen[Symbol.asyncDispose]();
    await stage[Symbol.asyncDispose]();
    await printer[Symbol.asyncDispose]();
  });

  let count = 0;
  function addDocument(minimumBytes = 0) {
    count += 1;
    const name = `Hostile ${count}.pdf`;
    const bytes = samplePdf({ title: name, pages: 3, minimumBytes });
    return stage.cloud.addDocument({ owner: 'alice', name, pages: 3, bytes });
  }

  async function meet({ to = 'Get-Printer-Attributes', hostility, isLarge, isSlow }: Row) {
    addDocument(isLarge ? 16 * mebibyte : 0);
    printer.be(to, hostility);
    const ended = await (isSlow ? atLeisure() : stage.release());
    printer.clear();
    return ended;
  }

  async function atLeisure() {
    const { agent, clock } = stage;
    await stage.badge();
    const ended = await clock.hurry(agent.told('release ended'));
    await agent.told('session closed');
    return ended;
  }

  const nextBadge = async () => expect(await stage.release()).toMatchObject({ outcome: 'completed' });

  it.each(beforeTheIntent)('before the intent answers with $what: nothing is sent', async (row) => {
    const sent = printer.documents.length;
    expect(await meet(row)).toMatchObject({ outcome: 'failed', code: row.code });
    expect(printer.documents).toHaveLength(sent);
    await nextBadge();
    expect(printer.documents).toHaveLength(sent + 1);
  });

  it.each(atTheJob)('answers with $what: it is told for what it is', async (row) => {
    const { outcome = 'unknown', code } = row;
    expect(await meet(row)).toMatchObject(code === undefined ? { outcome } : { outcome, code });
    if (outcome !== 'failed') addDocument();
    await nextBadge();
  });

  it.each(borne)('answers with $what, which is borne', async (row) => {
    expect(await meet(row)).toMatchObject({ outcome: 'completed' });
  });

  it('leads elsewhere, and nobody follows (I10)', async () => {
    let visits = 0;
    await using canary = await startLoopbackServer({ port: 0, handle: async () => void (visits += 1) });
    const elsewhere = `http://127.0.0.1:${canary.port}/`;
    const row = { what: '', hostility: http(301, { location: elsewhere }) };
    expect(await meet(row)).toMatchObject({ outcome: 'failed', code: 'printer-moved' });
    await nextBadge();
    const jobUri = saying(attribute('job-uri', ipp.uri(elsewhere.replace('http:', 'ipp:'))));
    expect(await meet({ what: '', to: 'Create-Job', hostility: jobUri })).toMatchObject({
      outcome: 'completed',
    });
    expect(visits).toBe(0);
  });

  it('has brought no document out twice, and never had a job cancelled that is not ours (I1)', () => {
    expect(new Set(printer.documents).size).toBe(printer.documents.length);
    expect(printer.operations.filter((one) => one === 'Cancel-Job').length).toBeLessThanOrEqual(2);
  });

  it('has said nothing that stands in the log or on the screen as it came (T21)', () => {
    const sentences = screen.views.map(({ sentence }) => sentence);
    expect(sentences).toContain('The printer needs attention. Please look at its display.');
    expect(sentences.filter((one) => !/^[ -~…]+$/.test(one))).toEqual([]);
    const forged = stage.agent.records.filter((record) =>
      /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(textOf(record)),
    );
    expect(forged).toEqual([]);
    expect(stage.agent.records.some((record) => textOf(record).includes('{"level"'))).toBe(false);
  });

  it('has left no connection and no memory behind (I8)', async () => {
    await expect.poll(openSockets).toBeLessThanOrEqual(before.sockets);
    expect(process.memoryUsage().rss - before.memory).toBeLessThan(192 * mebibyte);
  });
});

const openSockets = () => process.getActiveResourcesInfo().filter((one) => one === 'TCPSocketWrap').length;

/** Every text in the record, at any depth. */
const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return value !== null && typeof value === 'object' ? Object.values(value).map(textOf).join(' ') : '';
};
