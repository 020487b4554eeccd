import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { hours, seconds } from '../../src/core/duration.ts';
import { forgottenRelease, standingOf } from '../../src/domain/release.ts';
import { databaseName } from '../../src/store/database.ts';
import { anchorName } from '../../src/store/ledger/head-anchor.ts';
import type { Books } from '../support/store/books.ts';
import { openBooks } from '../support/store/books.ts';
import {
  attempt,
  intend,
  intendByService,
  release,
  releaseId,
  title,
} from '../support/store/release-samples.ts';
import { openSteadyStore } from '../support/store/steady-store.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const standing = ({ ledger }: Books, uuid: string) => standingOf(ledger.lastRelease(uuid), 'delete');
const nothing = { deletionOwed: false, holdFor: seconds(0) };

/** A directory whose books cannot be trusted any more: nobody can say what came after. */
function damagedBooks() {
  const directory = temporaryDirectory();
  {
    using books = openBooks({ directory: directory.path });
    release(books.ledger, 'CONFIRMED', { release: 1 });
    release(books.ledger, 'UNKNOWN', { release: 2 });
    release(books.ledger, 'NOOUTPUT', { release: 3 });
    intend(books.ledger, { release: 4 });
    intendByService(books.ledger, { release: 5 });
    books.ledger.plan(attempt({ release: 6 }));
  }
  writeFileSync(join(directory.path, anchorName), Buffer.alloc(1024));
  return directory;
}

const foldersIn = (directory: string): string[] => readdirSync(join(directory, 'quarantine'));

test('T31, I1: while there is a quarantine every document asks, also one that no book ever named', () => {
  using directory = damagedBooks();
  using books = openBooks({ directory: directory.path });
  const documents = [1, 2, 3, 4, 5, 6, 7].map((number) => `doc-${number}`);
  expect(documents.map((uuid) => standing(books, uuid))).toEqual(documents.map(() => 'may-have-printed'));
});

test('I2: every record in the damaged books, and one of each release under way, is salvaged', () => {
  using directory = damagedBooks();
  using books = openBooks({ directory: directory.path });
  expect(books.ledger.open()).toEqual([]);
  expect(books.register.list(10).map(({ releaseId: id, state }) => [id, state])).toEqual([
    [releaseId(6), 'UNKNOWN'],
    [releaseId(5), 'UNKNOWN'],
    [releaseId(4), 'UNKNOWN'],
    [releaseId(3), 'NOOUTPUT'],
    [releaseId(2), 'UNKNOWN'],
    [releaseId(1), 'CONFIRMED'],
  ]);
  // Waiting: 1. Held: 2, and what was under way here; the service records what it delivers itself.
  expect(books.outbox.counts()).toEqual({ waiting: 1, held: 3, deadLetters: 0 });
  expect(books.outbox.next([])).toMatchObject({ releaseId: releaseId(1), record: { title } });
});

test('while there is a quarantine what was released since counts, and a try without output does not', () => {
  using directory = damagedBooks();
  using books = openBooks({ directory: directory.path });
  expect(books.ledger.lastRelease('doc-2')).toMatchObject({ releaseId: releaseId(2), state: 'UNKNOWN' });
  expect(books.ledger.lastRelease('doc-7')).toMatchObject({ releaseId: forgottenRelease, state: 'UNKNOWN' });
  books.ledger.confirmedByPerson(forgottenRelease);
  const id = intend(books.ledger, { release: 7 });
  expect(standing(books, 'doc-7')).toBe('in-progress');
  books.ledger.end(id, { state: 'NOOUTPUT', ...nothing });
  expect(standing(books, 'doc-7')).toBe('may-have-printed');
  release(books.ledger, 'CONFIRMED', { release: 8, uuid: 'doc-7' });
  expect(standing(books, 'doc-7')).toBe('deletion-owed');
});

test('T31: quarantine lasts until its folder is moved elsewhere, and nothing is deleted', () => {
  using directory = damagedBooks();
  const damaged = readFileSync(join(directory.path, databaseName));
  for (const _ of [1, 2]) {
    using books = openBooks({ directory: directory.path });
    expect(books.quarantine?.reason).toBe(`${anchorName} cannot be read`);
    expect(books.outbox.size()).toBe(4);
    expect(standing(books, 'doc-7')).toBe('may-have-printed');
  }
  const [folder = ''] = foldersIn(directory.path);
  expect(foldersIn(directory.path)).toHaveLength(1);
  expect(readFileSync(join(directory.path, 'quarantine', folder, databaseName))).toEqual(damaged);

  using elsewhere = temporaryDirectory();
  renameSync(join(directory.path, 'quarantine', folder), join(elsewhere.path, folder));
  using books = openBooks({ directory: directory.path });
  expect(books.quarantine).toBeUndefined();
  expect(['doc-1', 'doc-2', 'doc-3', 'doc-4', 'doc-7'].map((uuid) => standing(books, uuid))).toEqual([
    'deletion-owed',
    'may-have-printed',
    'releasable',
    'may-have-printed',
    'releasable',
  ]);
});

