/**
 * How many steps a second the ledger makes durable (D1): releases over an IPP job, six commits each, twice durable. Beside it the
 * disk's own pace: 4 KiB written in place and synchronised, which every durable commit costs at least.
 */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { intend, job } from '../support/store/release-samples.ts';
import { seconds } from '../../src/core/duration.ts';
import { openSteadyStore } from '../support/store/steady-store.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import type { Measurement } from './figures.ts';
import { perSecond, ratio } from './figures.ts';

/** Milliseconds for each side: a slow disk makes fewer steps, not a longer measurement. */
const time = 3000;
/** Planned, fetched, intent, job, sent, end. */
const commitsOfRelease = 6;

export async function measureLedger(): Promise<Measurement> {
  using directory = temporaryDirectory();
  const disk = await synchronisedWrites(join(directory.path, 'raw'));
  const commits = commitsOfRelease * (await releasesRecorded(join(directory.path, 'state')));
  return {
    title: 'Steps of a release made durable in the ledger',
    how: `One after the other for ${time / 1000} s, as a release makes them. Beside it 4 KiB written and fdatasync.`,
    rows: [
      ['', 'commits', 'to the disk'],
      ['write and fdatasync', perSecond(disk), ratio(disk, disk)],
      ['ledger', perSecond(commits), ratio(commits, disk)],
    ],
    goals: [],
  };
}

async function releasesRecorded(stateDir: string): Promise<number> {
  await using store = await openSteadyStore(stateDir);
  const { ledger } = store;
  return await pace(async (number) => {
    const id = intend(ledger, { release: number });
    ledger.jobCreated(id, job);
    await ledger.durable();
    ledger.sent(id);
    ledger.end(id, { state: 'CONFIRMED', deletionOwed: true, holdFor: seconds(0) });
    await ledger.durable();
  });
}

async function synchronisedWrites(path: string): Promise<number> {
  const block = Buffer.alloc(4096, 'x');
  const file = openSync(path, 'w');
  try {
    return await pace(async () => {
      writeSync(file, block, 0, block.length, 0);
      fdatasyncSync(file);
    });
  } finally {
    closeSync(file);
  }
}

/** How often a second the step is made, numbered from 1. */
async function pace(step: (number: number) => Promise<void>): Promise<number> {
  const since = performance.now();
  let done = 0;
  while (performance.now() - since < time) await step((done += 1));
  return (done / (performance.now() - since)) * 1000;
}
