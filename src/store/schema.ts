/**
 * The database's shape, made in one transaction in an empty state directory (INVARIANTS.md D1, D8). There is one
 * version. No earlier version was released, so there is no migration, and a database of another version is refused.
 */
import { Problem } from '../domain/problem/problem.ts';
import { crcOf } from './checksum.ts';
import type { Database } from './database.ts';
import { openDatabaseInMemory, pragma } from './database.ts';

const schema = `
  -- The look-up row of a release, derived from its events in the same transactions. It tells all that is needed of the
  -- release without them, so that they can be compacted.
  CREATE TABLE attempt (
    id              INTEGER PRIMARY KEY,
    release_id      TEXT NOT NULL UNIQUE,
    terminal        TEXT NOT NULL,
    -- In whatever case the service writes it, it is the same document (RFC 9562 section 4).
    document_uuid   TEXT NOT NULL COLLATE NOCASE,
    state           TEXT NOT NULL,
    started_at      TEXT NOT NULL,
    ended_at        TEXT,
    printer_uri     TEXT,
    job_id          INTEGER,
    job_uri         TEXT,
    claim_number    INTEGER,  -- in a fleet (F9)
    document_pages  INTEGER,  -- times the copies
    confirmation    TEXT,
    pages           TEXT,     -- how many came out, and by whose word, as JSON
    problem         TEXT,
    deletion_owed   INTEGER NOT NULL,
    -- These two name the document and its owner: sealed, and cleared when the release ends.
    job_name        TEXT,
    history         TEXT,
    crc             INTEGER NOT NULL
  ) STRICT;
  -- No document can be on its way twice (I1).
  CREATE UNIQUE INDEX attempt_open ON attempt (document_uuid) WHERE ended_at IS NULL;
  CREATE INDEX attempt_of_document ON attempt (document_uuid, id);
  CREATE INDEX attempt_by_claim ON attempt (claim_number) WHERE claim_number IS NOT NULL;

  CREATE TABLE event (
    seq           INTEGER PRIMARY KEY,
    attempt       INTEGER REFERENCES attempt (id),  -- NULL: the event is about the books themselves
    state         TEXT NOT NULL,
    at            TEXT NOT NULL,
    boot_id       TEXT NOT NULL,
    monotonic_ms  REAL NOT NULL,
    facts         TEXT NOT NULL,
    hash          BLOB NOT NULL  -- SHA-256 over the hash of the event before and the content of this one
  ) STRICT;
  CREATE INDEX event_of_attempt ON event (attempt, seq);
  CREATE TRIGGER event_is_never_updated BEFORE UPDATE ON event
    BEGIN SELECT RAISE(ABORT, 'the event table is append-only'); END;
  CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event
    BEGIN SELECT RAISE(ABORT, 'the event table is append-only'); END;

  -- Documents whose releases are compacted: what is left is that they were printed, or may have been.
  CREATE TABLE past (
    document  BLOB PRIMARY KEY,  -- the first half of SHA-256 over its uuid
    in_doubt  INTEGER NOT NULL,
    crc       INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- One row for each output that the service has not recorded yet.
  CREATE TABLE outbox (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    release_id   TEXT NOT NULL UNIQUE,
    terminal     TEXT NOT NULL,
    record       TEXT NOT NULL,     -- sealed
    not_before   INTEGER NOT NULL,  -- wall milliseconds, to be shown
    held_until   INTEGER NOT NULL,  -- milliseconds of hold_time
    attempts     INTEGER NOT NULL,
    -- Not NULL: a post of it may have arrived, and so many that look alike had been accepted before it.
    alike_before INTEGER,
    dead_letter  TEXT,              -- why the service will never take it
    crc          INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX outbox_due ON outbox (dead_letter, held_until, not_before);

  -- A record is held by the time of the running machine, which nobody sets (D14).
  CREATE TABLE hold_time (
    id            INTEGER PRIMARY KEY CHECK (id = 1),
    milliseconds  INTEGER NOT NULL,
    boot_id       TEXT NOT NULL,
    since_boot    INTEGER NOT NULL,  -- milliseconds
    crc           INTEGER NOT NULL
  ) STRICT;

  -- What the service said and a restart begins with, as JSON: one row for each thing by its name.
  CREATE TABLE kept (
    key    TEXT PRIMARY KEY,
    value  TEXT NOT NULL
  ) STRICT;
`;

/** Earlier versions were used only during the development of Platen. */
const ownVersion = 8;

/** "PL" and the version: one flipped bit in the header's version must not look like a database of another version. */
const applicationId = (version: number): number => 0x50_4c_00_00 + version;

const beforeAnyBoot = { milliseconds: 0, boot_id: '', since_boot: 0 };

/** If the process is killed in between, the database is unchanged. */
export function makeSchema(database: Database): void {
  database.transaction(() => {
    database.exec(schema);
    const { milliseconds, boot_id, since_boot } = beforeAnyBoot;
    database
      .prepare('INSERT INTO hold_time VALUES (1, ?, ?, ?, ?)')
      .run(milliseconds, boot_id, since_boot, crcOf('hold_time', beforeAnyBoot));
    database.exec(
      `PRAGMA user_version = ${ownVersion}; PRAGMA application_id = ${applicationId(ownVersion)}`,
    );
  });
}

/**
 * False if the database is empty. Throws `state-newer` or `state-unusable` for another version, and
 * `ledger-quarantined` for a damaged database.
 */
export function hasSchema(database: Database): boolean {
  const pragmaNumber = (name: string) => Number(database.read(() => pragma(database, name)));
  const version = pragmaNumber('user_version');
  if (version === 0 && pragmaNumber('application_id') === 0 && shapeOf(database) === '[]') return false;
  if (pragmaNumber('application_id') !== applicationId(version)) {
    throw new Problem('ledger-quarantined', 'the database tells two versions of itself');
  }
  if (version !== ownVersion) throw otherVersion(database.path, version);
  return true;
}

function otherVersion(path: string, version: number): Problem {
  const found = `${path}: has version ${version}, and this Platen knows version ${ownVersion} only`;
  return version > ownVersion
    ? new Problem('state-newer', found)
    : new Problem(
        'state-unusable',
        `${found}; no Platen that wrote it was released: to begin anew, move platen.db, ledger-head and row-keys elsewhere`,
      );
}

/** For a program that only reads. Throws as `hasSchema` does, and `state-unusable` if the database is empty. */
export function requireSchema(database: Database): void {
  if (hasSchema(database)) return;
  throw new Problem('state-unusable', `${database.path}: there is nothing in it yet; start the agent first`);
}

/** SQLite's own check does not notice a missing table, index or trigger. */
export function isShapeWhole(database: Database): boolean {
  using pattern = openDatabaseInMemory();
  makeSchema(pattern);
  return shapeOf(database) === shapeOf(pattern);
}

const shapeOf = (database: Database): string =>
  JSON.stringify(database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name').all());
