import { describe, expect, test } from 'vitest';
import { hours, milliseconds, minutes, seconds } from '../../src/core/duration.ts';
import type { ProblemCode } from '../../src/domain/problem/problem-kinds.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { always, startCourier, takes } from './courier-stage.ts';
import { attempt, release, releaseId, title } from '../support/store/release-samples.ts';

test('a record goes to the service as soon as its release has ended, and its row is gone', async () => {
  await using stage = startCourier();
  await stage.pass();
  release(stage.ledger, 'CONFIRMED', { release: 1 });
  await stage.pass();
  expect(stage.taken).toEqual([1]);
  expect(stage.outbox.size()).toBe(0);
  expect(stage.recorded.records('history accepted')).toMatchObject([
    { releaseId: releaseId(1), terminal: 'lobby' },
  ]);
  expect(stage.recorded.text()).not.toContain(title);
});

test('B.1: a record waits until the end of its release is durable', async () => {
  const onDisk = Promise.withResolvers<void>();
  await using stage = startCourier({ durable: () => onDisk.promise });
  release(stage.ledger, 'CONFIRMED', { release: 1 });
  await stage.pass(seconds(10));
  expect(stage.sent).toEqual([]);
  onDisk.resolve();
  await stage.pass();
  expect(stage.taken).toEqual([1]);
});

test('I2: that a record is sent is durable before it is, so that after a power cut it is looked for', async () => {
  let onDisk: number | undefined;
  const atPost: unknown[] = [];
  await using stage = startCourier({
    async durable() {
      const noted = stage.outbox.row(1)?.alikeBefore;
      await stage.clock.sleep(seconds(1));
      onDisk = noted;
    },
    whilePosting: async () => void atPost.push(onDisk),
  });
  await stage.pass();
  release(stage.ledger, 'CONFIRMED', { release: 1 });
  await stage.pass(seconds(5));
  expect([stage.taken, atPost]).toEqual([[1], [0]]);
});

test('the record is what was planned, field for field', async () => {
  await using stage = startCourier();
  release(stage.ledger, 'CONFIRMED');
  expect(stage.outbox.next([])?.record).toEqual(attempt().history);
});

test('records go one at a time, in the order of their releases', async () => {
  await using stage = startCourier();
  for (const number of [3, 1, 2])
    release(stage.ledger, 'CONFIRMED', { release: number, terminal: `t-${number}` });
  await stage.pass();
  expect(stage.taken).toEqual([3, 1, 2]);
  expect(stage.mostInFlight()).toBe(1);
});

test('D8: the log is emptied after 2 s without a record, and every minute where there is no quiet', async () => {
  await using stage = startCourier();
  await stage.pass();
  expect(stage.scrubbed).toEqual([0]);
  for (let number = 1; number <= 3; number += 1) {
    release(stage.ledger, 'CONFIRMED', { release: number });
    await stage.pass(seconds(1));
  }
  await stage.pass(seconds(5));
  expect(stage.taken).toEqual([1, 2, 3]);
  expect(stage.scrubbed).toEqual([0, 4]);

  const busyFrom = stage.scrubbed.length;
  for (let number = 4; number <= 66; number += 1) {
    release(stage.ledger, 'CONFIRMED', { release: number });
    await stage.pass(seconds(1));
  }
  expect(stage.scrubbed.slice(busyFrom)).toHaveLength(1);
});

test('a held record waits for its hour, and does not keep later ones', async () => {
  await using stage = startCourier();
  release(stage.ledger, 'UNKNOWN', { release: 1 });
  release(stage.ledger, 'CONFIRMED', { release: 2 });
  await stage.pass(minutes(59));
  expect(stage.taken).toEqual([2]);
  await stage.pass(minutes(1));
  expect(stage.taken).toEqual([2, 1]);
});

test('B.4 9: a record the service rejects becomes a dead letter, told once, and blocks nobody', async () => {
  await using stage = startCourier();
  stage.answer((number) => (number === 1 ? new Problem('cloud-rejected', 'no', { status: 400 }) : undefined));
  release(stage.ledger, 'CONFIRMED', { release: 1 });
  release(stage.ledger, 'CONFIRMED', { release: 2 });
  await stage.pass(hours(5));
  expect(stage.sent.map(({ release: number }) => number)).toEqual([1, 2]);
  expect(stage.outbox.counts()).toEqual({ waiting: 0, held: 0, deadLetters: 1 });
  expect(stage.recorded.records('history rejected')).toMatchObject([
    { level: 'warn', releaseId: releaseId(1), error: { code: 'cloud-rejected' } },
  ]);
});

