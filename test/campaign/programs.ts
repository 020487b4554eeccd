/** All there is to run, in this order: further ones are a line here. */
import { table } from '../../src/commands/terminal-text/table.ts';
import { fuzzedAnswers } from '../fuzz/ipp-answers.ts';
import { fuzzedPaths } from '../fuzz/kiosk-paths.ts';
import { flipEveryBit } from '../store/damage.ts';
import { diceOf } from '../support/dice.ts';
import { fleetApart, fleetFaults } from './fleet-campaign.ts';
import { cutPower, killRandomly, killStepwise } from './kill-campaign.ts';
import { fileSystems } from '../support/recorded-disk.ts';
import type { FileSystem } from '../support/recorded-disk.ts';
import { protocols } from './kill-stage.ts';
import { arm64Machine } from './arm64-machine.ts';
import { busStorms } from './bus-storms.ts';
import { gates } from './gate.ts';
import { killedCreations } from './creation-kills.ts';
import { sessions } from '../sessions/program.ts';
import type { Program } from '../support/campaign-program.ts';
import { machines, windows } from './machines.ts';
import { cutLives } from './power-lives.ts';
import { pixels } from './pixels.ts';
import { properties } from './properties.ts';
import { screenDeaths } from './screen-deaths.ts';
import { screens } from './screens.ts';
import { killSpooler } from './spooler-kills.ts';

const damagedBooks: Program = {
  name: 'flip-bits',
  what: 'the ledger with one bit changed (T31)',
  runs: 20_000,
  async run({ seed, runs }) {
    const dice = diceOf(seed);
    const { flips, verdicts, violations } = await flipEveryBit({
      sample: runs,
      pick: (below) => Math.floor(dice.number(below)),
    });
    const figures = Object.entries({ flips, ...verdicts, violations: violations.length });
    return {
      table: table([figures.map(([name]) => name), figures.map(([, count]) => String(count))]),
      violations,
    };
  },
};

/** The machine lab: disks that lose their power, networks of gateways, and machines with a kernel and buses of their own. */
export const lab: readonly Program[] = [
  ...(Object.keys(fileSystems) as FileSystem[]).flatMap((name) => [cutPower(name), cutLives(name)]),
  ...fleetApart,
  machines,
  busStorms,
  screenDeaths,
  arm64Machine,
  windows,
];

export const programs: readonly Program[] = [
  ...protocols.map(killStepwise),
  ...protocols.map(killRandomly),
  killedCreations,
  damagedBooks,
  fuzzedAnswers,
  fuzzedPaths,
  properties,
  sessions,
  screens,
  ...fleetFaults,
  killSpooler({ takes: 'one by one', dirtyCleanInterval: 0 }),
  killSpooler({ takes: 'all at once', dirtyCleanInterval: 0 }),
  killSpooler({ document: 'short', takes: 'one by one', dirtyCleanInterval: 0 }),
  // As CUPS is shipped.
  killSpooler({ takes: 'all at once', dirtyCleanInterval: 30 }),
  killSpooler({ takes: 'all at once', dirtyCleanInterval: 0, isEmptied: true }),
  pixels,
  ...lab,
  ...gates,
];
