/** Who waits for the disk waits together, and the anchor is never ahead of the log (B.1). */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { Head } from '../../src/store/event-chain.ts';
import { createGroupCommit } from '../../src/store/ledger/group-commit.ts';

/** A disk that ends a sync when the test says so: log and anchor as a power cut would find them. */
function slowDisk() {
  const disk = { written: 0, log: 0, anchor: 0, syncs: 0, ahead: false };
  const underWay: { end: () => void; fail: (error: Error) => void }[] = [];
  async function syncOf(reach: () => void): Promise<void> {
    disk.syncs += 1;
    const sync = Promise.withResolvers<void>();
    underWay.push({ end: sync.resolve, fail: sync.reject });
    await sync.promise;
    reach();
  }
  const commits = createGroupCommit({
    database: {
      syncBeside() {
        const reached = disk.written;
        return syncOf(() => void (disk.log = reached));
      },
      guardedBeside: (work) => work(),
    },
    anchor: {
      holdBeside({ seq }) {
        disk.ahead ||= seq > disk.log;
        return syncOf(() => void (disk.anchor = seq));
      },
    },
  });
  return {
    disk,
    commits,
    /** A step in the books; `anchored`: the world must not be ahead of it. */
    write({ anchored = true } = {}): number {
      const seq = (disk.written += 1);
      const head: Head = { seq, hash: Buffer.alloc(32) };
      if (anchored) commits.anchors(head);
      return seq;
    },
    async endSync(error?: Error): Promise<boolean> {
      const sync = underWay.shift();
      if (error) sync?.fail(error);
      else sync?.end();
      await settled();
      return sync !== undefined;
    },
  };
}

/** All that follows of itself has followed. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

it('resolves when the log and then the anchor are on disk', async () => {
  const { disk, commits, write, endSync } = slowDisk();
  let isDurable = false;
  write();
  void commits.durable().then(() => (isDurable = true));
  await settled();
  expect([disk.log, disk.anchor, isDurable]).toEqual([0, 0, false]);
  await endSync();
  expect([disk.log, disk.anchor, isDurable]).toEqual([1, 0, false]);
  await endSync();
  expect([disk.log, disk.anchor, isDurable]).toEqual([1, 1, true]);
});

it('a hundred that wait at the same time share one sync of each', async () => {
  const { disk, commits, write, endSync } = slowDisk();
  const all = Array.from({ length: 100 }, () => (write(), commits.durable()));
  while ((await settled(), await endSync()));
  await Promise.all(all);
  expect([disk.syncs, disk.anchor]).toEqual([2, 100]);
});

it('what is written during a sync waits for the next one', async () => {
  const { disk, commits, write, endSync } = slowDisk();
  const durable: string[] = [];
  write();
  void commits.durable().then(() => durable.push('first'));
  await settled();
  write();
  void commits.durable().then(() => durable.push('second'));
  // The first log, then the second one beside the first anchor.
  for (const _ of ['log', 'log', 'anchor']) await endSync();
  expect([durable, disk.anchor]).toEqual([['first'], 1]);
  while (await endSync());
  expect([durable, disk.anchor]).toEqual([['first', 'second'], 2]);
});

it('who has written nothing still waits for what others are waiting for', async () => {
  const { commits, write, endSync } = slowDisk();
  let isDurable = false;
  write();
  void commits.durable();
  await settled();
  void commits.durable().then(() => (isDurable = true));
  await endSync();
  expect(isDurable).toBe(false);
  while (await endSync());
  expect(isDurable).toBe(true);
});

it('rejects for everybody where the disk fails (D12)', async () => {
  const { commits, write, endSync } = slowDisk();
  write();
  const both = [commits.durable(), commits.durable()];
  const outcomes = Promise.allSettled(both);
  await settled();
  await endSync(new Problem('store-failed', 'EIO'));
  expect(await outcomes).toMatchObject([
    { status: 'rejected', reason: { code: 'store-failed' } },
    { status: 'rejected', reason: { code: 'store-failed' } },
  ]);
});

it('B.1: whoever writes and waits in whatever order, the anchor is never ahead, and durable is durable', async () => {
  const step = fc.constantFrom('write', 'note', 'wait', 'write and wait', 'end a sync', 'turn');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { disk, commits, write, endSync } = slowDisk();
      const faults: string[] = [];
      let anchored = 0;
      const wait = async (): Promise<void> => {
        const [written, head] = [disk.written, anchored];
        await commits.durable();
        if (disk.log < written || disk.anchor < head) faults.push(`${written} and ${head} were not durable`);
      };
      const waiting: Promise<void>[] = [];
      for (const what of steps) {
        if (what.startsWith('write')) anchored = write();
        if (what === 'note') write({ anchored: false });
        if (what.endsWith('wait')) waiting.push(wait());
        if (what === 'end a sync') await endSync();
        if (what === 'turn') await settled();
      }
      while ((await settled(), await endSync()));
      await Promise.all(waiting);
      expect([faults, disk.ahead]).toEqual([[], false]);
    }),
    { numRuns: 300 },
  );
});
