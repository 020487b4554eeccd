/**
 * The power goes at the flushes of a life: first registration, releases, refresh of the token, reload, compaction. What was
 * flushed is enough for a start, and no document comes out twice or without its record (I1, I2, I7, D1, D12). A disk that
 * said what was not so loses more, and the agent starts. All flushes of many lives are `npm run lab -- power-flushes-`.
 */
import { describe, expect, it } from 'vitest';
import { cutLife, lives, resultOf } from '../../campaign/power-lives.ts';
import { diceOf } from '../../support/dice.ts';
import { needsRecordedDisk } from '../../support/recorded-disk.ts';

/** Always the same; the campaign throws others. */
const seed = 5;
/** At one flush. */
const cutsEach = 3;

describe('a power cut at a flush of the disk', () => {
  needsRecordedDisk();

  // Where a package is installed, a cut takes ten seconds.
  const short = lives.filter(({ protocol, boot }) => protocol === 'ipp' && !boot);
  it.each(short)('of a life with $name', async (life) => {
    const dice = diceOf(seed);
    const outcomes = await cutLife(life, { fileSystem: 'ext4', most: cutsEach, dice });
    expect(outcomes).toHaveLength(cutsEach);
    expect(resultOf(outcomes).violations).toEqual([]);
  });
});
