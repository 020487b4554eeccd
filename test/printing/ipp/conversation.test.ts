/** How long a printer that sleeps is waited for, and what is told meanwhile. */
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { milliseconds, seconds } from '../../../src/core/duration.ts';
import type { PrinterWait } from '../../../src/domain/ports/printing.ts';
import { conversation } from '../../../src/printing/ipp/wire/ipp-conversation.ts';
import { createSteeredClock } from '../../support/steered-clock.ts';
import { sampleTicket } from '../../support/sample-ticket.ts';
import { hastyClock } from '../../support/hasty-clock.ts';
import { aDocument, openPrinter, plainPlan, sendTo, virtualPrinter } from '../../support/printer/printers.ts';
import { idlePrinter, jobAnswer, startScriptedPrinter } from '../../support/printer/scripted-printer.ts';
import type { Attribute } from '../../../src/ipp/message.ts';
import { attribute } from '../../../src/ipp/message.ts';
import { boolean, enumValue, keyword } from '../../../src/ipp/values.ts';
import { createVirtualTime } from '../../support/virtual-time.ts';
import { pdfOf } from '../../support/printer/samples.ts';
import { decentAnswer, startRawPrinter } from './raw-http-printer.ts';
import { withoutLimit } from '../../support/patience.ts';

function conversing() {
  const clock = createSteeredClock();
  const held = conversation(clock);
  const reported: PrinterWait[] = [];
  const onWait = (wait: PrinterWait) => reported.push(wait);
  /** Answers after so many seconds, unless it is given up; gives how long that was. */
  function ask(takes: number, { isOpening = true, isTold: isReported = true } = {}) {
    const since = clock.monotonic();
    const asked = held
      .hold({ ...withoutLimit(), isOpening, onWait: isReported ? onWait : undefined }, ({ signal }) =>
        clock.sleep(seconds(takes), { signal }),
      )
      .then(
        () => 'answered',
        () => 'given up',
      );
    return asked.then((how) => `${how} after ${(clock.monotonic() - since) / 1000} s`);
  }
  return { clock, reported, ask };
}

describe('the first answer of a conversation', () => {
  it.each([
    [2, []],
    [18, ['waking-up', undefined]],
    [28, ['waking-up', undefined]],
    [44, ['waking-up', undefined]],
  ])('that takes %i s is waited for, and the person is told after three', async (takes, waits) => {
    const { clock, reported, ask } = conversing();
    const asked = ask(takes);
    await clock.advance(seconds(2.9));
    expect(reported).toEqual([]);
    await clock.advance(seconds(60));
    expect(await asked).toBe(`answered after ${takes} s`);
    expect(reported).toEqual(waits);
  });

  it('is given up after 45 s, and nobody is told any more that it wakes up', async () => {
    const { clock, reported, ask } = conversing();
    const asked = ask(1000);
    await clock.advance(seconds(4));
    expect(reported).toEqual(['waking-up']);
    await clock.advance(seconds(60));
    expect(await asked).toBe('given up after 45 s');
    expect(reported).toEqual(['waking-up', undefined]);
  });

  it('is waited for in silence by who only looks', async () => {
    const { clock, reported, ask } = conversing();
    const asked = ask(20, { isTold: false });
    await clock.advance(seconds(60));
    expect(await asked).toBe('answered after 20 s');
    expect(reported).toEqual([]);
  });
});

describe('a later answer', () => {
  it('is waited for ten seconds, until nothing was heard for a minute', async () => {
    const { clock, reported, ask } = conversing();
    const first = ask(0);
    await clock.advance(seconds(0));
    await first;
    await clock.advance(seconds(59));
    const soon = ask(1000);
    await clock.advance(seconds(10));
    expect(await soon).toBe('given up after 10 s');
    const late = ask(20);
    await clock.advance(seconds(20));
    expect(await late).toBe('answered after 20 s');
    expect(reported).toEqual(['waking-up', undefined]);
  });

  it('of what is asked in the middle of a job is waited for no longer, whatever the silence', async () => {
    const { clock, ask } = conversing();
    const asked = ask(1000, { isOpening: false });
    await clock.advance(seconds(60));
    expect(await asked).toBe('given up after 10 s');
  });
});

