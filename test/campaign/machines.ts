/**
 * A keyboard, a stick and AppArmor before a kernel of our own, and whole machines in the short form of their programs:
 * emulated, they are too slow to be played beside the gate.
 */
import type { Program } from '../support/campaign-program.ts';
import { runTests } from './vitest-run.ts';

export const machines: Program = {
  name: 'machines',
  what: 'a USB keyboard, a USB stick, a release below AppArmor, and what the programs of whole machines play, in short',
  runs: 1,
  run: () => Promise.resolve(runTests(['test/proof/machines'], {})),
};

export const windows: Program = {
  name: 'windows',
  what: 'the program of Windows, as far as wine has it: a release, the commands, the service’s line, the spooler’s package',
  runs: 1,
  run: () => Promise.resolve(runTests(['test/proof/machines/windows.test.ts'], {})),
};