describe('B.4 9: while the service does not take records', () => {
  test.each<[ProblemCode, 'warning' | 'error']>([
    ['cloud-unreachable', 'warning'],
    ['cloud-busy', 'warning'],
    ['cloud-protocol', 'warning'],
    ['device-token-refused', 'warning'],
    ['cloud-denied', 'error'],
  ])(
    '%s: the record is kept and retried from 5 s to every 15 min, under a condition',
    async (code, severity) => {
      await using stage = startCourier();
      stage.answer(always(code));
      release(stage.ledger, 'CONFIRMED', { release: 1 });
      await stage.pass(hours(1));
      expect(stage.sent.map(({ at }) => at)).toEqual([0, 5, 15, 35, 75, 155, 315, 635, 1275, 2175, 3075]);
      expect(stage.conditions.get('history')).toMatchObject({ code, severity, scope: 'agent' });
      expect(stage.database.prepare('SELECT attempts FROM outbox').get()).toEqual({ attempts: 11 });
      expect(
        stage.recorded.records('history postponed').filter(({ level }) => level === 'warn'),
      ).toHaveLength(1);

      stage.answer(takes);
      await stage.pass(minutes(15));
      expect(stage.taken).toEqual([1]);
      expect(stage.conditions.size).toBe(0);
    },
  );

  test('a terminal that is not signed in yet only waits', async () => {
    await using stage = startCourier();
    stage.answer(always('terminal-not-authorized'));
    release(stage.ledger, 'CONFIRMED', { release: 1 });
    await stage.pass(minutes(30));
    expect(stage.conditions.size).toBe(0);
    expect(stage.recorded.records('history postponed')).toEqual([]);
    stage.answer(takes);
    await stage.pass(seconds(5));
    expect(stage.taken).toEqual([1]);
  });

  test.each([
    [seconds(0.1), 1],
    [seconds(90), 90],
    [hours(20), 3600],
  ])('a Retry-After of %d ms is obeyed within 1 s and 1 h', async (asked, expected) => {
    await using stage = startCourier();
    stage.answer(always('cloud-busy', { status: 503, retryAfter: asked }));
    release(stage.ledger, 'CONFIRMED', { release: 1 });
    await stage.pass();
    release(stage.ledger, 'CONFIRMED', { release: 2, terminal: 'annex' });
    await stage.pass(seconds(expected));
    expect(stage.sent.slice(0, 2).map(({ at }) => at)).toEqual([0, expected]);
  });

  test('a service that cannot be reached is not knocked at again by every new record', async () => {
    await using stage = startCourier();
    stage.answer(always('cloud-unreachable'));
    release(stage.ledger, 'CONFIRMED', { release: 1 });
    await stage.pass(minutes(10));
    const knocks = stage.sent.length;
    for (let number = 2; number < 10; number++) {
      release(stage.ledger, 'CONFIRMED', { release: number, terminal: `t-${number}` });
      await stage.pass(seconds(1));
    }
    expect(stage.sent).toHaveLength(knocks);
  });
});

test('a record that alone draws a 500 keeps its own terminal waiting, in order, and no other', async () => {
  await using stage = startCourier();
  stage.answer((number) => (number === 1 ? new Problem('cloud-busy', 'no', { status: 500 }) : undefined));
  release(stage.ledger, 'CONFIRMED', { release: 1, terminal: 'lobby' });
  release(stage.ledger, 'CONFIRMED', { release: 2, terminal: 'lobby' });
  release(stage.ledger, 'CONFIRMED', { release: 3, terminal: 'annex' });
  await stage.pass(hours(1));
  release(stage.ledger, 'CONFIRMED', { release: 4, terminal: 'annex' });
  await stage.pass(seconds(5));
  expect(stage.taken).toEqual([3, 4]);
  expect(stage.conditions.has('history')).toBe(true);
  stage.answer(takes);
  await stage.pass(minutes(15));
  expect(stage.taken).toEqual([3, 4, 1, 2]);
  expect(stage.conditions.size).toBe(0);
});

