/** What lets the kiosk's browser in, over restarts: INVARIANTS.md D11, T03. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { createSealedFiles } from '../../src/store/sealed/sealed-files.ts';
import { createSealing } from '../../src/core/sealing.ts';
import { keyFromFile } from '../../src/store/sealed/sealing.ts';
import { launchFileIn, openKioskSecrets } from '../../src/store/sealed/kiosk-secrets.ts';
import { recordLog } from '../support/recorded-log.ts';
import { filesBelow, temporaryDirectory } from '../support/temporary-directory.ts';

function openAt(directory: string) {
  const key = keyFromFile({ directory, sealedBefore: () => false, onLost() {}, chance: systemChance });
  const { log } = recordLog();
  const sealing = createSealing({ key, chance: systemChance });
  const files = createSealedFiles({ directory, sealing, log, onFatal: () => {} });
  return openKioskSecrets({ directory, files, chance: systemChance, onFatal: () => {} });
}

function newDirectory(): string {
  const folder = temporaryDirectory();
  onTestFinished(() => folder[Symbol.dispose]());
  return folder.path;
}

it('the launch secret lies in a file for its owner alone, and each one is new', () => {
  const directory = newDirectory();
  const secrets = openAt(directory);
  const seen = [secrets.launch().reveal()];
  for (let launches = 0; launches < 3; launches += 1) {
    secrets.spend('lobby', 'mark');
    seen.push(secrets.launch().reveal());
    expect(readFileSync(launchFileIn(directory), 'utf8')).toBe(`${seen.at(-1)}\n`);
  }
  expect(new Set(seen).size).toBe(4);
  expect(seen.every((secret) => /^[\w-]{43}$/.test(secret))).toBe(true);
  expect(filesBelow(directory).filter(({ mode }) => mode !== 0o600)).toEqual([]);
});

it('a restart knows the same secret, and the last pass of each terminal', () => {
  const directory = newDirectory();
  const before = openAt(directory);
  for (const [terminal, mark] of ['lobby 1', 'attic 2', 'lobby 3'].map((words) => words.split(' '))) {
    before.spend(String(terminal), String(mark));
  }
  const after = openAt(directory);
  expect(after.launch().equals(before.launch())).toBe(true);
  expect(['lobby', 'attic', 'yard'].map((terminal) => after.markOf(terminal))).toEqual(['3', '2', undefined]);
});

it('a launch secret that was spent is not good again after a restart (T03)', () => {
  const directory = newDirectory();
  const before = openAt(directory);
  const spent = before.launch();
  before.spend('lobby', 'mark');
  expect(openAt(directory).launch().equals(spent)).toBe(false);
});

it.each(['', 'short\n', 'x'.repeat(43), '\u0000'.repeat(44)])(
  'a launch file with %j in it is replaced',
  (damaged) => {
    const directory = newDirectory();
    openAt(directory);
    writeFileSync(launchFileIn(directory), damaged);
    const secret = openAt(directory).launch().reveal();
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(readFileSync(launchFileIn(directory), 'utf8')).toBe(`${secret}\n`);
  },
);
