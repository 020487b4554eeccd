import { expect, it } from 'vitest';
import { fuzzKioskPaths } from './kiosk-paths.ts';

const seed = Number(process.env['FUZZ_SEED'] ?? 1);
/** A campaign asks for ten million. */
const runs = 5000;

it(`${runs} paths lead to a file of the page, to the events or to nothing (T04, T05, G7; seed ${seed})`, async () => {
  const { answers, violations } = await fuzzKioskPaths({ runs, seed });
  expect(violations).toEqual([]);
  // Not all of them lead nowhere.
  for (const status of ['200', '303', '400', '404', '421', 'events']) {
    expect([status, answers[status] ?? 0]).toEqual([status, expect.toSatisfy((count: number) => count > 1)]);
  }
});
