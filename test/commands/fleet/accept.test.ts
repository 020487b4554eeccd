/** `platen fleet accept` where there is nothing to accept. */
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { commandHere } from '../../support/command-here.ts';
import { configOver, fleetOfNobody } from '../config-over.ts';

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
  const file = configOver(directory.path, { fleet: fleetOfNobody });
  const { code, error } = await commandHere(['fleet', 'accept', '-c', file]);
  expect([code, error]).toEqual([
    1,
    'platen: this gateway has been in no fleet yet: it joins one, or begins it, when it starts',
  ]);
});
