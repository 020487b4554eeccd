/** Who may dial in, and which reader a caller is (INVARIANTS.md T10). */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import { milliseconds, seconds } from '../../src/core/duration.ts';
import type { DialIn } from '../../src/readers/tcp/dial-in.ts';
import { createDialIn, sourceAddresses } from '../../src/readers/tcp/dial-in.ts';
import { openDiallingReader } from '../../src/readers/tcp/tcp-listen.ts';
import type { RunningReader } from '../contracts/reader.ts';
import { runReader, standingTime, until } from '../contracts/reader.ts';
import { eventually } from '../support/patience.ts';
import { freePort } from '../support/ports.ts';
import type { RecordedLog } from '../support/recorded-log.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

interface Door {
  readonly port: number;
  readonly dialIn: DialIn;
  readonly recorded: RecordedLog;
}

async function door(clock: Clock = createSteeredClock()): Promise<Door> {
  const recorded = recordLog();
  return { port: await freePort(), dialIn: createDialIn({ clock, log: recorded.log }), recorded };
}

const expectReader = (
  { port, dialIn }: Door,
  reader: { from?: string[]; hello?: string },
  { clock } = standingTime(),
): RunningReader =>
  runReader(
    (options) =>
      openDiallingReader({
        ...options,
        dialIn,
        listen: { host: '127.0.0.1', port },
        from: reader.from ?? [],
        hello: reader.hello,
      }),
    { clock },
  );

/** Calls as soon as somebody listens. */
const call = (port: number, says: string, from = '127.0.0.1'): Promise<Socket> =>
  eventually(async () => {
    const socket = connect({ host: '127.0.0.1', port, localAddress: from });
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    socket.on('error', () => {}).resume();
    socket.write(says);
    return socket;
  });

const closing = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });

describe('readers that dial in at one address', () => {
  it('are told apart by where they come from', async () => {
    const shared = await door();
    const lobby = expectReader(shared, { from: ['127.0.0.2'] });
    const attic = expectReader(shared, { from: ['127.0.3.0/24', '127.0.4.1'] });
    await call(shared.port, '1111\r', '127.0.0.2');
    await call(shared.port, '2222\r', '127.0.3.77');
    await until(() => expect([lobby.cards, attic.cards]).toEqual([['1111'], ['2222']]));
  });

  it('are told apart by their hello lines, which may come in pieces and together with a badge', async () => {
    const shared = await door();
    const lobby = expectReader(shared, { hello: 'READER lobby' });
    const attic = expectReader(shared, { hello: 'READER attic' });
    await call(shared.port, '\r\nREADER attic\r\n2222\r\n');
    const socket = await call(shared.port, 'READER lob');
    socket.write('by\n1111\n');
    await until(() => expect([lobby.cards, attic.cards]).toEqual([['1111'], ['2222']]));
    expect([lobby.counts.up, attic.counts.up]).toEqual([1, 1]);
  });

  it('leave the address when they are stopped, and not before the last of them', async () => {
    const shared = await door();
    const lobby = expectReader(shared, { from: ['127.0.0.2'] });
    const attic = expectReader(shared, { from: ['127.0.0.3'] });
    await call(shared.port, '1111\r', '127.0.0.2');
    await until(() => expect(lobby.cards).toEqual(['1111']));
    await lobby.stop();
    await call(shared.port, '2222\r', '127.0.0.3');
    await until(() => expect(attic.cards).toEqual(['2222']));
    await attic.stop();
    const next = createServer().listen(shared.port, '127.0.0.1');
    await once(next, 'listening');
    next.close();
  });
});

