import { closeSync, openSync, readFileSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { databaseName, pragma } from '../../src/store/database.ts';
import { openBooks, openQuietly } from '../support/store/books.ts';
import { attempt, intend, release } from '../support/store/release-samples.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const refused = expect.objectContaining({ code: 'store-refused' });
const failed = expect.objectContaining({ code: 'store-failed' });

test('B.1: the settings are those that durability needs', () => {
  using books = openBooks();
  const settings = ['journal_mode', 'synchronous', 'secure_delete', 'mmap_size', 'trusted_schema'];
  expect(settings.map((name) => pragma(books.database, name))).toEqual(['wal', 2, 1, 0, 0]);
});

test('what is committed unsynced leaves the settings as they were, also where it throws', async () => {
  using books = openBooks();
  books.database.exec('CREATE TABLE t (x)');
  books.database.unsynced(() => books.database.exec('INSERT INTO t VALUES (1)'));
  expect(() =>
    books.database.unsynced(() => {
      books.database.exec('INSERT INTO t VALUES (2)');
      throw new Error('changed my mind');
    }),
  ).toThrow('changed my mind');
  expect(pragma(books.database, 'synchronous')).toBe(2);
  expect(books.database.prepare('SELECT x FROM t').all()).toEqual([{ x: 1 }]);
  await books.database.syncBeside();
});

test('a transaction that throws leaves nothing behind', () => {
  using books = openBooks();
  books.database.exec('CREATE TABLE t (x) ');
  expect(() =>
    books.database.transaction(() => {
      books.database.exec('INSERT INTO t VALUES (1)');
      throw new Error('changed my mind');
    }),
  ).toThrow('changed my mind');
  expect(books.database.prepare('SELECT count(*) AS n FROM t').get()).toEqual({ n: 0 });
});

test('D8: a full database refuses, has lost nothing, and works again when there is room', () => {
  using books = openBooks();
  const id = intend(books.ledger);
  books.database.exec('PRAGMA max_page_count = 1');
  let number = 1;
  expect(() => {
    for (;;) books.ledger.plan(attempt({ release: (number += 1) }));
  }).toThrow(refused);
  const before = [books.ledger.open(), books.register.list(1000)];
  expect(() => books.ledger.plan(attempt({ release: number }))).toThrow(refused);
  expect([books.ledger.open(), books.register.list(1000)]).toEqual(before);
  expect(books.ledger.lastRelease('doc-1')).toMatchObject({ releaseId: id, state: 'INTENT' });
  books.database.exec('PRAGMA max_page_count = 1000000');
  books.ledger.plan(attempt({ release: number }));
  books.ledger.end(id, { state: 'UNKNOWN', deletionOwed: false, holdFor: seconds(0) });
  expect(books.outbox.counts().waiting).toBe(1);
});

const spoilers: [string, (path: string) => void][] = [
  ['no database at all', (path) => writeFileSync(path, 'once upon a time '.repeat(1000))],
  ['cut in half', (path) => truncateSync(path, statSync(path).size / 2)],
];
test.each(spoilers)('D12: a database file that is %s is store-failed at opening', (_name, spoil) => {
  using directory = temporaryDirectory();
  const path = join(directory.path, databaseName);
  {
    using database = openQuietly(path);
    database.exec('CREATE TABLE t (x); CREATE TABLE u (x); CREATE TABLE v (x)');
  }
  spoil(path);
  expect(() => openQuietly(path)).toThrow(failed);
});

test('D12: after a failure nothing is read or written any more', () => {
  using books = openBooks();
  for (let number = 1; number <= 50; number++) release(books.ledger, 'CONFIRMED', { release: number });
  books.outbox.scrub();
  books.database.exec('PRAGMA shrink_memory');
  const path = join(books.directory, databaseName);
  const whole = readFileSync(path);
  const overwrite = (bytes: Buffer) => {
    const file = openSync(path, 'r+');
    writeSync(file, bytes, 0, null, 4096);
    closeSync(file);
  };
  overwrite(Buffer.alloc(whole.length - 4096, 0xff));
  expect(() => books.register.list(1000)).toThrow(failed);
  // Also where it would work again: what became of the failed step is known at the next start only.
  overwrite(whole.subarray(4096));
  expect(() => books.register.list(1000)).toThrow(failed);
  expect(() => books.ledger.plan(attempt({ release: 51 }))).toThrow(failed);
  expect(() => books.outbox.counts()).toThrow(failed);
  expect(books.failures).toHaveLength(1);
});
