import { expect, it } from 'vitest';
import { idIn, referenceIn } from '../../../src/domain/terminal/screen-code.ts';
import { timelineOf, timelineSummary, tookText } from '../../../src/commands/releases/timeline.ts';
import type { Trace } from '../../../src/domain/release-trace.ts';

const trace: Trace = {
  since: '2026-11-21T12:00:00.000Z',
  steps: [
    { stage: 'badge', at: 0, took: 0 },
    { stage: 'login', at: 0, took: 500 },
    { stage: 'chosen', at: 500, took: 2000 },
    { stage: 'download', at: 2500, took: 1000 },
    { stage: 'printed', at: 3000, took: 1000 },
    { stage: 'recorded', at: 4000, took: 90_000 },
  ],
};

it('each stage is a row, with a bar in its place: a choice dotted and cut short, none for what came afterwards', () => {
  expect(timelineOf(trace)).toEqual([
    ['STAGE', 'AT', 'TOOK', ''],
    ['badge read', '0 ms', '0 ms', '#'],
    ['login', '0 ms', '500 ms', '########'],
    ['chosen', '500 ms', '2.00 s', `${' '.repeat(8)}${'.'.repeat(8)}`],
    ['download', '2.50 s', '1.00 s', `${' '.repeat(16)}${'#'.repeat(16)}  the longest`],
    ['printed', '3.00 s', '1.00 s', `${' '.repeat(24)}${'#'.repeat(16)}`],
    ['recorded in history', '4.00 s', '90 s', '(afterwards)'],
  ]);
  expect(timelineSummary(trace)).toBe('4.00 s from the badge to the paper, 2.00 s of it choosing');
});

it('without paper the time is that to the end, and choosing is told of people only', () => {
  const steps = trace.steps.slice(0, 2).concat({ stage: 'chosen', at: 500, took: 9 });
  expect(timelineSummary({ ...trace, steps })).toBe('509 ms from the badge to the end');
});

it.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1000, '1.00 s'],
  [9994, '9.99 s'],
  [31_400, '31 s'],
  [200_000, '3 min 20 s'],
])('%i ms are %s', (span, words) => {
  expect(tookText(span)).toBe(words);
});

it.each([
  ['7f3a9c21', '7f3a9c21'],
  ['[7F3A9C21]', '7f3a9c21'],
  ['7f3a-9c21 ', '7f3a9c21'],
])('the code %s is that of a release', (code, id) => {
  expect(idIn(code)).toBe(id);
});

it.each([
  ['7QX3ZM', '7QX3ZM'],
  ['7qx-3zm', '7QX3ZM'],
  ['o0i1l1', '001111'],
  ['7QX3Z', undefined],
  ['7QX3ZMM', undefined],
  ['7QX3ZU', undefined],
])('the reference of an outage in %s is %s', (code, reference) => {
  expect(referenceIn(code)).toBe(reference);
});
