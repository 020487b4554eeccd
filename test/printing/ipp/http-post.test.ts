/** What Node's client is held to by us: lengths, connections, an end for everything that waits (I1, T14). */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { seconds } from '../../../src/core/duration.ts';
import { systemTrust } from '../../../src/printing/ipp/system-trust.ts';
import { encodeMessage } from '../../../src/ipp/encode.ts';
import { operations } from '../../../src/ipp/registry.ts';
import type { PrinterHabits } from '../../../src/domain/ports/printer-memory.ts';
import type { Acquaintance } from '../../../src/printing/ipp/wire/acquaintance.ts';
import type { HttpPost, PostedBody } from '../../../src/printing/ipp/wire/http-post.ts';
import { posted } from '../../../src/printing/ipp/wire/http-post.ts';
import { printerLine } from '../../../src/printing/ipp/wire/printer-line.ts';
import { turnstile } from '../../../src/core/turnstile.ts';
import { forwardClock } from '../../support/forward-clock.ts';
import { aDocument, openPrinter, plainPlan, sendTo, virtualPrinter } from '../../support/printer/printers.ts';
import { pdfOf } from '../../support/printer/samples.ts';
import { decentAnswer, startRawPrinter } from './raw-http-printer.ts';
import { eventually, withoutLimit } from '../../support/patience.ts';

const lineTo = (uri: string, learn: Acquaintance['learn'] = () => {}) => ({
  agent: printerLine({
    address: {
      uri,
      origin: uri.replace('ipp:', 'http:').replace('/ipp/print', ''),
      path: '/ipp/print',
      host: '',
    },
    secureContext: systemTrust(),
    acquaintance: { meet: () => {}, habits: () => ({}), learn },
    clock: systemClock,
  }),
  places: turnstile(4),
});

const bodyOf = (length: number, ...chunks: readonly Buffer[]): PostedBody => ({
  length,
  async *octets() {
    yield* chunks;
  },
});

const question = encodeMessage({
  version: [1, 1],
  code: operations['Get-Printer-Attributes'],
  requestId: 1,
  groups: [{ tag: 'operation-attributes', attributes: [] }],
});

const postTo = (uri: string, body: PostedBody): HttpPost => ({
  origin: uri.replace('ipp:', 'http:').replace('/ipp/print', ''),
  path: '/ipp/print',
  headers: {},
  body,
  admit: () => {},
  isQuestion: false,
});

const post = (uri: string, body: PostedBody) => posted(lineTo(uri), postTo(uri, body), withoutLimit());

