/** Every test of a property (fast-check) with examples that nobody has seen: the gate has the same ones each time. */
import { globSync, readFileSync } from 'node:fs';
import type { Program } from '../support/campaign-program.ts';
import { runTests } from './vitest-run.ts';

const files = globSync('test/**/*.test.ts')
  .filter((file) => !/^test\/(peers|proof)\//.test(file))
  .filter((file) => readFileSync(file, 'utf8').includes("from 'fast-check'"));

export const properties: Program = {
  name: 'properties',
  what: `the properties of ${files.length} files of tests`,
  runs: 200,
  part: 1,
  run: ({ seed }) => Promise.resolve(runTests(files, { PLATEN_SEED: String(seed) })),
};
