/**
 * The database's shape, as the numbered steps that lead to it. A step that was released is never changed, only
 * followed by another one. `PRAGMA user_version` counts the steps a database has taken.
 */
import { Problem } from '../domain/problem/problem.ts';
import { chainEvents } from './ledger/chaining.ts';
import { sealColumns } from './ledger/covering.ts';
import type { Database } from './database.ts';
import { pragma } from './database.ts';
import type { Stamp } from './ledger/event-chain.ts';
import { keepRemainders } from './outbox/hold-remainders.ts';
import type { RowKeys } from './sealed/row-keys.ts';

interface Step {
  readonly sql: string;
  /** What SQL alone cannot do, after it and in its transaction. */
  readonly then?: (database: Database, stamp: Stamp, rowKeys: RowKeys | undefined) => void;
}

/** Each is one transaction. */
const steps: readonly Step[] = [
  {
    sql: `
  -- The look-up row of a release, derived from its events in the same transactions.
  CREATE TABLE attempt (
    id             INTEGER PRIMARY KEY,
    release_id     TEXT NOT NULL UNIQUE,
    terminal       TEXT NOT NULL,
    document_uuid  TEXT NOT NULL,
    state          TEXT NOT NULL,
    started_at     TEXT NOT NULL,
    ended_at       TEXT,
    job_id         INTEGER,
    job_uri        TEXT,
    confirmation   TEXT,
    problem        TEXT,
    deletion_owed  INTEGER NOT NULL DEFAULT 0,
    -- These two name the document and its owner; they are cleared when the release ends.
    job_name       TEXT,
    history        TEXT
  ) STRICT;
  -- No document can be on its way twice (I1).
  CREATE UNIQUE INDEX attempt_open ON attempt (document_uuid) WHERE ended_at IS NULL;
  CREATE INDEX attempt_of_document ON attempt (document_uuid, id);

  CREATE TABLE event (
    seq           INTEGER PRIMARY KEY,
    attempt       INTEGER NOT NULL REFERENCES attempt (id),
    state         TEXT NOT NULL,
    at            TEXT NOT NULL,
    boot_id       TEXT NOT NULL,
    monotonic_ms  REAL NOT NULL,
    facts         TEXT NOT NULL
  ) STRICT;
  CREATE INDEX event_of_attempt ON event (attempt, seq);
  CREATE TRIGGER event_is_never_updated BEFORE UPDATE ON event
    BEGIN SELECT RAISE(ABORT, 'the event table is append-only'); END;
  CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event
    BEGIN SELECT RAISE(ABORT, 'the event table is append-only'); END;

  -- One row for each output that the service has not recorded yet.
  CREATE TABLE outbox (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    release_id   TEXT NOT NULL UNIQUE,
    terminal     TEXT NOT NULL,
    record       TEXT NOT NULL,
    not_before   INTEGER NOT NULL,  -- wall milliseconds
    attempts     INTEGER NOT NULL DEFAULT 0,
    dead_letter  TEXT               -- why the service will never take it
  ) STRICT;
  CREATE INDEX outbox_due ON outbox (dead_letter, not_before);
  `,
  },
  {
    sql: `
  -- What the service said and a restart begins with, as JSON: one row for each thing by its name.
  CREATE TABLE kept (
    key    TEXT PRIMARY KEY,
    value  TEXT NOT NULL
  ) STRICT;
  `,
  },
  {
    // Each row has a checksum, and the events are a chain (reliability.md T31). An attempt's row tells all that is
    // needed of it without its events, so that these can be compacted.
    sql: `
  ALTER TABLE attempt ADD COLUMN printer_uri TEXT;
  ALTER TABLE attempt ADD COLUMN document_pages INTEGER;  -- times the copies
  ALTER TABLE attempt ADD COLUMN pages TEXT;              -- how many came out, and by whose word, as JSON
  ALTER TABLE attempt ADD COLUMN crc INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE outbox ADD COLUMN crc INTEGER NOT NULL DEFAULT 0;

  UPDATE attempt SET
    printer_uri = (SELECT facts ->> '$.printerUri' FROM event
                   WHERE event.attempt = attempt.id AND event.state = 'INTENT'),
    document_pages = (SELECT (facts ->> '$.pages') * (facts ->> '$.copies') FROM event
                      WHERE event.attempt = attempt.id AND event.state = 'PLANNED');

  DROP TRIGGER event_is_never_updated;
  DROP TRIGGER event_is_never_deleted;
  DROP INDEX event_of_attempt;
  ALTER TABLE event RENAME TO unchained;
  CREATE TABLE event (
    seq           INTEGER PRIMARY KEY,
    attempt       INTEGER REFERENCES attempt (id),  -- NULL: the event is about the books themselves
    state         TEXT NOT NULL,
    at            TEXT NOT NULL,
    boot_id       TEXT NOT NULL,
    monotonic_ms  REAL NOT NULL,
    facts         TEXT NOT NULL,
    hash          BLOB NOT NULL,  -- SHA-256 over the hash of the event before and the content of this one
    crc           INTEGER NOT NULL
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
  `,
    then: chainEvents,
  },
  {
    // A record is held by the time of the running machine, which nobody sets (D14). not_before stays to be shown.
    sql: `
  CREATE TABLE hold_time (
    id            INTEGER PRIMARY KEY CHECK (id = 1),
    milliseconds  INTEGER NOT NULL,
    boot_id       TEXT NOT NULL,
    since_boot    INTEGER NOT NULL,  -- milliseconds
    crc           INTEGER NOT NULL
  ) STRICT;
  ALTER TABLE outbox ADD COLUMN held_until INTEGER NOT NULL DEFAULT 0;  -- milliseconds of hold_time
  DROP INDEX outbox_due;
  CREATE INDEX outbox_due ON outbox (dead_letter, held_until, not_before);
  `,
    then: keepRemainders,
  },
  {
    // What names a person in the columns job_name, history and record is sealed (I4, I5). Their shape stays.
    sql: '',
    then: (database, _stamp, rowKeys) => sealColumns(database, rowKeys),
  },
];

