/** SIGKILL at any moment, real processes: what a restart finds. */
import { expect, test } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { openSteadyStore } from '../support/store/steady-store.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { expectKept, expectNothingTorn, runWriter } from './writer-process.ts';

test('D1, I2, I6, I11: after each SIGKILL everything said is there, and nothing is torn', async () => {
  using directory = temporaryDirectory();
  const said: string[] = [];
  for (let round = 1; round <= 5; round++) {
    const killAfter = 1 + ((systemChance.bytes(1)[0] ?? 0) % 100);
    const run = await runWriter({ stateDir: directory.path, firstRelease: round * 1000, killAfter });
    expect(run).toMatchObject({ code: null });
    said.push(...run.said);
    await using store = await openSteadyStore(directory.path);
    expectKept(store, said);
    expectNothingTorn(directory.path);
  }
});
