/** The service was away: records that may have arrived, and those that wait for it (INVARIANTS.md B.4, 9; I2, I7). */
import { describe, expect, test } from 'vitest';
import { hours, minutes, seconds } from '../../src/core/duration.ts';
import type { HistoryRecords } from '../../src/domain/ports/service.ts';
import type { ProblemCode } from '../../src/domain/problem/problem-kinds.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { always, startCourier, takes } from './courier-stage.ts';
import { release } from '../support/store/release-samples.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** Says what it is told to say, and counts. */
function lookUp(answer: () => number) {
  const asked: string[] = [];
  return {
    asked,
    async count({ dateTime }: { readonly dateTime: string }) {
      asked.push(dateTime);
      return answer();
    },
  };
}

const lost = () => new Problem('cloud-unreachable', 'no answer', { delivery: 'perhaps' });
const refusing = (code: ProblemCode) => (): never => {
  throw new Problem(code, 'no');
};

describe('a record whose answer was lost', () => {
  test('is looked up before it is posted again, and a clear yes is as good as an answer', async () => {
    const records = lookUp(() => 1);
    await using stage = startCourier({ records });
    stage.answer(lost);
    release(stage.ledger, 'CONFIRMED', { release: 1 });
    await stage.pass(seconds(4));
    expect([stage.sent.length, records.asked.length]).toEqual([1, 0]);
    await stage.pass(seconds(1));
    expect([stage.sent.length, records.asked.length]).toEqual([1, 1]);
    expect(stage.recorded.records('history accepted')).toHaveLength(1);
    expect([stage.outbox.size(), stage.conditions.size]).toEqual([0, 0]);
  });

  test('is posted again when the service does not have it', async () => {
    const records = lookUp(() => 0);
    await using stage = startCourier({ records });
    stage.answer(lost);
    release(stage.ledger, 'CONFIRMED', { release: 1 });
    await stage.pass();
    stage.answer(takes);
    await stage.pass(seconds(5));
    expect([stage.sent.length, stage.taken, records.asked.length]).toEqual([2, [1], 1]);
  });

  test.each([
    ['which only the record of another gateway looks like', () => 8],
    ['of which nobody knows the output port', () => undefined],
  ])('is posted again, %s (I2)', async (_, portIdOf) => {
    const records: HistoryRecords = { count: async (_record, outputPortId) => (outputPortId === 7 ? 1 : 0) };
    await using stage = startCourier({ records, portIdOf });
    stage.answer(lost);
    release(stage.ledger, 'CONFIRMED', { release: 1 });
    await stage.pass();
    stage.answer(takes);
    await stage.pass(seconds(5));
    expect(stage.taken).toEqual([1]);
  });

  test('stays in doubt when a later try certainly did not arrive', async () => {
    let isAway = true;
    const records = lookUp(() => (isAway ? refusing('cloud-unreachable')() : 1));
    await using stage = startCourier({ records });
    stage.answer(lost);
    release(stage.ledger, 'CONFIRMED', { release: 1 });
    await stage.pass();
    stage.answer(always('cloud-unreachable', { delivery: 'not-sent' }));
    await stage.pass(seconds(5));
    isAway = false;
    await stage.pass(seconds(10));
    expect([stage.sent.length, stage.outbox.size()]).toEqual([2, 0]);
  });

  test.each<ProblemCode>(['cloud-denied', 'cloud-not-found', 'cloud-feature-off'])(
    'is posted again where the lookup is refused with %s, and for an hour nothing is looked up (I2)',
    async (code) => {
      const records = lookUp(refusing(code));
      await using stage = startCourier({ records });
      stage.answer(lost);
      release(stage.ledger, 'CONFIRMED', { release: 1 });
      await stage.pass(minutes(50));
      expect(stage.sent.length).toBeGreaterThan(5);
      expect(records.asked).toHaveLength(1);
      await stage.pass(hours(1));
      expect(records.asked).toHaveLength(2);
    },
  );

  test('is posted again where the lookup fails otherwise, and is looked up the next time', async () => {
    const records = lookUp(refusing('cloud-busy'));
    await using stage = startCourier({ records });
    stage.answer(lost);
    release(stage.ledger, 'CONFIRMED', { release: 1 });
    await stage.pass(seconds(15));
    expect([stage.sent.length, records.asked.length]).toEqual([3, 2]);
  });
});

