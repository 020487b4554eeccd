/** `platen fleet retire` where there is no fleet, or nobody to ask. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../store/temporary-directory.ts';
import { commandHere } from '../command-here.ts';
import { configOver } from '../config-over.ts';

it('is there for members of a fleet alone', async () => {
  using directory = temporaryDirectory();
  const file = configOver(directory.path);
  const { code, error } = await commandHere(['fleet', 'retire', 'gateway-c', '-c', file]);
  expect([code, error]).toEqual([
    78,
    `platen: ${file}: fleet: is missing: this gateway is a member of no fleet`,
  ]);
});

it('ends with 69 while the engine is away', async () => {
  using directory = temporaryDirectory();
  const file = configOver(directory.path);
  const url = 'postgresql://platen@127.0.0.1:1/platen';
  const fleet = JSON.stringify({ engine: { url }, key: Buffer.alloc(32, 7).toString('base64') });
  writeFileSync(file, `${readFileSync(file, 'utf8')}fleet: ${fleet}\n`);
  const { code, error } = await commandHere(['fleet', 'retire', 'gateway-c', '-c', file]);
  expect(code).toBe(69);
  expect(error).toMatch(/ECONNREFUSED/);
});
