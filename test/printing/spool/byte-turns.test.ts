/** Large documents leave room to everybody else on the one thread (I7). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ByteTurns } from '../../../src/printing/spool/byte-turns.ts';

const chunk = 64 * 1024;

it('a few octets go at once', async () => {
  const turns = new ByteTurns();
  const order: string[] = [];
  const later = nextTurn().then(() => order.push('everything else'));
  await turns.turn(chunk).then(() => order.push('octets'));
  await later;
  expect(order).toEqual(['octets', 'everything else']);
});

it('of the octets of 32 documents, a few go between two turns of everything else, in the order in which they came', async () => {
  const turns = new ByteTurns();
  const gone: number[] = [];
  const all = Promise.all(
    Array.from({ length: 32 }, (_, document) => turns.turn(chunk).then(() => gone.push(document))),
  );
  const seen: number[] = [];
  while (gone.length < 32) {
    await nextTurn();
    seen.push(gone.length);
  }
  await all;
  expect(Math.max(...seen.map((count, at) => count - (seen[at - 1] ?? 0)))).toBeLessThanOrEqual(4);
  expect(gone).toEqual(Array.from({ length: 32 }, (_, document) => document));
});

it('after many octets at once, a later few go at once again', async () => {
  const turns = new ByteTurns();
  await Promise.all([turns.turn(16 * chunk), turns.turn(16 * chunk)]);
  await nextTurn();
  const order: string[] = [];
  const later = nextTurn().then(() => order.push('everything else'));
  await turns.turn(chunk).then(() => order.push('octets'));
  await later;
  expect(order[0]).toBe('octets');
});
