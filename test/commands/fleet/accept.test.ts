/** `platen fleet accept` where there is nothing to accept. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../store/temporary-directory.ts';
import { commandHere } from '../command-here.ts';
import { configOver } from '../config-over.ts';

it('is there for members of a fleet alone', async () => {
  using directory = temporaryDirectory();
  const file = configOver(directory.path);
  const { code, error } = await commandHere(['fleet', 'accept', '-c', file]);
  expect([code, error]).toEqual([
    78,
    `platen: ${file}: fleet: is missing: this gateway is a member of no fleet`,
  ]);
});

it('says that a gateway that was in no fleet needs it not', async () => {
  using directory = temporaryDirectory();
  const file = configOver(directory.path);
  const url = 'postgresql://platen@127.0.0.1:1/platen';
  const fleet = JSON.stringify({ engine: { url }, key: Buffer.alloc(32, 7).toString('base64') });
  writeFileSync(file, `${readFileSync(file, 'utf8')}fleet: ${fleet}\n`);
  const { code, error } = await commandHere(['fleet', 'accept', '-c', file]);
  expect([code, error]).toEqual([
    1,
    'platen: this gateway has been in no fleet yet: it joins one, or begins it, when it starts',
  ]);
});
