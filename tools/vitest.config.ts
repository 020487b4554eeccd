/** Where the tests are, what runs beside what, and how long each kind may take; run from the project's root. */
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Real processes and real sockets: most of their time they wait. */
const wholeAgent = ['flows', 'peers', 'faults', 'browser', 'security'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);

/** Many short scenes, made for the clock that is put forward. */
const faultMatrix = ['test/faults/matrix/**/*.test.ts'];

/**
 * They compute rather than wait: sessions, whose time leaps when nothing is on its way in their process, pixels, and a
 * kernel that is emulated.
 */
const computing = [
  'test/printing/pixels/**/*.test.ts',
  'test/peers/stick-qemu.test.ts',
  'test/security/apparmor-kernel.test.ts',
  'test/sessions/**/*.test.ts',
];

/** They measure a time or a memory, keep both processors busy themselves, or make the bundle anew. */
const alone = [
  'test/faults/hostile-printer.test.ts',
  'test/flows/large-account-memory.test.ts',
  'test/flows/readme.test.ts',
  'test/flows/slow-service.test.ts',
  'test/peers/converter-ghostscript.test.ts',
  'test/peers/package.test.ts',
  'test/peers/reader-socat.test.ts',
];

/** Half of their time they wait for an agent that was killed, or for one to forget; what they measure is seconds. */
const kills = [
  'test/faults/kill-random.test.ts',
  'test/faults/kill-steps.test.ts',
  'test/flows/session-memory.test.ts',
];

/**
 * Each group of projects begins when the one before has ended. Tests wait for half of their time: three workers keep two
 * processors busy.
 * `isolate: false` where there are many files: those of a worker share the modules, whose loading was half of the time.
 * Modules only declare, so nothing of one file is left in them for the next.
 */
const sideBySide = (order: number, maxWorkers = 3) => ({ maxWorkers, sequence: { groupOrder: order } });

/** Not how long they take: how long a machine may take that stalls. */
const patient = { testTimeout: 60_000, hookTimeout: 60_000 };

/**
 * Real processes on ports and devices that other programs want, too: one in ten thousand fails by the machine. What fails is
 * tried once more, and the run tells which. Not where chance is what finds something: sessions, kills.
 */
const onceMore = { retry: 1 };

export default defineConfig({
  root,
  test: {
    globalSetup: fileURLToPath(new URL('tests-in-memory.ts', import.meta.url)),
    expect: { poll: { timeout: 10_000 } },
    reporters: ['default', fileURLToPath(new URL('run-reporter.ts', import.meta.url))],
    // Tests of one file that run side by side share its process.
    maxConcurrency: 3,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          root,
          include: ['test/**/*.test.ts'],
          exclude: [...wholeAgent, ...computing, ...alone, ...kills],
          isolate: false,
          ...patient,
          ...sideBySide(0),
        },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          root,
          include: wholeAgent,
          exclude: [...faultMatrix, ...computing, ...alone, ...kills],
          isolate: false,
          ...patient,
          ...onceMore,
          // They wait more than they compute.
          ...sideBySide(1, 6),
        },
      },
      {
        extends: true,
        test: { name: 'matrix', root, include: faultMatrix, ...onceMore, ...patient, ...sideBySide(2) },
      },
      {
        extends: true,
        test: { name: 'computing', root, include: computing, ...patient, ...sideBySide(2) },
      },
      {
        extends: true,
        test: { name: 'kills', root, include: kills, ...patient, ...sideBySide(3, kills.length) },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          root,
          include: alone,
          ...onceMore,
          // On a disk, whose cost is among what they measure.
          env: { TMPDIR: tmpdir() },
          ...patient,
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
