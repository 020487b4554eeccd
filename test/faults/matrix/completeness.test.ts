/** No cell is missing: 31 faults, 9 calls, 3 timings, each with a test of its own (INVARIANTS.md B.4 and D, gate G9). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callNames } from '../../support/standard-faults/calls.ts';
import { faultNames } from '../../support/standard-faults/faults.ts';
import { cells } from './play.ts';

describe('the fault matrix', () => {
  it('has 31 faults × 9 calls × 3 timings, 837 cells, each with an id and a reaction of its own', () => {
    expect([faultNames.length, callNames.length]).toEqual([31, 9]);
    expect(new Set(cells.map(({ id }) => id)).size).toBe(837);
    expect(cells.filter(({ reaction }) => reaction === undefined)).toEqual([]);
  });

  it('is played: each call has the one test file that goes through its cells', () => {
    const texts = readdirSync(import.meta.dirname)
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'));
    const played = texts.flatMap((text) =>
      [...text.matchAll(/^playMatrix\('(.*?)'/gm)].map(([, call]) => call),
    );
    expect(played).toHaveLength(callNames.length);
    expect(new Set(played)).toEqual(new Set(callNames));
  });
});
