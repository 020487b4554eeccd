/**
 * The power goes: the agent dies, and the disk of its state directory keeps what was flushed, and of the rest what chance
 * wants. No document comes out twice, none that came out is without its record, and every start serves badges (I1, I2, I7,
 * D1, D12). Thousands of cuts are `npm run campaign -- power-`.
 */
import { describe, expect, it } from 'vitest';
import { killInLanes, randomBatches, withPowerCuts } from '../../campaign/kill-campaign.ts';
import { needsRecordedDisk } from '../../support/recorded-disk.ts';

/** Always the same; the campaign throws others. */
const seed = 5;
const cutsEach = 2;

describe('a power cut', () => {
  needsRecordedDisk();

  it('at random moments, on ext4 and on btrfs', async () => {
    const result = await killInLanes([
      ...withPowerCuts(randomBatches('ipp', cutsEach, seed), 'ext4', seed),
      ...withPowerCuts(randomBatches('socket', cutsEach, seed), 'btrfs', seed),
    ]);
    process.stdout.write(`\nPower cuts, seed ${seed}\n\n${result.table}\n`);
    expect(result.violations).toEqual([]);
  });
});