test('a folder that an administrator made among them is no cut move, and takes no good books away', () => {
  using directory = damagedBooks();
  openBooks({ directory: directory.path })[Symbol.dispose]();
  const kept = join(directory.path, 'quarantine', 'kept');
  mkdirSync(kept);
  const [folder = ''] = foldersIn(directory.path);
  renameSync(join(directory.path, 'quarantine', folder), join(kept, folder));
  using books = openBooks({ directory: directory.path });
  expect(books.quarantine).toBeUndefined();
  expect(readdirSync(kept)).toEqual([folder]);
  expect(standing(books, 'doc-1')).toBe('deletion-owed');
});

test('a kill while the books are moved, or salvaged, is made up for at the next start', () => {
  using directory = damagedBooks();
  const folder = join(directory.path, 'quarantine', '2026-11-21T12-00-00.000Z');
  mkdirSync(folder, { recursive: true });
  renameSync(join(directory.path, databaseName), join(folder, databaseName));
  {
    using books = openBooks({ directory: directory.path });
    expect(books.outbox.size()).toBe(4);
  }
  expect(readdirSync(folder)).toEqual(expect.arrayContaining([anchorName, databaseName, 'reason.txt']));
  rmSync(join(folder, 'salvaged.json'));
  using books = openBooks({ directory: directory.path });
  expect(books.outbox.size()).toBe(4);
  expect(books.register.list(10)).toHaveLength(6);
});

test('books damaged a second time are set aside beside the first', () => {
  using directory = damagedBooks();
  {
    using books = openBooks({ directory: directory.path });
    release(books.ledger, 'CONFIRMED', { release: 9 });
  }
  writeFileSync(join(directory.path, anchorName), Buffer.alloc(1024));
  using books = openBooks({ directory: directory.path });
  expect(foldersIn(directory.path)).toHaveLength(2);
  expect(books.register.list(10)).toHaveLength(7);
  expect(standing(books, 'doc-9')).toBe('may-have-printed');
});

const tamperings: Record<string, string> = {
  'an unknown outcome made harmless': "UPDATE attempt SET state = 'NOOUTPUT' WHERE state = 'UNKNOWN'",
  'an event changed':
    "DROP TRIGGER event_is_never_updated; UPDATE event SET state = 'NOOUTPUT' WHERE state = 'UNKNOWN'",
  'an event removed': 'DROP TRIGGER event_is_never_deleted; DELETE FROM event WHERE seq = 4',
  'a record changed': "UPDATE outbox SET record = replace(record, 'A', 'B')",
  'a record put off for ever': 'UPDATE outbox SET not_before = 9e15',
  'an index taken away': 'DROP INDEX attempt_open',
  'another version named': 'PRAGMA user_version = 2',
};
test.each(Object.entries(tamperings))('T31: %s is seen at the next start', (_name, sql) => {
  using directory = temporaryDirectory();
  {
    using books = openBooks({ directory: directory.path });
    release(books.ledger, 'UNKNOWN');
  }
  {
    using database = new DatabaseSync(join(directory.path, databaseName));
    database.exec(sql);
  }
  using books = openBooks({ directory: directory.path });
  expect(books.quarantine).toBeDefined();
  expect(standing(books, 'doc-1')).toBe('may-have-printed');
});

test('B.1: a database from before the anchored head, as a restore puts it back, is seen', async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, databaseName);
  {
    using books = openBooks({ directory: directory.path });
    release(books.ledger, 'NOOUTPUT');
  }
  const backup = readFileSync(path);
  {
    using books = openBooks({ directory: directory.path });
    release(books.ledger, 'UNKNOWN', { release: 2, uuid: 'doc-1' });
    await books.ledger.durable();
  }
  writeFileSync(path, backup);
  using books = openBooks({ directory: directory.path });
  expect(books.quarantine?.reason).toBe('its last event is 6, and 12 was written');
  expect(standing(books, 'doc-1')).toBe('may-have-printed');
});

test('the agent’s store tells of its quarantine and goes on', async () => {
  using directory = damagedBooks();
  await using store = await openSteadyStore(directory.path);
  expect(store.quarantine?.path).toContain('quarantine');
  expect(standingOf(store.ledger.lastRelease('doc-1'), 'keep')).toBe('may-have-printed');
  release(store.ledger, 'CONFIRMED', { release: 20 });
  const { waiting, held } = store.outboxCounts();
  expect(waiting + held).toBe(5);
});

test('the record of a release under way waits for a person’s word as long as any', async () => {
  using directory = damagedBooks();
  using books = openBooks({ directory: directory.path });
  const first = books.outbox.next([]);
  if (first) books.outbox.accepted(first.id);
  await books.clock.advance(hours(24));
  expect(books.outbox.counts()).toEqual({ waiting: 3, held: 0, deadLetters: 0 });
});
