/** Cards that are to be given back: there until they are, whatever happens in between, and then nowhere (I4, I5). */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { hours } from '../../src/core/duration.ts';
import { createSealing, createUnsealing } from '../../src/core/sealing.ts';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import { openOwedCards, owedCardKeysName, owedCardsName } from '../../src/store/sealed/owed-cards.ts';
import { createSealedFiles } from '../../src/store/sealed/sealed-files.ts';
import { keyFromFile, storedKey } from '../../src/store/sealed/sealing.ts';
import { recordLog } from '../support/recorded-log.ts';
import { mountSmallDisk, needsMount } from '../support/small-disk.ts';
import { filesBelow, temporaryDirectory } from '../support/temporary-directory.ts';

const alice = { id: 17, providerId: 3 };
const bob = { id: 18, providerId: 3 };
const cards = ['04A1B2C3D4', '04DEADBEEF'].map((number) => new CardNumber(number));

function openAt(directory: string, log = recordLog()) {
  const key = keyFromFile({ directory, sealedBefore: () => false, onLost() {}, chance: systemChance });
  const sealing = createSealing({ key, chance: systemChance });
  const files = createSealedFiles({ directory, sealing, log: log.log, onFatal: () => {} });
  return openOwedCards({ directory, files, chance: systemChance, log: log.log });
}

/** Whether anybody who has these files, and the sealing key, can read the cards. */
function areReadable(directory: string, list: Buffer, keys: Buffer): boolean {
  const key = storedKey(directory);
  const outer = key && createUnsealing(key).unseal(owedCardsName, list);
  if (outer?.kind !== 'text') throw new Error('the list does not open');
  using copy = temporaryDirectory();
  writeFileSync(join(copy.path, 'sealing-key'), readFileSync(join(directory, 'sealing-key')));
  writeFileSync(join(copy.path, owedCardsName), list);
  writeFileSync(join(copy.path, owedCardKeysName), keys);
  return openAt(copy.path).of(alice).length > 0;
}

it('are there again after a crash, whose they are too, and in clear in no file', () => {
  using folder = temporaryDirectory();
  openAt(folder.path).keep(alice, cards);
  const again = openAt(folder.path);
  expect(again.all()).toEqual([alice]);
  expect(again.of(alice)).toEqual(cards);
  expect(again.of(bob)).toEqual([]);
  for (const { mode, bytes } of filesBelow(folder.path)) {
    expect([mode, bytes.includes('04DEAD'), bytes.includes('04A1')]).toEqual([0o600, false, false]);
  }
});

it('of somebody to whom nothing is owed leave no file, and cost a start nothing', () => {
  using folder = temporaryDirectory();
  openAt(folder.path).forget(alice);
  expect(existsSync(join(folder.path, owedCardsName))).toBe(false);
  expect(existsSync(join(folder.path, owedCardKeysName))).toBe(false);
});

it('are kept anew in place of what was kept, under another key, and the others stay', () => {
  using folder = temporaryDirectory();
  const owed = openAt(folder.path);
  owed.keep(alice, cards);
  owed.keep(bob, cards.slice(1));
  const [list, keys] = [owedCardsName, owedCardKeysName].map((name) => readFileSync(join(folder.path, name)));
  owed.keep(alice, cards.slice(0, 1));
  const again = openAt(folder.path);
  expect([again.of(alice), again.of(bob)]).toEqual([cards.slice(0, 1), cards.slice(1)]);
  if (!list || !keys) throw new Error('no files');
  expect(areReadable(folder.path, list, keys)).toBe(true);
  expect(areReadable(folder.path, list, readFileSync(join(folder.path, owedCardKeysName)))).toBe(false);
});

it('are forgotten with their key: an older copy of the list opens no more (I5)', () => {
  using folder = temporaryDirectory();
  const owed = openAt(folder.path);
  owed.keep(alice, cards);
  const list = readFileSync(join(folder.path, owedCardsName));
  const before = statSync(join(folder.path, owedCardKeysName));
  owed.forget(alice);
  const after = statSync(join(folder.path, owedCardKeysName));
  // In its place: no copy of the keys lies anywhere else.
  expect([after.ino, after.size]).toEqual([before.ino, before.size]);
  expect(areReadable(folder.path, list, readFileSync(join(folder.path, owedCardKeysName)))).toBe(false);
  expect(openAt(folder.path).all()).toEqual([]);
});

