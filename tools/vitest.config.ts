/** Where the tests are and how long each kind may take; run from the project's root. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Real processes and real sockets: these run one file after the other, so that timings stay honest on 2 cores. */
const wholeAgent = ['flows', 'peers', 'faults', 'browser'].map((folder) => `test/${folder}/**/*.test.ts`);

/** Many short scenes, made for the clock that is put forward: these keep two cores busy. */
const faultMatrix = ['test/faults/matrix/**/*.test.ts'];

export default defineConfig({
  root,
  test: {
    reporters: ['default', fileURLToPath(new URL('matrix-reporter.ts', import.meta.url))],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          root,
          include: ['test/**/*.test.ts'],
          exclude: [...wholeAgent, 'test/bench/**'],
          testTimeout: 10_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          root,
          include: wholeAgent,
          exclude: faultMatrix,
          fileParallelism: false,
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'matrix',
          root,
          include: faultMatrix,
          maxWorkers: 2,
          // After all the others.
          sequence: { groupOrder: 1 },
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
    ],
  },
});
