/**
 * The first six scenes of the thousand sessions (test/proof/sessions), the same ones each time: people, terminals,
 * printers with their habits, the 31 standard faults, kills and restarts; judged from outside.
 */
import { expect, it } from 'vitest';
import { visitsEach } from './plan.ts';
import { playInLanes } from './program.ts';

const scenes = 6;

it('six scenes break no invariant, whatever goes wrong', async () => {
  const tally = await playInLanes({ seed: 1000, from: 0, scenes });
  expect(tally.found).toEqual([]);
  expect(tally.sessions).toBeGreaterThanOrEqual(scenes * visitsEach);
  // It has met what it is about.
  expect(Object.keys(tally.outcomes)).toEqual(expect.arrayContaining(['completed', 'failed', 'unknown']));
  expect(Object.keys(tally.cloudFaults).length).toBeGreaterThan(10);
  expect(tally.deaths['kill']).toBeGreaterThan(0);
});
