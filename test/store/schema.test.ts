import { hash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { isProblem } from '../../src/domain/problem/problem.ts';
import { databaseName } from '../../src/store/database.ts';
import { lookAtLedger } from '../../src/store/ledger/audit.ts';
import { openReleaseRegister } from '../../src/store/ledger/release-register.ts';
import { waitingRecords } from '../../src/store/outbox/outbox-register.ts';
import { openBooks } from '../support/store/books.ts';
import { release } from '../support/store/release-samples.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** A state directory whose database says that it is of another version, so many versions away. */
function otherVersion(away: number) {
  const directory = temporaryDirectory();
  openBooks({ directory: directory.path })[Symbol.dispose]();
  using database = new DatabaseSync(join(directory.path, databaseName));
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']) + away;
  database.exec(`PRAGMA user_version = ${version}; PRAGMA application_id = ${0x50_4c_00_00 + version}`);
  return directory;
}

/** But for what SQLite lays beside a database while it is read. */
const filesIn = (directory: string) =>
  readdirSync(directory)
    .filter((name) => !/-(?:wal|shm)$/.test(name))
    .map((name) => [name, hash('sha256', readFileSync(join(directory, name)))]);

/** What is said of it, as the command line says it. */
function refusal(look: () => unknown): unknown {
  try {
    return look();
  } catch (error) {
    if (!isProblem(error)) throw error;
    return { code: error.code, said: `${error.message}. ${error.advice}` };
  }
}

test.each([
  {
    which: 'later',
    away: 1,
    code: 'state-newer',
    words: 'newer Platen has written the database. Install that version again',
  },
  {
    which: 'much later',
    away: 93,
    code: 'state-newer',
    words: 'newer Platen has written the database. Install that version again',
  },
  { which: 'earlier', away: -1, code: 'state-unusable', words: 'to begin anew, move platen.db' },
])(
  'a database of a $which version is refused, with a way out, and left as it is',
  ({ away, code, words }) => {
    using directory = otherVersion(away);
    const path = join(directory.path, databaseName);
    const before = filesIn(directory.path);
    const looks = [
      () => openBooks({ directory: directory.path }),
      () => openReleaseRegister({ stateDir: directory.path }),
      () => waitingRecords(directory.path),
      () => lookAtLedger({ stateDir: directory.path }),
    ];
    for (const refused of looks.map(refusal)) {
      expect(refused).toMatchObject({ code, said: expect.stringContaining(words) });
      expect(refused).toMatchObject({ said: expect.stringContaining(`${path}: has version `) });
    }
    expect(filesIn(directory.path)).toEqual(before);
  },
);

test('a database is made once: what stands in it is there at the next start', () => {
  using directory = temporaryDirectory();
  {
    using books = openBooks({ directory: directory.path });
    release(books.ledger, 'CONFIRMED');
  }
  using books = openBooks({ directory: directory.path });
  expect(books.quarantine).toBeUndefined();
  expect(books.ledger.lastRelease('doc-1')?.state).toBe('CONFIRMED');
});

test('who only reads makes none, and is told to start the agent first', () => {
  using directory = temporaryDirectory();
  new DatabaseSync(join(directory.path, databaseName)).exec('PRAGMA journal_mode = wal');
  const before = filesIn(directory.path);
  expect(() => openReleaseRegister({ stateDir: directory.path })).toThrow(
    expect.objectContaining({
      code: 'state-unusable',
      message: expect.stringContaining('start the agent first'),
    }),
  );
  expect(filesIn(directory.path)).toEqual(before);
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
