/** How people want documents printed, kept over restarts by their cards, and forgotten. */
import { expect, it } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { createSealing } from '../../src/core/sealing.ts';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import { openDefaults } from '../../src/store/sealed/kept-by-card.ts';
import { createSealedFiles } from '../../src/store/sealed/sealed-files.ts';
import { keyFromFile } from '../../src/store/sealed/sealing.ts';
import { recordLog } from '../support/recorded-log.ts';
import { filesBelow, temporaryDirectory } from '../support/temporary-directory.ts';

const alice = new CardNumber('04A1B2C3D4');
const bob = new CardNumber('04B5C6D7E8');
const both = { grey: true, twoSided: true };

function openAt(directory: string) {
  const key = keyFromFile({ directory, sealedBefore: () => false, onLost() {}, chance: systemChance });
  const sealing = createSealing({ key, chance: systemChance });
  const files = createSealedFiles({ directory, sealing, log: recordLog().log, onFatal: () => {} });
  return openDefaults({ files, chance: systemChance });
}

it('what is kept with a card is known after a restart, until it is forgotten; no file holds the card', () => {
  using folder = temporaryDirectory();
  const { path } = folder;
  openAt(path).keep(alice, both);
  openAt(path).keep(bob, { grey: false, twoSided: true });
  expect([alice, bob].map((card) => openAt(path).of(card))).toEqual([both, { grey: false, twoSided: true }]);
  openAt(path).forget(bob);
  expect([alice, bob].map((card) => openAt(path).of(card))).toEqual([both, undefined]);
  const files = filesBelow(path);
  expect(files.map(({ name, mode }) => [name, mode])).toContainEqual(['defaults', 0o600]);
  for (const { bytes } of files) {
    expect([alice, bob].some((card) => bytes.includes(card.reveal()))).toBe(false);
  }
});

it('forgetting a card of which nothing is kept is no write', () => {
  using folder = temporaryDirectory();
  openAt(folder.path).forget(alice);
  expect(filesBelow(folder.path).map(({ name }) => name)).not.toContain('defaults');
});
