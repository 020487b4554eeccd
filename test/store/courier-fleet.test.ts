/** In a fleet each history record is posted by one member: the courier says so before, and drops what another one has (F6). */
import { expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { RecordStanding, Wills } from '../../src/domain/ports/wills.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { always, startCourier } from './courier-stage.ts';
import { release, releaseId } from '../support/store/release-samples.ts';

const away = new Problem('fleet-engine-away', 'no answer', { delivery: 'not-sent' });

/** Answers as laid out, for ever the last one; and what was said to it, in order. */
function scriptedWills(...answers: readonly (RecordStanding | Problem)[]) {
  const left = [...answers];
  const said: string[] = [];
  const wills: Wills = {
    async posting(id) {
      said.push(`posting ${id.slice(-1)}`);
      const answer = left.length > 1 ? left.shift() : left[0];
      if (answer instanceof Problem) throw answer;
      return answer ?? 'ours';
    },
    posted: (id) => void said.push(`posted ${id.slice(-1)}`),
  };
  return { wills, said };
}

it('a record is said to be posted before it goes, and that it was when the service has it', async () => {
  const { wills, said } = scriptedWills('ours');
  await using stage = startCourier({ wills, whilePosting: async () => void said.push('post') });
  release(stage.ledger, 'CONFIRMED', { claim: 7 });
  await stage.pass();
  expect(said).toEqual(['posting 1', 'post', 'posted 1']);
  expect(stage.taken).toEqual([1]);
});

it('a record that the service does not take is not said to be posted', async () => {
  const { wills, said } = scriptedWills('ours');
  await using stage = startCourier({ wills });
  stage.answer(always('cloud-busy'));
  release(stage.ledger, 'CONFIRMED', { claim: 7 });
  await stage.pass();
  expect(said).toEqual(['posting 1']);
  expect(stage.outbox.size()).toBe(1);
});

it('a record that is another member’s by now is dropped, with a line in the log', async () => {
  const { wills } = scriptedWills('anothers');
  await using stage = startCourier({ wills });
  release(stage.ledger, 'CONFIRMED', { claim: 7 });
  await stage.pass();
  expect(stage.sent).toEqual([]);
  expect(stage.outbox.size()).toBe(0);
  expect(stage.recorded.records('history left')).toMatchObject([
    { releaseId: releaseId(1), terminal: 'lobby' },
  ]);
});

it.each([
  ['an engine that is away', away],
  ['an engine that has not heard of the end', 'not-yet'],
] as const)('%s keeps its records waiting, nothing is lost, and others get by', async (_, first) => {
  const { wills, said } = scriptedWills(first, 'ours');
  await using stage = startCourier({ wills });
  release(stage.ledger, 'CONFIRMED', { release: 1, claim: 7 });
  release(stage.ledger, 'CONFIRMED', { release: 2, terminal: 'annex' });
  await stage.pass();
  expect(stage.taken).toEqual([2]);
  expect(stage.conditions.size).toBe(0);
  await stage.pass(seconds(5));
  expect(stage.taken).toEqual([2, 1]);
  expect(said).toEqual(['posting 1', 'posting 1', 'posted 1']);
});

it('I2: of a record of which another release printed some pages no more is posted than its own', async () => {
  const { wills, said } = scriptedWills({ pages: 2 });
  await using stage = startCourier({ wills, whilePosting: async () => void said.push('post') });
  release(stage.ledger, 'CONFIRMED', { claim: 7 });
  await stage.pass();
  expect(stage.pages).toEqual([2]);
  expect(said).toEqual(['posting 1', 'post', 'posted 1']);
});

it('I2: what is cut while the engine is asked is posted as it was cut', async () => {
  await using stage = startCourier({
    wills: {
      async posting(id) {
        stage.database.transaction(() => stage.outbox.cutTo(id, 2));
        return 'ours';
      },
      posted() {},
    },
  });
  release(stage.ledger, 'CONFIRMED', { claim: 7 });
  await stage.pass();
  expect(stage.pages).toEqual([2]);
});

it('they go at once when the engine is back', async () => {
  const { wills } = scriptedWills(away, 'ours');
  await using stage = startCourier({ wills });
  release(stage.ledger, 'CONFIRMED', { claim: 7 });
  await stage.pass();
  expect(stage.taken).toEqual([]);
  stage.retryNow();
  await stage.pass();
  expect(stage.taken).toEqual([1]);
});

it('a record of which nobody else heard is nobody else’s', async () => {
  const { wills, said } = scriptedWills('anothers');
  await using stage = startCourier({ wills });
  release(stage.ledger, 'CONFIRMED');
  await stage.pass();
  expect([stage.taken, said]).toEqual([[1], []]);
});
