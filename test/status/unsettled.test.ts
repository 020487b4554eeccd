/** Releases that nobody could tell the end of, and what an administrator who went to look says of them. */
import { expect, it } from 'vitest';
import { createUnsettled } from '../../src/status/unsettled.ts';
import { openBooks } from '../support/store/books.ts';
import { release } from '../support/store/release-samples.ts';
import { recordLog } from '../support/recorded-log.ts';

function unsettledAt(finish: 'delete' | 'keep' | undefined) {
  const books = openBooks();
  const { log, records } = recordLog();
  const unsettled = createUnsettled({
    ledger: books.ledger,
    releases: books.register,
    log,
    finishOf: () => finish,
  });
  return { books, records, unsettled, [Symbol.dispose]: () => books[Symbol.dispose]() };
}

it('each word is told in the log, by whom too, and counts once', async () => {
  using desk = unsettledAt('delete');
  const [one, other] = [
    release(desk.books.ledger, 'UNKNOWN'),
    release(desk.books.ledger, 'PARTIAL', { release: 2, uuid: 'doc-2' }),
  ];
  const { settle, list } = desk.unsettled;
  expect(await settle([one, one, 'f'.repeat(32)], 'came-out', { name: 'Anna' })).toEqual({
    settled: [one],
    left: ['f'.repeat(32)],
  });
  expect(await settle([one, other], 'did-not-come-out', { by: 1000 })).toEqual({
    settled: [other],
    left: [one],
  });
  expect(list()).toEqual([]);
  expect(desk.records('release settled by an administrator')).toMatchObject([
    { releaseId: one, terminal: 'lobby', word: 'came-out', name: 'Anna' },
    { releaseId: other, word: 'did-not-come-out', by: 1000 },
  ]);
});

it.each([
  ['delete', true],
  ['keep', false],
  [undefined, false],
] as const)('where finish is %s, a document that came out owes its deletion: %s', async (finish, isOwed) => {
  using desk = unsettledAt(finish);
  const id = release(desk.books.ledger, 'UNKNOWN');
  await desk.unsettled.settle([id], 'came-out', {});
  expect(desk.books.ledger.lastRelease('doc-1')?.deletionOwed).toBe(isOwed);
});
