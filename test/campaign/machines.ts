/** A keyboard, a stick and AppArmor before a kernel of our own: emulated, it is too slow to be played beside the gate. */
import type { Program } from '../support/campaign-program.ts';
import { runTests } from './vitest-run.ts';

export const machines: Program = {
  name: 'machines',
  what: 'a USB keyboard, a USB stick and a release below AppArmor in an emulated machine',
  runs: 1,
  run: () => Promise.resolve(runTests(['test/proof/machines'], {})),
};
