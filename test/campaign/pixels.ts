/** Every document of the comparison by pixels, of which the gate has each third (test/proof/pixels). */
import type { Program } from '../support/campaign-program.ts';
import { runTests } from './vitest-run.ts';

export const pixels: Program = {
  name: 'pixels',
  what: 'each of 163 documents by itself, and each paper, beside another renderer',
  runs: 1,
  run: () => Promise.resolve(runTests(['test/proof/pixels'], { PLATEN_PIXELS: 'all' })),
};
