/**
 * A thousand sessions of the campaign (`npm run campaign -- sessions`), the same ones each time: people, terminals,
 * printers with their habits, the 31 standard faults, kills and restarts; judged from outside.
 */
import { describe, expect, it } from 'vitest';
import { visitsEach } from '../../sessions/plan.ts';
import { playInLanes } from '../../sessions/program.ts';
import { addTally, emptyTally } from '../../sessions/tally.ts';

const scenes = 1000 / visitsEach;
/** Played one after the other, so that each has its own time. */
const scenesOfPart = 6;
const parts = Array.from({ length: Math.floor(scenes / scenesOfPart) }, (_, at) => at * scenesOfPart);

describe('a thousand sessions', () => {
  const tally = emptyTally();

  it.each(parts)('break no invariant from scene %d on, whatever goes wrong', async (from) => {
    const isLast = from === parts.at(-1);
    const part = await playInLanes({ seed: 1000, from, scenes: isLast ? scenes - from : scenesOfPart });
    addTally(tally, part);
    expect(part.found).toEqual([]);
  });

  it('have met what they are about', () => {
    expect(tally.sessions).toBeGreaterThanOrEqual(1000);
    expect(Object.keys(tally.outcomes)).toEqual(expect.arrayContaining(['completed', 'failed', 'unknown']));
    expect(Object.keys(tally.cloudFaults).length).toBeGreaterThan(20);
    expect(tally.deaths['kill']).toBeGreaterThan(5);
  });
});
