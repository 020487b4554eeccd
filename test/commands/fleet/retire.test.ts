/** `platen fleet retire` where there is no fleet, or nobody to ask. */
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { commandHere } from '../../support/command-here.ts';
import { configOver, emptyFleet } from '../config-over.ts';

it('is there for members of a fleet alone', async () => {
  using directory = temporaryDirectory();
  const file = configOver(directory.path);
  const { code, error } = await commandHere(['fleet', 'retire', 'gateway-c', '-c', file]);
  expect([code, error]).toEqual([
    78,
    `platen: ${file}: fleet: is missing, so this gateway is not in a fleet`,
  ]);
});

it('ends with 69 while the engine is away', async () => {
  using directory = temporaryDirectory();
  const file = configOver(directory.path, { fleet: emptyFleet });
  const { code, error } = await commandHere(['fleet', 'retire', 'gateway-c', '-c', file]);
  expect(code).toBe(69);
  expect(error).toMatch(/ECONNREFUSED/);
});
