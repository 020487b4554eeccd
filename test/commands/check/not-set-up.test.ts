/** `platen check` on a machine that nobody has set up: one line that says what to do, and not a list of keys. */
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { commandHere } from '../../support/command-here.ts';

let file: string;
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-fresh-'));
  file = join(folder, 'platen.yaml');
  return () => rm(folder, { recursive: true });
});

const notSetUp = () => `platen: ${file}: Not set up yet. Run: platen init -c ${file}`;

it('says so where there is no file', async () => {
  const { code, out, error } = await commandHere(['check', '-c', file]);
  expect([code, out, error]).toEqual([78, '', notSetUp()]);
});

it('says so of the file that the package brings, as long as nobody has touched it', async () => {
  await copyFile('systemd/debian/platen.yaml', file);
  const { code, error } = await commandHere(['check', '-c', file]);
  expect([code, error]).toEqual([78, notSetUp()]);
});

it('tells it to a monitoring system as well', async () => {
  const { code, out } = await commandHere(['check', '-c', file, '--monitor']);
  expect([code, out]).toEqual([3, `PLATEN UNKNOWN - ${notSetUp().replace('platen: ', '')}`]);
});

it('names the missing keys of a file that somebody has begun to fill in', async () => {
  await writeFile(file, 'cloud: { authUrl: "https://cloud.test:7400", apiKey: sample }\n');
  const { code, error } = await commandHere(['check', '-c', file]);
  expect([code, error]).toEqual([78, expect.stringContaining('cloud.baseUrl: is missing')]);
});
