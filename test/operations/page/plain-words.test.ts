import { expect, it } from 'vitest';
import { endText } from '../../../src/operations/page/plain-words.ts';

it.each([
  [40, 'in 40 days'],
  [1, 'in 1 day'],
  [0, 'within a day'],
  [-1, 'it has ended'],
  [-30, 'it has ended'],
])('what ends in %i days is %s', (days, text) => {
  expect(endText(days)).toBe(text);
});
