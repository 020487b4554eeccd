/**
 * The tests are sharp: each of these faults, planted into the source, makes the test fail that names the promise; with
 * none the same tests pass. A line whose text is no longer in the source fails, and says which it is.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withFault } from './fault.ts';
import { faults } from './faults.ts';
import type { Rehearsal } from './rehearsal.ts';
import { openRehearsal } from './rehearsal.ts';

let rehearsal: Rehearsal;
beforeAll(async () => {
  rehearsal = await openRehearsal();
});
afterAll(() => rehearsal[Symbol.asyncDispose]());

it.each(faults)('there is such a place in $file: $promise', (fault) => {
  expect(withFault(fault)).not.toBe('');
});

it('nothing is found where nothing is planted', async () => {
  const named = new Map(faults.map(({ foundBy }) => [`${foundBy.file} > ${foundBy.test}`, foundBy]));
  const played = await rehearsal.play([...named.values()]);
  expect(played.filter(({ how }) => how !== 'passed')).toEqual([]);
});

describe('a fault in', () => {
  it.each(faults)('$file is found: $promise', async (fault) => {
    const played = await rehearsal.play([fault.foundBy], fault);
    expect(played).toMatchObject([{ how: 'failed' }]);
  });
});
