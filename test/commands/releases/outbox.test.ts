/** `platen outbox` where no agent runs, or one that cannot be asked; beside a running one it is part of test/flows/trace.test.ts. */
import { expect, it, onTestFinished } from 'vitest';
import { lockInstance } from '../../../src/store/files/state-directory.ts';
import { openBooks } from '../../support/store/books.ts';
import { release, title, userName } from '../../support/store/release-samples.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { commandHere } from '../../support/command-here.ts';
import { configOver } from '../config-over.ts';

/** A state directory with as many dead letters, whose agent has ended. */
function leftBehind(deadLetters: number) {
  const directory = temporaryDirectory();
  onTestFinished(() => directory[Symbol.dispose]());
  const stateDir = directory.path;
  {
    using books = openBooks({ directory: stateDir });
    for (let number = 1; number <= deadLetters; number += 1) {
      release(books.ledger, 'CONFIRMED', { release: number });
      books.outbox.bury(books.outbox.next([])?.id ?? 0, 'cloud-rejected: 400');
    }
  }
  const config = configOver(stateDir);
  const outbox = (...args: string[]) => commandHere(['outbox', ...args, '-c', config]);
  return { stateDir, outbox };
}

it('without an agent dead letters are put back in line for its next start', async () => {
  const { outbox } = leftBehind(2);
  expect(await outbox('retry')).toEqual({
    code: 0,
    error: '',
    out: '2 dead letters will be sent again when the agent runs.',
  });
  expect(await outbox('retry')).toMatchObject({ code: 0, out: 'There are no dead letters.' });
  const listed = await outbox('list', '--json');
  expect((JSON.parse(listed.out) as { state: string }[]).map(({ state }) => state)).toEqual([
    'waiting',
    'waiting',
  ]);
  expect(listed.out).not.toMatch(new RegExp(`${title}|${userName}`));
});

it.each(['ffff', '[ ]', '0'])('the id %s is not that of one dead letter', async (id) => {
  const { outbox } = leftBehind(2);
  const { code, error } = await outbox('retry', id);
  expect([code, error]).toEqual([1, expect.stringMatching(/^platen: .*platen outbox list shows them/)]);
});

it('D13: an agent that runs and cannot be asked is not worked around', async () => {
  const { stateDir, outbox } = leftBehind(1);
  using _ = lockInstance(stateDir);
  const { code, error } = await outbox('retry');
  expect([code, error]).toEqual([1, expect.stringContaining('another Platen is running')]);
});