describe('I2: a record that alone draws a 4xx which does not change', () => {
  const gone = (number: number) =>
    number === 1 ? new Problem('cloud-not-found', 'no such user', { status: 404 }) : undefined;

  test.each([
    [404, 'cloud-not-found'],
    [405, 'cloud-feature-off'],
  ] as const)('%d: is a dead letter after eight tries; the others go on at once', async (status, code) => {
    await using stage = startCourier();
    stage.answer((number) => (number === 1 ? new Problem(code, 'no', { status }) : undefined));
    release(stage.ledger, 'CONFIRMED', { release: 1, terminal: 'lobby' });
    release(stage.ledger, 'CONFIRMED', { release: 2, terminal: 'annex' });
    await stage.pass();
    expect(stage.taken).toEqual([2]);
    expect(stage.conditions.get('history')).toMatchObject({ code, scope: 'agent' });

    release(stage.ledger, 'CONFIRMED', { release: 3, terminal: 'lobby' });
    await stage.pass(minutes(15));
    const tries = stage.sent.filter(({ release: number }) => number === 1);
    expect(tries.map(({ at }) => at)).toEqual([0, 5, 15, 35, 75, 155, 315, 635]);
    expect(stage.taken).toEqual([2, 3]);
    expect(stage.outbox.counts()).toEqual({ waiting: 0, held: 0, deadLetters: 1 });
    expect(stage.conditions.size).toBe(0);
    expect(stage.recorded.records('history rejected')).toMatchObject([{ releaseId: releaseId(1) }]);
  });

  test('goes with the others when the service has come to know what it names', async () => {
    await using stage = startCourier();
    stage.answer(gone);
    release(stage.ledger, 'CONFIRMED', { release: 1 });
    await stage.pass(minutes(10));
    stage.answer(takes);
    await stage.pass(minutes(1));
    expect([stage.taken, stage.conditions.size]).toEqual([[1], 0]);
  });

  test('is counted anew when it has drawn another failure in between', async () => {
    await using stage = startCourier();
    stage.answer(gone);
    release(stage.ledger, 'CONFIRMED', { release: 1 });
    await stage.pass(minutes(10));
    stage.answer(always('cloud-busy', { status: 500 }));
    await stage.pass(minutes(1));
    stage.answer(gone);
    await stage.pass(hours(1));
    expect(stage.outbox.counts()).toMatchObject({ waiting: 1, deadLetters: 0 });
  });

  test.each([
    [401, 'device-token-refused'],
    [403, 'cloud-denied'],
  ] as const)('%d is about the device, and holds all records, under a condition', async (status, code) => {
    await using stage = startCourier();
    stage.answer((number) => (number === 1 ? new Problem(code, 'no', { status }) : undefined));
    release(stage.ledger, 'CONFIRMED', { release: 1, terminal: 'lobby' });
    release(stage.ledger, 'CONFIRMED', { release: 2, terminal: 'annex' });
    await stage.pass(hours(5));
    expect(stage.taken).toEqual([]);
    expect(stage.outbox.counts()).toMatchObject({ waiting: 2, deadLetters: 0 });
    expect(stage.conditions.get('history')).toMatchObject({ code });
  });
});

test('a record that we stumble over is our fault, keeps its own terminal waiting, and goes when that is mended', async () => {
  let isMended = false;
  const whilePosting = async () => {
    if (!isMended) throw new TypeError('undefined is not a function');
  };
  await using stage = startCourier({ whilePosting });
  release(stage.ledger, 'CONFIRMED', { release: 1, terminal: 'lobby' });
  await stage.pass(seconds(1));
  const facts = { level: 'error', code: 'internal', terminal: 'lobby', stack: expect.any(Array) };
  expect(stage.recorded.records('history not posted')).toMatchObject([facts]);
  expect(stage.conditions.get('history')).toMatchObject({ code: 'internal' });
  isMended = true;
  release(stage.ledger, 'CONFIRMED', { release: 2, terminal: 'annex' });
  await stage.pass(minutes(15));
  expect(new Set(stage.taken)).toEqual(new Set([1, 2]));
  expect(stage.conditions.size).toBe(0);
});

