/** Who is to end is in a sealed file; one that cannot be opened is not forgotten when the next guest comes. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { createSealing } from '../../src/core/sealing.ts';
import { openGuestBook } from '../../src/store/sealed/guests.ts';
import { createSealedFiles } from '../../src/store/sealed/sealed-files.ts';
import { keyFromFile } from '../../src/store/sealed/sealing.ts';
import { recordLog } from '../support/recorded-log.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const guest = { userName: 'guest-abc234', providerId: 3, endsAt: 1000, isMade: true };

function openAt(directory: string) {
  const key = keyFromFile({ directory, sealedBefore: () => false, onLost() {}, chance: systemChance });
  const sealing = createSealing({ key, chance: systemChance });
  return openGuestBook(createSealedFiles({ directory, sealing, log: recordLog().log, onFatal: () => {} }));
}

it('the book is its owner’s alone, tells nobody of whom it keeps, and keeps them', () => {
  using folder = temporaryDirectory();
  openAt(folder.path).keep([guest]);
  const file = join(folder.path, 'guests');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'latin1')).not.toContain('guest-');
  expect([openAt(folder.path).all(), openAt(folder.path).isLost]).toEqual([[guest], false]);
});

it('a book that is lost stays lost, though another one is kept in its place, until somebody says otherwise', () => {
  using folder = temporaryDirectory();
  writeFileSync(join(folder.path, 'guests'), 'damaged', { mode: 0o600 });
  const book = openAt(folder.path);
  expect(book.isLost).toBe(true);
  book.keep([guest]);
  expect([openAt(folder.path).isLost, openAt(folder.path).all()]).toEqual([true, [guest]]);
  openAt(folder.path).closeLost();
  expect([openAt(folder.path).isLost, openAt(folder.path).all()]).toEqual([false, [guest]]);
});