/**
 * "PL" and the version: one flipped bit in the header's version alone must not look like another Platen's database.
 * Databases before version 3 have none.
 */
const applicationId = (version: number): number => (version < 3 ? 0 : 0x50_4c_00_00 + version);

/**
 * Of a database that was examined: a step may rewrite rows whose checksums were good. To the present version unless said.
 * Without keys for rows: a pattern, that has none.
 */
export function migrate(
  database: Database,
  stamp: Stamp,
  { to = steps.length, rowKeys }: { readonly to?: number; readonly rowKeys?: RowKeys } = {},
): void {
  const version = versionOf(database);
  for (const [index, { sql, then }] of steps.slice(0, to).entries()) {
    if (index < version) continue;
    const next = index + 1;
    database.transaction(() => {
      database.exec(sql);
      then?.(database, stamp, rowKeys);
      database.exec(`PRAGMA user_version = ${next}; PRAGMA application_id = ${applicationId(next)}`);
    });
  }
}

/** For those who may only read. Throws `state-unusable` until the agent has brought the database up to date. */
export function requireMigrated(database: Database): void {
  if (versionOf(database) < steps.length) {
    throw new Problem('state-unusable', 'the database is older than this Platen; start the agent first');
  }
}

/** From this version on there is a chain, and an anchor of its head. */
export const firstChained = 3;
/** From this version on nothing in it names a person but under seal. */
export const firstSealed = 5;

/** Throws `state-newer` for a database that a later version has written, and `ledger-quarantined` for a damaged one. */
export function versionOf(database: Database): number {
  const told = (name: string) => Number(database.read(() => pragma(database, name)));
  const version = told('user_version');
  if (told('application_id') !== applicationId(version)) {
    throw new Problem('ledger-quarantined', 'the database tells two versions of itself');
  }
  if (version > steps.length) {
    throw new Problem(
      'state-newer',
      `the database has version ${version}; this Platen knows ${steps.length} at most`,
    );
  }
  return version;
}

/** All that a database is made of, for comparison with another one of its version. */
export const shapeOf = (database: Database): string =>
  JSON.stringify(database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name').all());