describe('a request', () => {
  it('says its length, is not chunked, and names the printer as its address does', async () => {
    const peer = await startRawPrinter({});
    await openPrinter(peer.uri).printer.describe(withoutLimit());
    const [head = ''] = peer.exchanges.map((one) => one.head);
    expect(head).toMatch(/^POST \/ipp\/print HTTP\/1\.1\r\n/);
    expect(head).toMatch(/^content-length: \d+$/im);
    expect(head).toMatch(new RegExp(`^host: 127\\.0\\.0\\.1:${peer.port}$`, 'im'));
    expect(head).not.toMatch(/transfer-encoding|expect|authorization|cookie|user-agent/i);
  });

  it('keeps its connection for the next one, and no longer than 2 s of the time that is kept here', async () => {
    const clock = forwardClock();
    const peer = await startRawPrinter({});
    const { printer } = openPrinter(peer.uri, { clock });
    await printer.describe(withoutLimit());
    await printer.describe(withoutLimit());
    expect(peer.connections).toEqual({ now: 1, most: 1 });
    const closed = once(peer.sockets[0] as Socket, 'close');
    clock.forward(seconds(2));
    await closed;
    await printer.describe(withoutLimit());
    expect(peer.sockets).toHaveLength(2);
  });

  it.each([
    ['longer', 10, /longer than the 10 octets/],
    ['shorter', 30, /ended at 20 of 30 octets/],
  ])('whose body is %s than it says is broken off', async (_, length, message) => {
    const peer = await startRawPrinter({});
    const body = bodyOf(length, Buffer.alloc(20));
    await expect(post(peer.uri, body)).rejects.toThrow(message);
    expect(peer.exchanges).toEqual([]);
  });

  it('asks for its body when a connection stands, and no faster than the printer takes it', async () => {
    const peer = await startRawPrinter({ connected: (socket) => socket.pause() });
    let given = 0;
    const chunk = Buffer.alloc(64 * 1024);
    async function* octets() {
      for (; given < 4000; given += 1) yield chunk;
    }
    const over = new AbortController();
    const asked = posted(
      lineTo(peer.uri),
      {
        origin: peer.uri.replace('ipp:', 'http:').replace('/ipp/print', ''),
        path: '/',
        headers: {},
        body: { length: 4000 * chunk.length, octets },
        admit: () => {},
        isQuestion: false,
      },
      { signal: over.signal },
    );
    let before = -1;
    await expect
      .poll(() => {
        const isStill = before === given && given > 0;
        before = given;
        return isStill;
      })
      .toBe(true);
    // What the buffers of two sockets hold, of 250 MB.
    expect(given).toBeLessThan(400);
    over.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
  });

  it('that the printer answers before it has taken the document ends with that answer', async () => {
    const peer = await startRawPrinter({
      connected(socket) {
        let taken = 0;
        const look = (chunk: Buffer) => {
          taken += chunk.length;
          if (taken < 2_000_000) return;
          socket.off('data', look);
          socket.write('HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n');
        };
        socket.on('data', look);
      },
    });
    await expect(sendTo(openPrinter(peer.uri), pdfOf(20_000_000))).rejects.toMatchObject({
      code: 'printer-busy',
      delivery: 'perhaps',
    });
    await expect.poll(() => peer.connections.now).toBe(0);
  });
});

