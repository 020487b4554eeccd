/**
 * A thousand sessions of the campaign (`npm run campaign -- sessions`), the same ones each time: people, terminals,
 * printers with their habits, the 31 standard faults, kills and restarts; judged from outside.
 */
import { expect, it } from 'vitest';
import { visitsEach } from '../../sessions/plan.ts';
import { playInLanes } from '../../sessions/program.ts';

const sessions = 1000;

it('a thousand sessions break no invariant, whatever goes wrong', async () => {
  const tally = await playInLanes({ seed: 1000, from: 0, scenes: sessions / visitsEach });
  expect(tally.found).toEqual([]);
  expect(tally.sessions).toBeGreaterThanOrEqual(sessions);
  // It has met what it is about.
  expect(Object.keys(tally.outcomes)).toEqual(expect.arrayContaining(['completed', 'failed', 'unknown']));
  expect(Object.keys(tally.cloudFaults).length).toBeGreaterThan(20);
  expect(tally.deaths['kill']).toBeGreaterThan(5);
});
