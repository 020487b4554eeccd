/**
 * The agent is killed wherever it has come, on each protocol, and started again: no document comes out twice, none that
 * came out is without its record, and every start serves badges (I1, I2, I7, B.1, G3, G11). The whole of it, with 2 000
 * random moments a protocol, is `npm run campaign`.
 */
import { describe, expect, it } from 'vitest';
import type { KillResult } from '../../campaign/kill-campaign.ts';
import { killInLanes, randomBatches } from '../../campaign/kill-campaign.ts';
import { protocols } from '../../campaign/kill-stage.ts';

/** Always the same; the campaign throws others. A moment is a share of the time that a release takes here and now. */
const seed = 21_699;
/** In one batch: each begins and ends with some starts in which nobody is killed. */
const killsEach = 8;
const randomKills = killsEach * protocols.length;

const tell = (heading: string, { table }: KillResult): unknown =>
  process.stdout.write(`\n${heading}\n\n${table}\n`);

describe('SIGKILL', () => {
  it(`at ${randomKills} random moments`, async () => {
    const batches = protocols.flatMap((protocol) => randomBatches(protocol, killsEach, seed));
    const result = await killInLanes(batches);
    tell(`${randomKills} random moments, seed ${seed}`, result);
    expect(result.violations).toEqual([]);
  });
});