describe('connections', () => {
  it('are four at most, however many ask at once', async () => {
    const waiting: (() => void)[] = [];
    const peer = await startRawPrinter({
      asked: (exchange) => waiting.push(() => exchange.socket.write(decentAnswer(exchange))),
    });
    const { printer } = openPrinter(peer.uri);
    const all = Promise.all(Array.from({ length: 12 }, () => printer.describe(withoutLimit())));
    for (let answered = 0; answered < 12; answered += 1) {
      await expect.poll(() => waiting.length).toBeGreaterThan(0);
      expect(waiting.length).toBeLessThanOrEqual(4);
      waiting.shift()?.();
    }
    expect(await all).toHaveLength(12);
    expect(peer.connections.most).toBe(4);
  });

  it('serve one request after the other, and are closed by us when they were idle for two seconds', async () => {
    const peer = await startRawPrinter({});
    const { printer } = openPrinter(peer.uri);
    for (let n = 0; n < 5; n += 1) await printer.describe(withoutLimit());
    expect(peer.sockets).toHaveLength(1);
    const since = systemClock.monotonic();
    const [socket] = peer.sockets;
    if (socket) await once(socket, 'end');
    const idle = systemClock.monotonic() - since;
    expect(idle).toBeGreaterThan(1500);
    expect(idle).toBeLessThan(4000);
  });

  it('that the printer closed meanwhile are not asked through: nothing is in doubt for it', async () => {
    const peer = await startRawPrinter({});
    const { printer } = openPrinter(peer.uri);
    for (let n = 0; n < 20; n += 1) {
      await printer.describe(withoutLimit());
      const socket = peer.sockets.at(-1);
      if (n % 2 === 0) socket?.end();
      else socket?.resetAndDestroy();
      // The goodbye is on its way, and not heard yet when the next request begins.
      await turn();
    }
    expect(peer.exchanges).toHaveLength(20);
  });

  it('that say goodbye in words while idle are not taken for an answer', async () => {
    const peer = await startRawPrinter({});
    const { printer } = openPrinter(peer.uri);
    await printer.describe(withoutLimit());
    peer.sockets[0]?.end('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    await turn();
    expect(await printer.describe(withoutLimit())).toMatchObject({ ready: true });
  });

  it('that break when the request was on its way leave it in doubt, and it is not made again (I1)', async () => {
    const peer = await startRawPrinter({ asked: ({ socket }) => socket.resetAndDestroy() });
    const { printer } = openPrinter(peer.uri);
    await expect(printer.createJob(plainPlan, withoutLimit())).rejects.toMatchObject({
      code: 'printer-unreachable',
      delivery: 'perhaps',
      reasons: ['ECONNRESET'],
    });
    expect(peer.exchanges).toHaveLength(1);
  });

  it('on which a job is made are new where a kept one may be about to close, and leave it in doubt when they break (I1)', async () => {
    const peer = await startRawPrinter({
      asked: (exchange) =>
        exchange.operation === 'Create-Job'
          ? exchange.socket.resetAndDestroy()
          : exchange.socket.write(decentAnswer(exchange)),
    });
    const { printer } = openPrinter(peer.uri);
    await printer.describe(withoutLimit());
    await expect(printer.createJob(plainPlan, withoutLimit())).rejects.toMatchObject({
      code: 'printer-unreachable',
      delivery: 'perhaps',
    });
    expect(peer.sockets).toHaveLength(2);
    expect(peer.exchanges.filter(({ operation }) => operation === 'Create-Job')).toHaveLength(1);
  });

  it('that the printer closes after an answer are learned of, though the memory cannot be written', async () => {
    const peer = await startRawPrinter({ asked: (exchange) => exchange.socket.end(decentAnswer(exchange)) });
    const learned: PrinterHabits[] = [];
    const line = lineTo(peer.uri, (habits) => {
      learned.push(habits);
      throw new Error('the disk is full');
    });
    const answer = await posted(line, postTo(peer.uri, bodyOf(question.length, question)), withoutLimit());
    for await (const _ of answer.body);
    await eventually(() => expect(learned).toEqual([{ hangsUp: true }]));
  });

  it('over which our own side gave up teach nothing of the printer', async () => {
    const peer = await startRawPrinter({
      asked: (exchange) => exchange.socket.write(decentAnswer(exchange)),
    });
    const learned: PrinterHabits[] = [];
    const line = lineTo(peer.uri, (habits) => void learned.push(habits));
    const answer = await posted(
      line,
      { ...postTo(peer.uri, bodyOf(question.length, question)), isQuestion: true },
      withoutLimit(),
    );
    for await (const _ of answer.body);
    const refused = posted(
      line,
      {
        ...postTo(peer.uri, bodyOf(question.length, question)),
        isQuestion: true,
        admit() {
          throw new Error('no password for this one');
        },
      },
      withoutLimit(),
    );
    await expect(refused).rejects.toThrow('no password for this one');
    expect(learned).toEqual([]);
  });

  it('that stay open serve a job as well, and leave it in doubt when they break over it (I1)', async () => {
    const peer = await startRawPrinter({
      asked: (exchange) =>
        exchange.operation === 'Create-Job'
          ? exchange.socket.resetAndDestroy()
          : exchange.socket.write(decentAnswer(exchange)),
    });
    let ahead = 0;
    const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + ahead };
    const { printer } = openPrinter(peer.uri, { clock });
    await printer.describe(withoutLimit());
    ahead += 300;
    await printer.describe(withoutLimit());
    await expect(printer.createJob(plainPlan, withoutLimit())).rejects.toMatchObject({ delivery: 'perhaps' });
    expect(peer.sockets).toHaveLength(1);
    expect(peer.exchanges.filter(({ operation }) => operation === 'Create-Job')).toHaveLength(1);
  });

  it('that were kept and break before an answer are made once more for a question, and once only', async () => {
    const peer = await startRawPrinter({
      asked: (exchange) =>
        [2, 4].includes(peer.exchanges.length)
          ? exchange.socket.resetAndDestroy()
          : exchange.socket.write(decentAnswer(exchange)),
    });
    const { printer } = openPrinter(peer.uri);
    for (const asked of [1, 3]) {
      await printer.describe(withoutLimit());
      expect(peer.exchanges).toHaveLength(asked);
    }
    await expect(printer.describe(withoutLimit())).rejects.toMatchObject({ code: 'printer-unreachable' });
    expect(peer.exchanges).toHaveLength(4);
  });

  it('that nobody answers to keep nobody out: the next ones are made', async () => {
    const peer = await virtualPrinter();
    const { printer } = openPrinter(peer.uri);
    await peer.behave({ kind: 'refuse-connections' });
    for (let n = 0; n < 12; n += 1) {
      await expect(printer.describe(withoutLimit())).rejects.toMatchObject({
        code: 'printer-unreachable',
        delivery: 'not-sent',
      });
    }
    await peer.clear();
    expect(await printer.describe(withoutLimit())).toMatchObject({ ready: true });
  });

  it('are given up with the request that wanted them, or with the printer', async () => {
    // Documentation addresses (RFC 5737) lead nowhere; where the network says so at once, that is an end as well.
    const { printer } = openPrinter('ipp://192.0.2.1:631/ipp/print');
    const signal = systemClock.deadline(seconds(0.05));
    await expect(printer.describe({ signal })).rejects.toMatchObject({
      code: 'printer-unreachable',
      delivery: 'not-sent',
    });
    const asked = printer.describe(withoutLimit());
    await printer[Symbol.asyncDispose]();
    await expect(asked).rejects.toMatchObject({ code: 'printer-unreachable', delivery: 'not-sent' });
    const { printer: closed } = openPrinter('ipp://127.0.0.1:9/ipp/print');
    await closed[Symbol.asyncDispose]();
    await expect(closed.describe(withoutLimit())).rejects.toMatchObject({ delivery: 'not-sent' });
  });
});

