import { expect, it } from 'vitest';
import { fuzzIpp } from './ipp-answers.ts';

const seed = Number(process.env['FUZZ_SEED'] ?? 1);

it(`10 000 changed answers of printers are read or refused, each within a second (T14, G7; seed ${seed})`, () => {
  const { ends, violations } = fuzzIpp({ runs: 10_000, seed });
  expect(violations).toEqual([]);
  // Neither are all of them refused at the first octet.
  for (const count of Object.values(ends)) expect(count).toBeGreaterThan(5);
});
