/** The language chosen with a card, over restarts, and what of the card lies on the disk for it. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import { openLanguages } from '../../src/store/sealed/kept-by-card.ts';
import type { SealedFiles } from '../../src/store/sealed/sealed-files.ts';
import { createSealedFiles } from '../../src/store/sealed/sealed-files.ts';
import { createSealing } from '../../src/core/sealing.ts';
import { keyFromFile } from '../../src/store/sealed/sealing.ts';
import { recordLog } from '../support/recorded-log.ts';
import { filesBelow, temporaryDirectory } from '../support/temporary-directory.ts';

const alice = new CardNumber('04A1B2C3D4');
const bob = new CardNumber('04B5C6D7E8');

function newDirectory(): string {
  const folder = temporaryDirectory();
  onTestFinished(() => folder[Symbol.dispose]());
  return folder.path;
}

function filesIn(directory: string): SealedFiles {
  const key = keyFromFile({ directory, sealedBefore: () => false, onLost() {}, chance: systemChance });
  const sealing = createSealing({ key, chance: systemChance });
  return createSealedFiles({ directory, sealing, log: recordLog().log, onFatal: () => {} });
}

const openAt = (directory: string) => openLanguages({ files: filesIn(directory), chance: systemChance });

/** Sealed files without a disk, and the last text that went to it. */
function inMemory() {
  let text: string | undefined;
  const files: SealedFiles = {
    read: (_name, shape) =>
      text === undefined ? { kind: 'absent' } : { kind: 'value', value: shape.parse(JSON.parse(text)) },
    write: (_name, value) => {
      text = JSON.stringify(value);
    },
    reserve: () => {},
  };
  return { files, text: () => text ?? '' };
}

it('what was chosen with a card is known with it and no other, also after a restart', () => {
  const directory = newDirectory();
  const languages = openAt(directory);
  expect(languages.of(alice)).toBeUndefined();
  languages.remember(alice, 'ja');
  languages.remember(alice, 'ar');
  for (const opened of [languages, openAt(directory)]) {
    expect([opened.of(new CardNumber(alice.reveal())), opened.of(bob)]).toEqual(['ar', undefined]);
  }
});

it('no file holds the number of a card, nor what it hashes to without the key', () => {
  const directory = newDirectory();
  const languages = openAt(directory);
  for (const card of [alice, bob]) languages.remember(card, 'fr');
  const marks = [alice, bob].flatMap((card) =>
    (['hex', 'base64', 'base64url'] as const).flatMap((form) => [
      Buffer.from(card.reveal()).toString(form),
      createHash('sha256').update(card.reveal()).digest(form),
    ]),
  );
  const files = filesBelow(directory);
  expect(files.map(({ name, mode }) => [name, mode])).toContainEqual(['languages', 0o600]);
  for (const mark of [alice.reveal(), bob.reveal(), ...marks]) {
    expect(files.filter(({ bytes }) => bytes.includes(mark))).toEqual([]);
  }
});

it('even unsealed, a file holds marks and languages alone, and its key makes other marks than the next', () => {
  const [one, other] = [inMemory(), inMemory()];
  for (const { files } of [one, other]) openLanguages({ files, chance: systemChance }).remember(alice, 'es');
  const parsed = [one, other].map(({ text }) => JSON.parse(text()) as { key: string; cards: string[][] });
  for (const { key, cards } of parsed) {
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(cards).toEqual([[expect.stringMatching(/^[\w-]{22}$/), 'es']]);
  }
  expect(parsed[0]?.cards).not.toEqual(parsed[1]?.cards);
});

it('of more than 10,000 cards those whose choice is the oldest are forgotten', () => {
  const marks = Array.from({ length: 10_000 }, (_, n) => [`mark-${n}`, 'en']);
  const memory = inMemory();
  memory.files.write('languages', { key: 'a'.repeat(43), cards: marks });
  const languages = openLanguages({ files: memory.files, chance: systemChance });
  languages.remember(alice, 'de');
  languages.remember(bob, 'fr');
  const { cards } = JSON.parse(memory.text()) as { cards: string[][] };
  expect([cards.length, cards[0]]).toEqual([10_000, ['mark-2', 'en']]);
  expect([languages.of(alice), languages.of(bob)]).toEqual(['de', 'fr']);
});

it('the same choice again is no write', () => {
  const directory = newDirectory();
  const languages = openAt(directory);
  languages.remember(alice, 'de');
  const bytes = readFileSync(join(directory, 'languages'));
  languages.remember(alice, 'de');
  expect(readFileSync(join(directory, 'languages')).equals(bytes)).toBe(true);
});

it('what cannot be stored is refused, and what was chosen before is known as before', () => {
  const directory = newDirectory();
  const languages = openAt(directory);
  languages.remember(alice, 'de');
  // Also for root, who may write wherever no directory is in the way.
  mkdirSync(join(directory, 'languages.new'));
  expect(() => languages.remember(alice, 'fr')).toThrow(expect.objectContaining({ name: 'Problem' }));
  expect(languages.of(alice)).toBe('de');
  rmSync(join(directory, 'languages.new'), { recursive: true });
  languages.remember(alice, 'fr');
  expect(openAt(directory).of(alice)).toBe('fr');
});

it.each(['', 'garbage', '\u0000'.repeat(200)])('a file with %j in it counts as nothing chosen', (damaged) => {
  const directory = newDirectory();
  openAt(directory).remember(alice, 'de');
  writeFileSync(join(directory, 'languages'), damaged);
  const languages = openAt(directory);
  expect(languages.of(alice)).toBeUndefined();
  languages.remember(bob, 'ja');
  expect(openAt(directory).of(bob)).toBe('ja');
});

it('a file that cannot even be read keeps nobody from printing: it counts as nothing chosen', () => {
  const directory = newDirectory();
  mkdirSync(join(directory, 'languages'));
  const languages = openAt(directory);
  expect(languages.of(alice)).toBeUndefined();
  expect(() => languages.remember(alice, 'de')).toThrow(expect.objectContaining({ name: 'Problem' }));
});
