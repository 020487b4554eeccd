import { describe, expect, it } from 'vitest';
import type { UnmovedJob } from '../../../src/printing/ipp/job/standing-signs.ts';
import { standingOf } from '../../../src/printing/ipp/job/standing-signs.ts';

const named = ['media-empty-error'];
const working = { obstacles: [], remarks: [], state: 'processing', upTime: undefined } as const;
const complaining = { ...working, remarks: named } as const;
const job: UnmovedJob = {
  state: 'processing',
  printer: working,
  before: [],
  unmoved: 6000,
  expected: { pages: 5, copies: 2, sides: undefined },
};

describe('a job that does not move', () => {
  it.each<[string, Partial<UnmovedJob>, ReturnType<typeof standingOf>]>([
    ['at a printer that names nothing', {}, 'moves'],
    ['and says that it is stopped', { state: 'processing-stopped' }, 'stands'],
    ['at a printer that was not looked at', { printer: undefined }, 'moves'],
    ['at a printer that is hindered', { printer: { ...working, obstacles: ['paused'] } }, 'stands'],
    ['at a printer that has run out of paper since', { printer: complaining }, 'stands'],
    ['behind others, who have run out of paper', { printer: complaining, state: 'pending' }, 'stands'],
  ])('%s', (_, seen, standing) => {
    expect(standingOf({ ...job, ...seen })).toBe(standing);
  });

  it.each<[string, Partial<UnmovedJob>, ReturnType<typeof standingOf>]>([
    ['is taken for slow at first', {}, 'moves'],
    ['is in doubt after 30 s', { unmoved: 31_000 }, 'perhaps'],
    ['is in doubt as long as its pages may take', { unmoved: 129_000 }, 'perhaps'],
    ['stands after that', { unmoved: 131_000 }, 'stands'],
    ['stands soon where nobody knows its pages', { unmoved: 41_000, expected: undefined }, 'stands'],
    ['waits for others', { state: 'pending', unmoved: 600_000 }, 'moves'],
    [
      'stands where an idle printer does not begin it',
      { state: 'pending', printer: { ...complaining, state: 'idle' } },
      'stands',
    ],
  ])('at a printer that named the same before, %s', (_, seen, standing) => {
    expect(standingOf({ ...job, printer: complaining, before: named, ...seen })).toBe(standing);
  });
});
