import { expect, test } from 'vitest';
import { hours, seconds } from '../../src/core/duration.ts';
import { forgottenRelease, standingOf } from '../../src/domain/release.ts';
import { endState } from '../../src/store/columns.ts';
import { createCompaction } from '../../src/store/ledger/compaction.ts';
import type { Books } from '../support/store/books.ts';
import { openBooks } from '../support/store/books.ts';
import { intend, release, releaseId } from '../support/store/release-samples.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const month = hours(30 * 24);

function compact({ database, chain, clock }: Books, portion: number, mostEvents = 1000): void {
  createCompaction({ database, chain, clock, limits: { keepFor: month, mostEvents, portion } })();
}

const eventsIn = ({ database }: Books): unknown[] =>
  database.prepare('SELECT seq, state FROM event ORDER BY seq').all();

test('I11: the standing of a document outlives the events and the row of its release, restarts included', async () => {
  using directory = temporaryDirectory();
  const documents = [...endState.options.keys()].map((index) => `doc-${index + 1}`);
  const standings = (books: Books) =>
    documents.map((uuid) => standingOf(books.ledger.lastRelease(uuid), 'delete'));
  let before: unknown;
  {
    using books = openBooks({ directory: directory.path });
    for (const [index, state] of endState.options.entries()) {
      const id = release(books.ledger, state, { release: index + 1 });
      if (state === 'CONFIRMED') books.ledger.deleted(id);
    }
    before = standings(books);
    await books.clock.advance(hours(31 * 24));
    release(books.ledger, 'CONFIRMED', { release: 100 });
    // Six events of each release, and one of the deletion.
    compact(books, 31);
    expect(books.register.list(100).map(({ releaseId: id }) => id)).toEqual([releaseId(100)]);
    expect(standings(books)).toEqual(before);
  }
  using books = openBooks({ directory: directory.path });
  expect(books.quarantine).toBeUndefined();
  expect(standings(books)).toEqual(before);
  expect(books.ledger.lastRelease('doc-1')).toMatchObject({ releaseId: forgottenRelease });
});

test('D14: a wall clock that runs ahead makes nothing old while the service tells another time', async () => {
  using books = openBooks();
  release(books.ledger, 'CONFIRMED', { release: 1 });
  const inTruth = books.clock.now() + hours(1);
  await books.clock.advance(hours(30 * 24 + 1));
  const { database, chain, clock } = books;
  const portion = createCompaction({
    database,
    chain,
    clock,
    limits: { keepFor: month, mostEvents: 1000, portion: 4 },
  });
  portion(inTruth);
  expect(eventsIn(books)).toHaveLength(6);
  portion(clock.now());
  expect(eventsIn(books)).toHaveLength(3);
});

test('B.1: a checkpoint tells what was removed and the hash that the chain goes on from', async () => {
  using books = openBooks();
  release(books.ledger, 'CONFIRMED', { release: 1 });
  const [{ hash } = {}] = books.database
    .prepare('SELECT lower(hex(hash)) AS hash FROM event WHERE seq = 4')
    .all();
  await books.clock.advance(hours(31 * 24));
  compact(books, 4);
  expect(eventsIn(books)).toEqual([
    { seq: 5, state: 'SENT' },
    { seq: 6, state: 'CONFIRMED' },
    { seq: 7, state: 'CHECKPOINT' },
  ]);
  const checkpoint = books.database.prepare('SELECT facts FROM event WHERE seq = 7').get();
  expect(JSON.parse(String(checkpoint?.['facts']))).toEqual({ through: 4, hash, releases: 0 });
  expect(() => books.database.exec('DELETE FROM event')).toThrow('append-only');
});

test('what is younger than the limit, or under way, stays', async () => {
  using books = openBooks();
  release(books.ledger, 'CONFIRMED', { release: 1 });
  compact(books, 6);
  expect(eventsIn(books)).toHaveLength(6);
  const open = intend(books.ledger, { release: 2 });
  release(books.ledger, 'UNKNOWN', { release: 3 });
  await books.clock.advance(hours(31 * 24));
  release(books.ledger, 'CONFIRMED', { release: 4 });
  for (let portion = 0; portion < 10; portion++) compact(books, 6);
  expect(books.register.find(open)?.events.map(({ state }) => state)).toEqual([
    'PLANNED',
    'FETCHED',
    'INTENT',
  ]);
  expect(books.ledger.open()).toMatchObject([{ releaseId: open }]);
  books.ledger.end(open, { state: 'CONFIRMED', deletionOwed: false, holdFor: seconds(0) });
});

test('G10: above the most that are kept the oldest events go, however young', () => {
  using books = openBooks();
  for (let number = 1; number <= 10; number++) release(books.ledger, 'HANDED-OVER', { release: number });
  for (let portion = 0; portion < 20; portion++) compact(books, 6, 30);
  expect(eventsIn(books).length).toBeLessThanOrEqual(36);
  expect(books.ledger.lastRelease('doc-1')?.state).toBe('CONFIRMED');
});

test('a release whose deletion is owed keeps its row, and may be deleted later', async () => {
  using books = openBooks();
  const id = release(books.ledger, 'CONFIRMED', { release: 1 });
  await books.clock.advance(hours(31 * 24));
  release(books.ledger, 'CONFIRMED', { release: 2 });
  for (let portion = 0; portion < 5; portion++) compact(books, 6);
  expect(books.register.find(id)?.events).toEqual([]);
  expect(standingOf(books.ledger.lastRelease('doc-1'), 'delete')).toBe('deletion-owed');
  books.ledger.deleted(id);
  expect(standingOf(books.ledger.lastRelease('doc-1'), 'delete')).toBe('may-have-printed');
});

test('I1: of two releases of a document the later word counts, also where the record of the earlier came last', async () => {
  using books = openBooks();
  const kept = { uuid: 'doc-1', terminal: 'lobby' };
  const refused = release(books.ledger, 'HANDED-OVER', { ...kept, release: 1 });
  release(books.ledger, 'UNKNOWN', { ...kept, release: 2 });
  await books.clock.advance(hours(20 * 24));
  books.outbox.accepted(books.outbox.next([])?.id ?? 0);
  expect(books.register.find(refused)?.events.at(-1)?.state).toBe('HISTORY-ACCEPTED');
  const standing = () => standingOf(books.ledger.lastRelease('doc-1'), 'keep');
  for (const days of [11, 20]) {
    await books.clock.advance(hours(days * 24));
    release(books.ledger, 'CONFIRMED', { release: 10 + days });
    for (let portion = 0; portion < 13; portion++) compact(books, 1);
    expect(standing(), `${days} days later`).toBe('may-have-printed');
  }
  expect(books.register.find(refused), 'both are compacted').toBeUndefined();
});