describe('a caller', () => {
  it('from elsewhere is refused, logged, and heard by nobody (T10)', async () => {
    const shared = await door();
    const lobby = expectReader(shared, { from: ['127.0.0.2'] });
    await closing(await call(shared.port, '1111\r', '127.0.0.9'));
    expect(shared.recorded.records('reader refused')).toMatchObject([
      { level: 'warn', source: '127.0.0.9', reason: 'no reader is expected from this address' },
    ]);
    await call(shared.port, '2222\r', '127.0.0.2');
    await until(() => expect(lobby.cards).toEqual(['2222']));
    expect(shared.recorded.text()).not.toMatch(/1111|2222/);
  });

  it.each([
    ['with another hello line', 'READER cellar\r\n'],
    ['with a badge instead of a hello line', '04A1B2\r\n'],
    ['with a line that does not end', 'R'.repeat(300)],
  ])('%s is refused, and what it said is in no log (I5)', async (_, says) => {
    const shared = await door();
    const lobby = expectReader(shared, { hello: 'READER lobby' });
    await closing(await call(shared.port, says));
    expect(shared.recorded.records('reader refused')).toHaveLength(1);
    expect(shared.recorded.text()).not.toContain(says.trim().slice(-5));
    expect(lobby.counts.up).toBe(0);
  });

  it('that does not say who it is, is let go after 5 s', async () => {
    const clock = createSteeredClock();
    const shared = await door(clock);
    expectReader(shared, { hello: 'READER lobby' });
    const silent = await call(shared.port, '');
    await until(() => expect(clock.waits()).toEqual([5000]));
    await clock.advance(seconds(5));
    await closing(silent);
    expect(shared.recorded.records('reader refused')).toMatchObject([{ reason: 'no hello line came' }]);
  });

  it('is one too many beside sixteen that have not said who they are', async () => {
    const shared = await door();
    const lobby = expectReader(shared, { hello: 'READER lobby' });
    const silent = [];
    for (let count = 0; count < 16; count += 1) silent.push(await call(shared.port, ''));
    await closing(await call(shared.port, 'READER lobby\r'));
    silent[0]?.write('READER lobby\r4711\r');
    await until(() => expect(lobby.cards).toEqual(['4711']));
  });

  it('that is refused again and again is told of once', async () => {
    const shared = await door();
    expectReader(shared, { from: ['127.0.0.2'] });
    for (let count = 0; count < 50; count += 1) await closing(await call(shared.port, 'x'));
    expect(shared.recorded.records('reader refused')).toHaveLength(1);
  });

  it('that is an expected reader takes the place of its earlier connection', async () => {
    const shared = await door();
    const lobby = expectReader(shared, {});
    const first = await call(shared.port, '99');
    await until(() => expect(lobby.counts.up).toBe(1));
    await call(shared.port, '4711\r');
    await closing(first);
    await until(() => expect(lobby.cards).toEqual(['4711']));
    expect(lobby.counts).toEqual({ up: 1, down: 0, garbage: 0 });
  });

  it('that sends a byte now and then makes no number of it, and keeps nobody else away (I8)', async () => {
    const shared = await door();
    const time = standingTime();
    const lobby = expectReader(shared, { from: ['127.0.0.2'] }, time);
    const attic = expectReader(shared, { from: ['127.0.0.3'] });
    const slow = await call(shared.port, '', '127.0.0.2');
    await until(() => expect(lobby.counts.up).toBe(1));
    for (const byte of ['4', '7', '1']) {
      const heard = time.heard();
      slow.write(byte);
      await heard;
      await time.pass(milliseconds(150));
    }
    slow.write('\r');
    await call(shared.port, '4711\r', '127.0.0.3');
    await until(() => expect(attic.cards).toEqual(['4711']));
    await until(() => expect(lobby.counts.garbage).toBe(1));
    expect(lobby.cards).toEqual([]);
  });
});

describe('the address', () => {
  it('is tried again while another program has it, and the reader is down', async () => {
    const shared = await door();
    const other = createServer().listen(shared.port, '127.0.0.1');
    await once(other, 'listening');
    const time = standingTime();
    const lobby = expectReader(shared, {}, time);
    await until(() => expect(lobby.counts.down).toBe(1));
    expect(lobby.recorded.text()).toContain('EADDRINUSE');
    await new Promise((resolve) => other.close(resolve));
    await time.pass(seconds(5));
    await call(shared.port, '4711\r');
    await until(() => expect(lobby.cards).toEqual(['4711']));
  });
});

describe('source addresses', () => {
  it.each<[string[], string, boolean]>([
    [['10.0.0.21'], '10.0.0.21', true],
    [['10.0.0.21'], '::ffff:10.0.0.21', true],
    [['10.0.0.21'], '10.0.0.22', false],
    [['10.0.7.0/24'], '10.0.7.255', true],
    [['10.0.7.0/24'], '10.0.8.0', false],
    [['fd00:7::/64'], 'fd00:7::9', true],
    [['fd00:7::/64'], 'fd00:8::9', false],
    [['10.0.0.21'], '127.0.0.1', false],
    [['10.0.0.21'], '', false],
    [[], '127.0.0.1', true],
    [[], '::1', true],
    [[], '10.0.0.21', false],
  ])('%j and %s: %s', (from, address, isThere) => {
    expect(sourceAddresses(from).has(address)).toBe(isThere);
  });
});
