/**
 * All that a scene is judged by. Nothing here asks the agent or shares its code: the trays, the cloud's books, the frames
 * and the bytes that were seen are all there is (INVARIANTS.md, "Invariants").
 */
import type { Chronicle } from '../chronicle.ts';
import { charges, lost } from './history.ts';
import { impatience, lies } from './outcomes.ts';
import { deletions, doubles, forgotten, strangers, unasked } from './printing.ts';
import type { Readings, Violation } from './readings.ts';
import { readChronicle } from './readings.ts';
import { leaks, untruths } from './screens.ts';
import { secretsTold } from './secrets.ts';
import { brokenOff, deviations, spentTwice, unserved } from './service.ts';

const rules: readonly ((readings: Readings) => readonly Violation[])[] = [
  ...[doubles, strangers, lies, lost, charges, leaks, secretsTold, unserved, brokenOff, unasked, deletions],
  ...[forgotten, untruths, impatience, deviations, spentTwice],
];

export interface Verdict {
  readonly readings: Readings;
  readonly violations: readonly Violation[];
}

export function judgeScene(chronicle: Chronicle): Verdict {
  const readings = readChronicle(chronicle);
  return { readings, violations: rules.flatMap((rule) => rule(readings)) };
}