it('of which a crash kept the key are out of reach after the next start', () => {
  using folder = temporaryDirectory();
  const owed = openAt(folder.path);
  owed.keep(alice, cards);
  const [list, keys] = [owedCardsName, owedCardKeysName].map((name) => readFileSync(join(folder.path, name)));
  owed.forget(alice);
  if (!list || !keys) throw new Error('no files');
  writeFileSync(join(folder.path, owedCardKeysName), keys);
  openAt(folder.path);
  expect(areReadable(folder.path, list, readFileSync(join(folder.path, owedCardKeysName)))).toBe(false);
});

it.each([0, 1])('are whole after a torn write of the keys (copy %s)', (copy) => {
  using folder = temporaryDirectory();
  openAt(folder.path).keep(alice, cards);
  const path = join(folder.path, owedCardKeysName);
  const tear = (which: number) => {
    const bytes = readFileSync(path);
    bytes.fill(0x5a, which * 4096, which * 4096 + 4096);
    writeFileSync(path, bytes);
  };
  tear(copy);
  expect(openAt(folder.path).of(alice)).toEqual(cards);
  tear(1 - copy);
  expect(openAt(folder.path).of(alice)).toEqual(cards);
});

it('that can be read no more are told, and hold up nothing', () => {
  using folder = temporaryDirectory();
  openAt(folder.path).keep(alice, cards);
  writeFileSync(join(folder.path, owedCardKeysName), Buffer.alloc(8192, 0x5a));
  const log = recordLog();
  const owed = openAt(folder.path, log);
  expect([owed.all(), log.records('owed cards unreadable')]).toMatchObject([[], [{ people: 1 }]]);
  owed.keep(bob, cards);
  expect(openAt(folder.path).all()).toEqual([bob]);
});

it('are kept for 30 days, over restarts, by a clock that nobody sets', () => {
  using folder = temporaryDirectory();
  const owed = openAt(folder.path);
  owed.keep(alice, cards);
  expect(owed.age(hours(15 * 24))).toEqual([]);
  owed.keep(bob, cards);
  const again = openAt(folder.path);
  expect(again.age(hours(15 * 24 - 1))).toEqual([]);
  expect(again.age(hours(1))).toEqual([alice]);
  expect(openAt(folder.path).all()).toEqual([bob]);
});

it('are so many at most: another person is refused, and nothing changes', () => {
  using folder = temporaryDirectory();
  const owed = openAt(folder.path);
  const refused = expect.objectContaining({ code: 'store-refused' });
  const many = Array.from({ length: 65 }, (_, number) => new CardNumber(`CARD${number}`));
  expect(() => owed.keep(alice, many)).toThrow(refused);
  for (let id = 1; id <= 32; id += 1) owed.keep({ id, providerId: 3 }, many.slice(1));
  expect(() => owed.keep({ id: 33, providerId: 3 }, cards)).toThrow(refused);
  owed.keep({ id: 32, providerId: 3 }, cards);
  expect(openAt(folder.path).all()).toHaveLength(32);
  expect(openAt(folder.path).of({ id: 32, providerId: 3 })).toEqual(cards);
});

describe('on a disk that is full, or read-only', () => {
  needsMount();

  it('they are refused, or forgotten by the end of their key alone', () => {
    using folder = temporaryDirectory();
    using disk = mountSmallDisk(folder.path, { size: '1m' });
    const log = recordLog();
    const owed = openAt(disk.path, log);
    const refused = expect.objectContaining({ code: 'store-refused' });
    disk.fill();
    expect(() => owed.keep(alice, cards)).toThrow(refused);
    expect([owed.all(), openAt(disk.path).all()]).toEqual([[], []]);
    disk.free();
    owed.keep(alice, cards);
    disk.fill();
    expect(() => owed.keep(bob, cards)).toThrow(refused);
    expect(owed.all()).toEqual([alice]);
    const list = readFileSync(join(disk.path, owedCardsName));
    owed.forget(alice);
    expect(owed.all()).toEqual([]);
    expect(log.records('owed cards not written')).toMatchObject([{ code: 'store-refused' }]);
    expect(areReadable(disk.path, list, readFileSync(join(disk.path, owedCardKeysName)))).toBe(false);
    disk.remount('ro');
    expect(() => owed.keep(bob, cards)).toThrow(refused);
    disk.remount('rw');
    disk.free();
    owed.keep(bob, cards);
    expect(openAt(disk.path).all()).toEqual([bob]);
  });
});
