import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import type { Ledger } from '../../src/domain/ports/ledger.ts';
import { seconds } from '../../src/core/duration.ts';
import { databaseName } from '../../src/store/database.ts';
import { anchorName } from '../../src/store/ledger/head-anchor.ts';
import { rowKeysName } from '../../src/store/sealed/row-keys.ts';
import type { LedgerImage } from './damage.ts';
import { flipEveryBit, imageFiles, startOn, takeImage, takeImageWithout } from './damage.ts';
import { attempt, job, printerUri, releaseId } from '../support/store/release-samples.ts';

test('T31: one flipped bit leaves the books the same, shorter by the unsynced tail, or in quarantine', async () => {
  const seed = systemChance.bytes(4).readUInt32LE();
  const { flips, verdicts, violations } = await flipEveryBit({ sample: 150, pick: pickFrom(seed) });
  expect({ seed, violations }).toEqual({ seed, violations: [] });
  expect(verdicts.same + verdicts.shorter + verdicts.quarantined).toBe(flips);
  expect(verdicts.quarantined).toBeGreaterThan(0);
});

/** mulberry32: numbers that a seed gives again. */
function pickFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Spoil = (bytes: Buffer) => Buffer | undefined;
const spoilers: Record<string, Spoil> = {
  gone: () => undefined,
  empty: () => Buffer.alloc(0),
  'cut in half': (bytes) => bytes.subarray(0, bytes.length / 2),
  'all zero': (bytes) => Buffer.alloc(bytes.length),
  'overwritten in the middle': (bytes) =>
    Buffer.from(bytes).fill(0xff, bytes.length / 4, (bytes.length * 3) / 4),
};
const damages = imageFiles
  .flatMap((name) => Object.entries(spoilers).map(([how, spoil]) => ({ name, how, spoil })))
  .filter(
    ({ name, how }) =>
      // What stands twice there is still whole.
      (name !== anchorName && name !== rowKeysName) || ['gone', 'empty', 'all zero'].includes(how),
  );

describe('T31: a start on books of which', () => {
  let image: LedgerImage;
  beforeAll(async () => {
    image = await takeImage();
  });
  afterAll(() => image[Symbol.dispose]());

  test.each(damages)('$name is $how ends in quarantine', ({ name, spoil }) => {
    const { verdict, reason } = startOn(image, { [name]: spoil(image.files.get(name) ?? Buffer.alloc(0)) });
    expect(verdict).toBe('quarantined');
    expect(reason).toBeTruthy();
  });

  test('nothing is damaged finds them the same', () => {
    expect(startOn(image, {})).toEqual({ verdict: 'same', reason: undefined });
  });

  test('the log lost an intent, a job or an end that was on disk ends in quarantine', async () => {
    const steps: Record<string, (ledger: Ledger) => void> = {
      INTENT: (ledger) => {
        ledger.fetched(releaseId(9), { length: 1000, digest: 'ab'.repeat(32) });
        ledger.intend(releaseId(9), printerUri);
      },
      'SERVICE-INTENT': (ledger) => ledger.intendByService(releaseId(9), 'SN-0001'),
      JOB: (ledger) => ledger.jobCreated(releaseId(4), job),
      UNKNOWN: (ledger) =>
        ledger.end(releaseId(4), { state: 'UNKNOWN', deletionOwed: false, holdFor: seconds(60) }),
    };
    for (const [step, take] of Object.entries(steps)) {
      using lost = await takeImageWithout(take);
      expect([step, startOn(lost, {}).verdict]).toEqual([step, 'quarantined']);
    }
  });

  test('the log lost what a power cut may take goes on without it', async () => {
    const steps: Record<string, (ledger: Ledger) => void> = {
      PLANNED: (ledger) => ledger.plan(attempt({ release: 10 })),
      'INTENT before its job': (ledger) => {
        ledger.fetched(releaseId(9), { length: 1000, digest: 'ab'.repeat(32) });
        ledger.intend(releaseId(9), printerUri, { isJobNext: true });
      },
      SENT: (ledger) => ledger.sent(releaseId(4)),
    };
    for (const [step, take] of Object.entries(steps)) {
      using lost = await takeImageWithout(take);
      expect([step, startOn(lost, {}).verdict]).toEqual([step, 'same']);
    }
  });

  test('an intent is gone whose job is there ends in quarantine (I1)', async () => {
    using lost = await takeImageWithout((ledger) => {
      ledger.fetched(releaseId(9), { length: 1000, digest: 'ab'.repeat(32) });
      ledger.intend(releaseId(9), printerUri, { isJobNext: true });
      ledger.jobCreated(releaseId(9), job);
    });
    expect(startOn(lost, {}).verdict).toBe('quarantined');
  });

  test('one slot of the anchor is lost goes by the other', () => {
    const anchor = image.files.get(anchorName) ?? Buffer.alloc(0);
    const slots = [anchor.subarray(0, anchor.length / 2), Buffer.from(anchor).fill(0, 0, anchor.length / 2)];
    for (const slot of slots) expect(startOn(image, { [anchorName]: slot }).verdict).toBe('same');
  });

  test('the log was cut anywhere, as a power cut leaves it, are shorter by the unsynced tail or in quarantine', () => {
    const name = `${databaseName}-wal`;
    const log = image.files.get(name) ?? Buffer.alloc(0);
    const verdicts = new Set<string>();
    for (let length = 0; length < log.length; length += 500) {
      verdicts.add(startOn(image, { [name]: log.subarray(0, length) }).verdict);
      // The rest of it was given room on the disk, and never written.
      verdicts.add(startOn(image, { [name]: Buffer.from(log).fill(0, length) }).verdict);
    }
    expect([...verdicts].sort()).toEqual(['quarantined', 'shorter']);
  });
});