it('an answer that stops in the middle is given up in time, and leaves in doubt what was asked', async () => {
  const peer = await startRawPrinter({
    asked: (exchange) => exchange.socket.write(decentAnswer(exchange).subarray(0, -5)),
  });
  const { printer } = openPrinter(peer.uri);
  await expect(printer.describe({ signal: systemClock.deadline(seconds(0.2)) })).rejects.toMatchObject({
    code: 'printer-unreachable',
    delivery: 'perhaps',
    cause: { name: 'TimeoutError' },
  });
  await expect.poll(() => peer.connections.now).toBe(0);
});

it('a printer that wants to speak something else from now on is not followed', async () => {
  const peer = await startRawPrinter({
    asked: ({ socket }) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: TLS/1.2\r\n\r\n'),
  });
  const { printer } = openPrinter(peer.uri);
  for (let n = 0; n < 6; n += 1) {
    await expect(printer.describe(withoutLimit())).rejects.toMatchObject({
      code: 'printer-unreachable',
      delivery: 'perhaps',
    });
  }
  await expect.poll(() => peer.connections.now).toBe(0);
});

it('a demand for TLS with the headers that CUPS gives it is told as what it is', async () => {
  const peer = await startRawPrinter({
    asked: ({ socket }) =>
      socket.write(
        'HTTP/1.1 426 Upgrade Required\r\nconnection: Upgrade\r\nupgrade: TLS/1.2,TLS/1.1,TLS/1.0\r\ncontent-length: 0\r\n\r\n',
      ),
  });
  await expect(openPrinter(peer.uri).printer.describe(withoutLimit())).rejects.toMatchObject({
    code: 'printer-tls-wanted',
    status: 426,
  });
});

it('a document of which nothing was read yet is not asked for by a printer that cannot be reached', async () => {
  const { printer } = openPrinter('ipp://127.0.0.1:9/ipp/print');
  const job = { jobId: 1, jobUri: printer.uri, jobName: plainPlan.jobName };
  await expect(printer.send(job, plainPlan, await aDocument(), withoutLimit())).rejects.toMatchObject({
    code: 'printer-unreachable',
    delivery: 'not-sent',
  });
});
