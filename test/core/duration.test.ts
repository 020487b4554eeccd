import { expect, it } from 'vitest';
import { inSeconds, milliseconds } from '../../src/core/duration.ts';

it.each([
  [4370.9999, 4.371],
  [12_345.678_901, 12.346],
  [60_000, 60],
  [0.2, 0],
])('%d ms are %d s: nobody reads more than milliseconds', (span, seconds) => {
  expect(inSeconds(milliseconds(span))).toBe(seconds);
});
