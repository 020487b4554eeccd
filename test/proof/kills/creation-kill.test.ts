/** A first start that makes the database and does not come to its end (G4, D8, D12); all of it is `npm run campaign`. */
import { execFileSync } from 'node:child_process';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Problem } from '../../../src/domain/problem/problem.ts';
import { contentOf, creationCalls, spread, violationOf } from '../../campaign/creation-kills.ts';
import { needsPeer } from '../../support/needs.ts';
import type { SmallDisk } from '../../support/small-disk.ts';
import { mountSmallDisk, needsMount } from '../../support/small-disk.ts';
import { openSteadyStore } from '../../support/store/steady-store.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

/** By which the calls are chosen: always the same ones; the campaign dies before all. */
const seed = 4;
const killed = 6;

needsPeer('strace', 'strace')('SIGKILL before a durable call of a first start', () => {
  test('G4: there is nothing or the whole database, and the next start makes it', async () => {
    const calls = await creationCalls();
    expect(calls.length).toBeGreaterThan(20);
    const violations = await Promise.all(spread(calls, killed, seed).map(violationOf));
    expect(violations).toEqual(Array.from({ length: killed }));
  });
});

describe('a disk that lets no first start through', () => {
  needsMount();

  function smallDisk(): SmallDisk {
    const directory = temporaryDirectory();
    const disk = mountSmallDisk(directory.path, { size: '1m' });
    onTestFinished(() => {
      disk[Symbol.dispose]();
      directory[Symbol.dispose]();
    });
    return disk;
  }

  const opening = (disk: SmallDisk): Promise<unknown> =>
    openSteadyStore(disk.path).then(
      async (store) => {
        expect(store.quarantine).toBeUndefined();
        await store[Symbol.asyncDispose]();
        return 'opened';
      },
      ({ code }: Problem) => code,
    );

  test('D8: full: refused at whatever step the room ends, with nothing set aside, and done when there is room', async () => {
    const disk = smallDisk();
    const refusals: unknown[] = [];
    for (let room = 0; refusals.at(-1) !== 'opened'; room += 4096) {
      disk.fill(room);
      refusals.push(await opening(disk));
      disk.free();
    }
    expect(refusals.length).toBeGreaterThan(5);
    // The second: there is no room for what SQLite shares among processes.
    expect(new Set(refusals)).toEqual(new Set(['store-refused', 'store-failed', 'opened']));
  });

  test('D8: read-only: it is refused, and nothing is changed', async () => {
    const disk = smallDisk();
    expect(await opening(disk)).toBe('opened');
    const before = contentOf(disk.path);
    execFileSync('mount', ['-o', 'remount,ro', disk.path]);
    expect(await opening(disk)).toBe('state-unusable');
    execFileSync('mount', ['-o', 'remount,rw', disk.path]);
    expect(contentOf(disk.path)).toEqual(before);
  });
});
