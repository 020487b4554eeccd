/**
 * The five programs of the tests, and one that the campaign alone plays; what runs beside what in each, and how long
 * anything may take; run from the project's root.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { catalogues } from './catalogues.ts';
import { LongestFirst } from './longest-first.ts';
import { slownessOfMachine } from './machine-pace.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Measured once, before anything runs; workers find it in their environment (test/support/patience.ts). */
const slowness = Number((process.env['PLATEN_TEST_SLOWNESS'] ??= slownessOfMachine().toFixed(1)));
const patience = 1000 * Math.ceil(60 * Math.max(1, slowness));

/** So many workers on a machine like the reference; fewer on a slower one, whose processors have enough to do. */
const atOnce = (workers: number) => Math.max(2, Math.ceil(workers / Math.sqrt(slowness)));

/** A test has several waits, each with its patience; one of them should run out first, and say what it waited for. */
const patient = { testTimeout: 5 * patience, hookTimeout: 5 * patience };

/**
 * Where a real program is a peer, a test is tried once more when the harness could not get that program ready or its
 * address was taken: in a new stage, and the run tells which (run-reporter.ts). Never after an assertion, nor after a
 * wait for what Platen has promised.
 */
const againForPeers = { retry: { count: 1, condition: /^peer not ready: |\bEADDRINUSE\b/ } };

const below = (...folders: readonly string[]) => folders.map((folder) => `test/${folder}/**/*.test.ts`);

/** Real sockets and processes of Node alone: they wait more than they compute. */
const wholeAgents = below('flows', 'faults', 'security');

/** Modules only declare, so the files of a worker may share them: loading them was half of the time. */
const sharing = { isolate: false };

/** Where files of several programs are played in one run, one program comes after the other: their workers differ. */
const inTurn = (groupOrder: number) => ({ sequence: { groupOrder } });

export default defineConfig({
  root,
  plugins: [catalogues],
  test: {
    globalSetup: fileURLToPath(new URL('tests-in-memory.ts', import.meta.url)),
    setupFiles: [fileURLToPath(new URL('test-setup.ts', import.meta.url))],
    expect: { poll: { timeout: patience } },
    sequence: { sequencer: LongestFirst },
    reporters: ['default', fileURLToPath(new URL('run-reporter.ts', import.meta.url))],
    // Tests of one file that run side by side share its process.
    maxConcurrency: 3,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          root,
          ...inTurn(1),
          include: ['test/**/*.test.ts'],
          exclude: [...wholeAgents, ...below('browser', 'peers', 'proof', 'sharpness')],
          maxWorkers: atOnce(3),
          ...sharing,
          ...patient,
        },
      },
      {
        extends: true,
        test: {
          name: 'agent',
          root,
          include: wholeAgents,
          maxWorkers: atOnce(5),
          ...inTurn(2),
          ...sharing,
          ...patient,
        },
      },
      {
        extends: true,
        test: {
          name: 'peers',
          root,
          ...inTurn(3),
          include: below('peers'),
          maxWorkers: atOnce(6),
          ...sharing,
          ...patient,
          ...againForPeers,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          root,
          ...inTurn(4),
          include: below('browser'),
          maxWorkers: atOnce(3),
          ...sharing,
          ...patient,
          ...againForPeers,
        },
      },
      {
        extends: true,
        test: {
          name: 'proof',
          root,
          ...inTurn(5),
          include: below('proof', 'sharpness'),
          exclude: below('proof/machines'),
          maxWorkers: atOnce(4),
          ...patient,
        },
      },
      {
        extends: true,
        // An emulated processor needs one to itself (test/campaign/machines.ts).
        test: { name: 'machines', root, include: below('proof/machines'), ...inTurn(6), ...patient },
      },
    ],
  },
});