describe('a printer that sleeps', () => {
  it('wakes up for the document, which comes out once', async () => {
    const time = createVirtualTime();
    const clock = time.clock();
    let isAwake = false;
    const peer = await startRawPrinter({
      async asked(exchange) {
        if (!isAwake) await clock.sleep(seconds(20));
        isAwake = true;
        exchange.socket.write(decentAnswer(exchange));
      },
    });
    const { printer } = openPrinter(peer.uri, { clock });
    const reported: PrinterWait[] = [];
    const document = await aDocument();
    const onWait = (wait: PrinterWait) => reported.push(wait);
    const plan = await time.until(printer.prepare(sampleTicket(), document, { ...withoutLimit(), onWait }));
    expect(reported.filter((wait) => wait !== undefined)).toEqual(['waking-up']);
    expect(reported.at(-1)).toBeUndefined();
    const job = await time.until(printer.createJob(plan, withoutLimit()));
    await time.until(printer.send(job, plan, document, withoutLimit()));
    expect(peer.exchanges.filter(({ document: octets }) => octets.length > 0)).toHaveLength(1);
  });

  it('whose network sleeps as well is waited for from the first knock on', async () => {
    const time = createVirtualTime();
    const clock = time.clock();
    const peer = await startRawPrinter({});
    const { printer } = openPrinter(peer.uri.replace('127.0.0.1', 'printer.example'), {
      clock,
      // Stands for a connection that comes about late: nothing is known before.
      lookup(_name, { all }, done) {
        const answer = () =>
          all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);
        clock.setTimeout(answer, seconds(20));
      },
    });
    expect(await time.until(printer.describe(withoutLimit()))).toMatchObject({ ready: true });
  });

  it.each([
    ['is silent until then', false],
    ['breaks each connection until then', true],
  ])('since a moment ago, and %s, wakes up for the document, too', async (_, breaksOff) => {
    const time = createVirtualTime();
    const clock = time.clock();
    let sleepsUntil = 0;
    const peer = await startRawPrinter({
      async asked(exchange) {
        const left = milliseconds(sleepsUntil - clock.monotonic());
        if (left > 0 && !breaksOff) await clock.sleep(left);
        if (left > 0 && breaksOff) exchange.socket.resetAndDestroy();
        else exchange.socket.write(decentAnswer(exchange));
      },
    });
    const { printer } = openPrinter(peer.uri, { clock });
    await time.until(printer.describe(withoutLimit()));
    sleepsUntil = clock.monotonic() + seconds(12);
    const reported: PrinterWait[] = [];
    const onWait = (wait: PrinterWait) => reported.push(wait);
    const plan = await time.until(
      printer.prepare(sampleTicket(), await aDocument(), { ...withoutLimit(), onWait }),
    );
    expect(plan).toBeDefined();
    expect(reported.at(-1)).toBeUndefined();
  });

  it('and never wakes up is unreachable, with the time that was given to it', async () => {
    const peer = await startRawPrinter({ asked: () => {} });
    const time = createVirtualTime();
    const { printer } = openPrinter(peer.uri, { clock: time.clock() });
    await expect(time.until(sendTo({ printer }, pdfOf(1000)))).rejects.toMatchObject({
      code: 'printer-unreachable',
      message: 'no answer from 127.0.0.1 within 45 s',
    });
  });
});

it('a caller in a hurry is told how long it has waited, and not how long it might have', async () => {
  const peer = await startRawPrinter({ asked: () => {} });
  const time = createVirtualTime();
  const clock = time.clock();
  const { printer } = openPrinter(peer.uri, { clock });
  const asked = printer.describe({ signal: clock.deadline(seconds(15)) });
  await expect(time.until(asked)).rejects.toMatchObject({
    message: expect.stringContaining('no answer from 127.0.0.1 within 15 s') as string,
  });
});

