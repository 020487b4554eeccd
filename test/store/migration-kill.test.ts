/** A start that brings the database up to date and does not come to its end (G4, D8, D12); all of it is `npm run campaign`. */
import { execFileSync } from 'node:child_process';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Problem } from '../../src/domain/problem/problem.ts';
import { migrationKills, spread, violationOf } from '../campaign/migration-kills.ts';
import { needsPeer } from '../peers/availability.ts';
import type { SmallDisk } from '../support/small-disk.ts';
import { mountSmallDisk, needsMount } from '../support/small-disk.ts';
import type { OlderVersion } from './older-databases.ts';
import { contentOf, olderVersions, writeOlderDatabase } from './older-databases.ts';
import { openSteadyStore } from './steady-store.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const seed = Number(process.env['PLATEN_SEED'] ?? Date.now() % 1_000_000);
const killed = 6;

needsPeer('strace', 'strace')('SIGKILL before a durable call of a migration', () => {
  test(`G4: the database is the old one or the new one, whole, and nothing is lost (seed ${seed})`, async () => {
    const kills = await migrationKills();
    expect(new Set(kills.map(({ from }) => from))).toEqual(new Set(olderVersions));
    const violations = await Promise.all(spread(kills, killed, seed).map(violationOf));
    expect(violations).toEqual(Array.from({ length: killed }));
  }, 60_000);
});

describe('a disk that lets no migration through', () => {
  needsMount();

  const before = (version: OlderVersion): { readonly disk: SmallDisk; readonly rows: readonly unknown[] } => {
    const directory = temporaryDirectory();
    const disk = mountSmallDisk(directory.path, { size: '1m' });
    onTestFinished(() => {
      disk[Symbol.dispose]();
      directory[Symbol.dispose]();
    });
    writeOlderDatabase(disk.path, version);
    return { disk, rows: contentOf(disk.path).rows };
  };

  test.each([1, 2, 3] as const)(
    'D8: full, from version %s: refused at whatever step the room ends, with nothing lost or set aside, and done when there is room',
    async (version) => {
      const { disk, rows } = before(version);
      const refusals: unknown[] = [];
      for (let room = 0; refusals.at(-1) !== 'opened'; room += 4096) {
        disk.fill(room);
        refusals.push(
          await openSteadyStore(disk.path).then(
            async (store) => {
              expect(store.quarantine).toBeUndefined();
              await store[Symbol.asyncDispose]();
              return 'opened';
            },
            ({ code }: Problem) => code,
          ),
        );
        disk.free();
        expect(contentOf(disk.path).rows).toEqual(expect.arrayContaining([...rows]));
      }
      expect(refusals.length).toBeGreaterThan(5);
      // The second: there is no room for what SQLite shares among processes.
      expect(new Set(refusals)).toEqual(new Set(['store-refused', 'store-failed', 'opened']));
    },
  );

  test('D8: read-only: it is refused, and nothing is changed', async () => {
    const { disk, rows } = before(2);
    execFileSync('mount', ['-o', 'remount,ro', disk.path]);
    await expect(openSteadyStore(disk.path)).rejects.toMatchObject({ code: 'state-unusable' });
    execFileSync('mount', ['-o', 'remount,rw', disk.path]);
    expect(contentOf(disk.path)).toEqual({ version: 2, rows });
  });
});