test('a record the service took is not sent again while a full disk refuses to delete it', async () => {
  await using stage = startCourier({ deletesRefused: 2 });
  release(stage.ledger, 'CONFIRMED', { release: 1 });
  await stage.pass(seconds(14));
  expect(stage.conditions.get('history')).toMatchObject({ code: 'store-refused' });
  await stage.pass(seconds(1));
  expect(stage.sent).toHaveLength(1);
  expect(stage.outbox.size()).toBe(0);
  expect(stage.conditions.size).toBe(0);
});

test('D12: a store that failed ends the courier', async () => {
  await using stage = startCourier();
  const failure = new Problem('store-failed', 'the disk is gone');
  stage.answer(() => failure);
  release(stage.ledger, 'CONFIRMED', { release: 1 });
  await stage.pass();
  expect(stage.ended()).toBe(failure);
});

test('D8: an outbox that fills is told of before it is full, and no more when it has room again', async () => {
  await using stage = startCourier({ capacity: { rows: 5, bytes: 1_000_000 } });
  stage.answer(always('cloud-unreachable'));
  const severities: unknown[] = [];
  for (let number = 1; number <= 5; number++) {
    release(stage.ledger, 'CONFIRMED', { release: number });
    await stage.pass(minutes(1));
    severities.push(stage.conditions.get('outbox')?.severity);
  }
  expect(severities).toEqual([undefined, undefined, undefined, 'warning', 'error']);
  expect(stage.conditions.get('outbox')?.code).toBe('outbox-filling');
  expect(() => stage.ledger.plan(attempt({ release: 6 }))).toThrow(
    expect.objectContaining({ code: 'store-refused' }),
  );
  stage.answer(takes);
  stage.retryNow();
  await stage.pass();
  expect(stage.conditions.get('outbox')).toBeUndefined();
});

describe('I7: what comes due while the log is scrubbed goes as soon as that is done', () => {
  test.each([
    ['that rested because of a failure that meets all', 5, always('cloud-unreachable')],
    ['that rested because the service asked for it', 7, always('cloud-busy', { retryAfter: seconds(7) })],
    ['that rested for its terminal alone', 5, always('cloud-busy', { status: 500 })],
  ])('a record %s', async (_, rests, failing) => {
    await using stage = startCourier({ scrubTakes: milliseconds(3) });
    stage.answer(failing);
    release(stage.ledger, 'CONFIRMED', { release: 1 });
    await stage.pass();
    stage.answer(takes);
    await stage.pass(seconds(rests - 0.001));
    stage.wake.ring();
    await stage.pass();
    await stage.pass(milliseconds(2));
    expect(stage.taken).toEqual([1]);
  });

  test('a record that was held', async () => {
    await using stage = startCourier({ scrubTakes: milliseconds(3) });
    release(stage.ledger, 'UNKNOWN', { release: 1 });
    await stage.pass(seconds(3599.999));
    stage.wake.ring();
    await stage.pass();
    await stage.pass(milliseconds(2));
    expect(stage.taken).toEqual([1]);
  });
});

describe('a record on its way when the agent stops', () => {
  test('arrives, and is not posted again by the next agent (I2: nobody is charged twice)', async () => {
    const answered = Promise.withResolvers<void>();
    await using stage = startCourier({ whilePosting: () => answered.promise });
    release(stage.ledger, 'CONFIRMED', { release: 1 });
    await stage.pass();
    const stopped = stage.stop();
    await stage.pass(seconds(4));
    answered.resolve();
    await stopped;
    expect(stage.taken).toEqual([1]);
    expect(stage.outbox.size()).toBe(0);
  });

  test('is cut off after 5 s, and stays for the next agent', async () => {
    await using stage = startCourier({
      whilePosting: (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    });
    release(stage.ledger, 'CONFIRMED', { release: 1 });
    await stage.pass();
    const stopped = stage.stop();
    await stage.pass(seconds(5));
    await stopped;
    expect([stage.ended(), stage.outbox.size()]).toEqual([undefined, 1]);
  });
});