describe('a printer that breaks the connection which wakes it', () => {
  const unreachable = { code: 'printer-unreachable' };

  it.each([18, 28])('and takes none for %i s prints the document, once', async (span) => {
    const time = createVirtualTime();
    const clock = time.clock();
    const peer = await virtualPrinter({ habits: [`sleeping-deaf=${span}`], clock });
    const { printer } = openPrinter(peer.uri, { clock });
    const reported: PrinterWait[] = [];
    const document = await aDocument();
    const onWait = (wait: PrinterWait) => reported.push(wait);
    const plan = await time.until(printer.prepare(sampleTicket(), document, { ...withoutLimit(), onWait }));
    expect(reported).toEqual(['waking-up', undefined]);
    const job = await time.until(printer.createJob(plan, withoutLimit()));
    await time.until(printer.send(job, plan, document, withoutLimit()));
    expect(await time.until(printer.follow(job, withoutLimit()))).toMatchObject({ state: 'completed' });
    expect(peer.outputs).toHaveLength(1);
  });

  it('is waited for as well by who comes while it wakes', async () => {
    const time = createVirtualTime();
    const clock = time.clock();
    const peer = await virtualPrinter({ habits: ['sleeping-deaf=18'], clock });
    const news: string[] = [];
    peer.onEvent((sentence) => news.push(sentence));
    const { printer } = openPrinter(peer.uri, { clock });
    const first = printer.describe(withoutLimit());
    await time.see(() => expect(news).toContain('printer: wakes up, nobody listens'));
    expect(await time.until(printer.describe(withoutLimit()))).toMatchObject({ ready: true });
    await time.until(first);
  });

  it.each<[string, (socket: Socket) => unknown]>([
    ['resets it before it was asked', (socket) => socket.resetAndDestroy()],
    ['closes it before it was asked', (socket) => socket.end()],
  ])('is knocked at again where it %s', async (_, breaks) => {
    const peer = await startRawPrinter({
      connected: (socket) => peer.sockets.length === 1 && breaks(socket),
    });
    const { printer } = openPrinter(peer.uri, { clock: hastyClock() });
    expect(await printer.describe(withoutLimit())).toMatchObject({ ready: true });
  });

  it('is knocked at again where it closes it without an answer', async () => {
    const peer = await startRawPrinter({
      asked: (exchange) =>
        peer.exchanges.length === 1 ? exchange.socket.end() : exchange.socket.write(decentAnswer(exchange)),
    });
    const { printer } = openPrinter(peer.uri, { clock: hastyClock() });
    expect(await printer.describe(withoutLimit())).toMatchObject({ ready: true });
    expect(peer.exchanges.map(({ operation }) => operation)).toEqual([
      'Get-Printer-Attributes',
      'Get-Printer-Attributes',
    ]);
  });

  it('and every other one is unreachable after 45 s, with a knock each second', async () => {
    const peer = await startRawPrinter({ asked: ({ socket }) => socket.resetAndDestroy() });
    const clock = hastyClock();
    const { printer } = openPrinter(peer.uri, { clock });
    await expect(printer.describe(withoutLimit())).rejects.toMatchObject(unreachable);
    expect(clock.monotonic()).toBe(45_000);
    expect(peer.exchanges).toHaveLength(45);
  });

  it('is given up at once by who is told to stop', async () => {
    const stop = new AbortController();
    const peer = await startRawPrinter({
      asked({ socket }) {
        socket.resetAndDestroy();
        if (peer.exchanges.length === 3) stop.abort();
      },
    });
    const { printer } = openPrinter(peer.uri, { clock: hastyClock() });
    await expect(printer.describe({ signal: stop.signal })).rejects.toMatchObject(unreachable);
    expect(peer.exchanges).toHaveLength(3);
  });

  it('in the middle of its answer is awake, and not waited for', async () => {
    const peer = await startRawPrinter({
      asked(exchange) {
        exchange.socket.end(decentAnswer(exchange).subarray(0, -10));
      },
    });
    const { printer } = openPrinter(peer.uri, { clock: hastyClock() });
    await expect(printer.describe(withoutLimit())).rejects.toMatchObject({
      ...unreachable,
      message: '127.0.0.1 broke off in the middle of its answer',
    });
    expect(peer.exchanges).toHaveLength(1);
  });

  it('after it has spoken is not asked again, whatever was asked (I1)', async () => {
    let isAwake = true;
    const peer = await startRawPrinter({
      asked: (exchange) =>
        isAwake ? exchange.socket.write(decentAnswer(exchange)) : exchange.socket.resetAndDestroy(),
    });
    const { printer } = openPrinter(peer.uri, { clock: hastyClock() });
    await printer.describe(withoutLimit());
    isAwake = false;
    await expect(printer.createJob(plainPlan, withoutLimit())).rejects.toMatchObject(unreachable);
    await expect(printer.describe(withoutLimit())).rejects.toMatchObject(unreachable);
    expect(peer.exchanges).toHaveLength(3);
  });
});