describe('after a restart (I2: nobody is charged twice)', () => {
  /** An agent whose post ended so, and the next one over the same books. */
  async function restarted(records: ReturnType<typeof lookUp>, ending: () => Problem | undefined = lost) {
    const stages = new AsyncDisposableStack();
    const directory = stages.use(temporaryDirectory()).path;
    const before = startCourier({ records: lookUp(refusing('cloud-unreachable')), directory });
    before.answer(ending);
    release(before.ledger, 'CONFIRMED', { release: 1 });
    await before.pass();
    await before[Symbol.asyncDispose]();
    const after = stages.use(startCourier({ records, directory }));
    await after.pass();
    return Object.assign(after, { [Symbol.asyncDispose]: () => stages.disposeAsync() });
  }

  test('a record whose answer was lost is looked up first, and a clear yes is as good as an answer', async () => {
    const records = lookUp(() => 1);
    await using stage = await restarted(records);
    expect([stage.sent.length, records.asked.length, stage.outbox.size()]).toEqual([0, 1, 0]);
    expect(stage.recorded.records('history accepted')).toHaveLength(1);
  });

  test.each([
    ['the service does not have', () => 0],
    ['cannot be looked up', refusing('cloud-denied')],
  ])('one that %s is posted again', async (_, answer) => {
    await using stage = await restarted(lookUp(answer));
    expect([stage.taken, stage.outbox.size()]).toEqual([[1], 0]);
  });

  test('one that a process was killed over while it was on its way is looked up first', async () => {
    using directory = temporaryDirectory();
    const records = lookUp(() => 1);
    const killed = startCourier({ directory: directory.path, whilePosting: () => new Promise(() => {}) });
    release(killed.ledger, 'CONFIRMED', { release: 1 });
    await killed.pass();
    killed[Symbol.dispose]();
    await using stage = startCourier({ records, directory: directory.path });
    await stage.pass();
    expect([killed.sent.length, stage.sent.length, stage.outbox.size()]).toEqual([1, 0, 0]);
  });

  test('one that looks like another which was taken before it is not taken for that one', async () => {
    using directory = temporaryDirectory();
    const before = startCourier({ directory: directory.path });
    release(before.ledger, 'CONFIRMED', { release: 1 });
    await before.pass();
    before.answer(lost);
    release(before.ledger, 'CONFIRMED', { release: 61 });
    await before.pass();
    await before[Symbol.asyncDispose]();
    await using stage = startCourier({ records: lookUp(() => 1), directory: directory.path });
    await stage.pass();
    expect([stage.taken, stage.outbox.size()]).toEqual([[1], 0]);
  });
});

describe('of two records that look alike in the service', () => {
  /** The same title, user and pages within the same second; the second post is never answered. */
  async function postTwins(inTheService: number) {
    const records = lookUp(() => inTheService);
    const stage = startCourier({ records });
    release(stage.ledger, 'CONFIRMED', { release: 1 });
    await stage.pass();
    stage.answer(lost);
    release(stage.ledger, 'CONFIRMED', { release: 61 });
    await stage.pass();
    stage.answer(takes);
    await stage.pass(seconds(5));
    return stage;
  }

  test('the first one is no witness for the other, which is posted again (I2)', async () => {
    await using stage = await postTwins(1);
    expect([stage.sent.length, stage.taken, stage.outbox.size()]).toEqual([3, [1, 1], 0]);
  });

  test('two there are both of them', async () => {
    await using stage = await postTwins(2);
    expect([stage.sent.length, stage.taken, stage.outbox.size()]).toEqual([2, [1], 0]);
  });
});

test('a record that certainly did not arrive is posted again without a question', async () => {
  const records = lookUp(() => 1);
  await using stage = startCourier({ records });
  stage.answer(always('cloud-unreachable', { delivery: 'not-sent' }));
  release(stage.ledger, 'CONFIRMED', { release: 1 });
  await stage.pass(minutes(5));
  expect(records.asked).toEqual([]);
});

describe('a service that is back', () => {
  test.each([
    ['at once what rested for up to a quarter of an hour (I7)', always('cloud-unreachable')],
    ['also what rested for its terminal alone', always('cloud-busy', { status: 500 })],
  ])('gets %s', async (_, failing) => {
    await using stage = startCourier();
    stage.answer(failing);
    release(stage.ledger, 'CONFIRMED', { release: 1 });
    await stage.pass(hours(1));
    stage.answer(takes);
    stage.retryNow();
    await stage.pass();
    expect(stage.taken).toEqual([1]);
  });

  test('is still given the time it asked for', async () => {
    await using stage = startCourier();
    stage.answer(always('cloud-busy', { status: 503, retryAfter: minutes(2) }));
    release(stage.ledger, 'CONFIRMED', { release: 1 });
    await stage.pass(seconds(10));
    stage.answer(takes);
    stage.retryNow();
    await stage.pass(seconds(100));
    expect(stage.taken).toEqual([]);
    await stage.pass(seconds(10));
    expect(stage.taken).toEqual([1]);
  });
});
