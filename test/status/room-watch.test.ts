/** A disk that fills is told of before the first document fails. */
import { expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { minutes } from '../../src/core/duration.ts';
import { createConditions } from '../../src/status/conditions.ts';
import { createRoomWatch } from '../../src/status/state-watch.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

const mebibyte = 1024 * 1024;
const ample = { bsize: 4096, bavail: (600 * mebibyte) / 4096, files: 100_000, ffree: 50_000 };
const withMebibytes = (count: number) => ({ ...ample, bavail: (count * mebibyte) / 4096 });

function watchOn() {
  const clock = createSteeredClock();
  const conditions = createConditions({ clock, log: recordLog().log });
  const disk = { now: ample, isThere: true };
  const watch = createRoomWatch({
    stateDir: '/state',
    conditions,
    clock,
    chance: { ...systemChance, jitter: (span) => span },
    async look() {
      if (!disk.isThere) throw new Error('ENOENT');
      return disk.now;
    },
  });
  const over = new AbortController();
  const running = watch.run(over.signal);
  onTestFinished(async () => {
    over.abort();
    await running;
  });
  return {
    disk,
    reported: async () => {
      await clock.advance(minutes(1));
      return conditions.list().map(({ code, severity, detail }) => [code, severity, detail]);
    },
  };
}

it('is a warning while a large document may not fit, an error where none goes to the disk, and over with room', async () => {
  const { disk, reported } = watchOn();
  expect(await reported()).toEqual([]);
  disk.now = withMebibytes(511);
  expect(await reported()).toEqual([
    ['disk-filling', 'warning', expect.stringContaining('less than 512 MB')],
  ]);
  disk.now = withMebibytes(63);
  expect(await reported()).toEqual([['disk-filling', 'error', expect.stringContaining('less than 64 MB')]]);
  disk.now = withMebibytes(512);
  expect(await reported()).toEqual([]);
});

it('is told of inodes too, where the file system counts them', async () => {
  const { disk, reported } = watchOn();
  disk.now = { ...ample, ffree: 99 };
  expect(await reported()).toEqual([['disk-filling', 'error', expect.stringContaining('inodes')]]);
  disk.now = { ...ample, files: 0, ffree: 0 };
  expect(await reported()).toEqual([]);
});

it('goes on where the directory cannot be looked at for a while', async () => {
  const { disk, reported } = watchOn();
  disk.now = withMebibytes(1);
  await reported();
  disk.isThere = false;
  expect(await reported()).toHaveLength(1);
  Object.assign(disk, { now: ample, isThere: true });
  expect(await reported()).toEqual([]);
});