describe('a printer that refuses the first knock', () => {
  it('is off: unreachable at once, and nobody is told that it wakes up', async () => {
    const peer = await virtualPrinter();
    await peer.behave({ kind: 'refuse-connections' });
    const { printer } = openPrinter(peer.uri);
    const reported: PrinterWait[] = [];
    const asked = printer.prepare(sampleTicket(), await aDocument(), {
      ...withoutLimit(),
      onWait: (wait) => reported.push(wait),
    });
    await expect(asked).rejects.toMatchObject({ code: 'printer-unreachable', reasons: ['ECONNREFUSED'] });
    expect(reported).toEqual([]);
  });
});

describe('a printer that keeps a document waiting for its own reasons', () => {
  it.each<[string, readonly Attribute[], PrinterWait]>([
    [
      'takes none while it works',
      [attribute('printer-state', enumValue(4)), attribute('printer-is-accepting-jobs', boolean(false))],
      'rejecting',
    ],
    [
      'is a spooler that calls its device',
      [
        attribute('printer-state', enumValue(5)),
        attribute('printer-state-reasons', keyword('connecting-to-device')),
      ],
      'waking-up',
    ],
  ])('because it %s is told as that, and no longer when it is over', async (_, said, wait) => {
    let asked = 0;
    const uri = await startScriptedPrinter((_request, operation) => {
      if (operation === 'Get-Printer-Attributes') asked += 1;
      return asked < 3 ? idlePrinter(...said) : idlePrinter();
    });
    const time = createVirtualTime();
    const { printer } = openPrinter(uri, { clock: time.clock() });
    const reported: PrinterWait[] = [];
    const onWait = (now: PrinterWait) => reported.push(now);
    await time.until(printer.prepare(sampleTicket(), await aDocument(), { ...withoutLimit(), onWait }));
    expect(reported).toEqual([wait, undefined]);
  });

  it('because it refuses for now says which of both it is', async () => {
    const refusals = ['server-error-busy', 'server-error-not-accepting-jobs'] as const;
    let asked = 0;
    const uri = await startScriptedPrinter((_request, operation) => {
      const status = operation === 'Create-Job' ? refusals[asked++] : undefined;
      return status ? { status } : jobAnswer();
    });
    const time = createVirtualTime();
    const { printer } = openPrinter(uri, { clock: time.clock() });
    const reported: PrinterWait[] = [];
    await time.until(
      printer.createJob(plainPlan, { ...withoutLimit(), onWait: (now) => reported.push(now) }),
    );
    expect(reported).toEqual(['busy', 'rejecting', undefined]);
  });
});
