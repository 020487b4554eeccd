import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { standingOf } from '../../src/domain/release.ts';
import { databaseName, pragma } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrations.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { openBooks, openQuietly } from './books.ts';
import { releaseId } from './release-samples.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const stamp = { clock: createSteeredClock(), bootId: 'boot-1' };

test('a database is brought to the present version once', () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, databaseName);
  const versions = [1, 2].map(() => {
    using database = openQuietly(path);
    const before = pragma(database, 'user_version');
    migrate(database, stamp);
    return [before, pragma(database, 'user_version')];
  });
  const latest = versions[0]?.[1];
  expect(latest).toBeGreaterThan(0);
  expect(versions).toEqual([
    [0, latest],
    [latest, latest],
  ]);
});

test('a database of a later version is refused and left as it is', () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, databaseName);
  {
    using database = openQuietly(path);
    migrate(database, stamp);
    database.exec('PRAGMA user_version = 99; PRAGMA application_id = 1347158115');
  }
  const before = readFileSync(path);
  {
    using database = openQuietly(path);
    expect(() => migrate(database, stamp)).toThrow(expect.objectContaining({ code: 'state-newer' }));
  }
  expect(readFileSync(path)).toEqual(before);
});

/** A state directory with a database of version 2. */
function olderDirectory() {
  const directory = temporaryDirectory();
  using database = new DatabaseSync(join(directory.path, databaseName));
  database.exec(readFileSync(new URL('version-2.sql', import.meta.url), 'utf8'));
  return directory;
}

test('T31: the rows of an older database come under the chain and its checksums, and none is lost', () => {
  using directory = olderDirectory();
  for (const start of [1, 2]) {
    using books = openBooks({ directory: directory.path });
    expect({ start, quarantine: books.quarantine }).toEqual({ start, quarantine: undefined });
    expect(books.outbox.counts()).toEqual({ waiting: 1, held: 1, deadLetters: 0 });
    expect([1, 2, 3].map((number) => books.ledger.lastRelease(`doc-${number}`)?.state)).toEqual([
      'CONFIRMED',
      'UNKNOWN',
      'INTENT',
    ]);
    expect(books.ledger.open()).toMatchObject([{ state: 'INTENT', printerUri: 'ipp://10.0.0.7/ipp/print' }]);
    const events = books.database.prepare('SELECT state FROM event ORDER BY seq').all();
    expect(events).toHaveLength(16);
    expect(events.at(-1)).toEqual({ state: 'CHAINED' });
  }
  using books = openBooks({ directory: directory.path });
  books.ledger.end(releaseId(3), { state: 'CONFIRMED', deletionOwed: false, holdFor: seconds(0) });
  expect(books.register.find(releaseId(3))?.row.pages).toEqual({ source: 'document-estimate', pages: 6 });
});

test('T31: a damaged older database goes to quarantine, and its records are salvaged', () => {
  using directory = olderDirectory();
  const path = join(directory.path, databaseName);
  const bytes = readFileSync(path);
  const index = bytes.indexOf('doc-3', bytes.indexOf('doc-3') + 1);
  bytes.write('doc-4', index);
  bytes.fill(0xff, bytes.length - 100);
  writeFileSync(path, bytes);
  using books = openBooks({ directory: directory.path });
  expect(books.quarantine?.reason).toBeTruthy();
  expect(standingOf(books.ledger.lastRelease('doc-3'), 'keep')).toBe('may-have-printed');
  expect(books.outbox.size()).toBe(2);
});

test('G4: a first start that was killed before the database had its log is made up for by the next one', () => {
  using directory = temporaryDirectory();
  using killed = temporaryDirectory();
  {
    using database = new DatabaseSync(join(directory.path, databaseName));
    // More than its cache holds: pages are in the file before the commit, and what was there before is in the journal.
    database.exec(`PRAGMA cache_size = 1; BEGIN; CREATE TABLE cut (half BLOB);
      WITH RECURSIVE count (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < 100)
      INSERT INTO cut SELECT zeroblob(4000) FROM count`);
    cpSync(directory.path, killed.path, { recursive: true });
  }
  expect(readdirSync(killed.path)).toContain(`${databaseName}-journal`);
  for (const start of [1, 2]) {
    using books = openBooks({ directory: killed.path });
    expect({ start, quarantine: books.quarantine }).toEqual({ start, quarantine: undefined });
    expect(books.ledger.open()).toEqual([]);
  }
});
