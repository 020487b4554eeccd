/** `platen fleet accept` where there is nothing to accept. */
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { commandHere } from '../../support/command-here.ts';
import { configOver, emptyFleet } from '../config-over.ts';

it('is there for members of a fleet alone', async () => {
  using directory = temporaryDirectory();
  const file = configOver(directory.path);
  const { code, error } = await commandHere(['fleet', 'accept', '-c', file]);
  expect([code, error]).toEqual([
    78,
    `platen: ${file}: fleet: is missing, so this gateway is not in a fleet`,
  ]);
});

it('says that a gateway that was in no fleet needs it not', async () => {
  using directory = temporaryDirectory();
  const file = configOver(directory.path, { fleet: emptyFleet });
  const { code, error } = await commandHere(['fleet', 'accept', '-c', file]);
  expect([code, error]).toEqual([
    1,
    'platen: this gateway was never in a fleet. When it starts, it joins the fleet at the engine, or begins a new one',
  ]);
});
