/**
 * The database's shape, as the numbered steps that lead to it. A step that was released is never changed, only
 * followed by another one. `PRAGMA user_version` counts the steps a database has taken.
 */
import { Problem } from '../domain/problem.ts';
import type { Database } from './database.ts';
import { pragma } from './database.ts';

/** Each step is one transaction. */
const steps: readonly string[] = [
  `
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
  `
  -- What the service said and a restart begins with, as JSON: one row for each thing by its name.
  CREATE TABLE kept (
    key    TEXT PRIMARY KEY,
    value  TEXT NOT NULL
  ) STRICT;
  `,
];

export function migrate(database: Database): void {
  const version = versionOf(database);
  for (const [index, step] of steps.entries()) {
    if (index < version) continue;
    database.transaction(() => database.exec(`${step}; PRAGMA user_version = ${index + 1}`));
  }
}

/** For those who may only read. Throws `state-unusable` until the agent has brought the database up to date. */
export function requireMigrated(database: Database): void {
  if (versionOf(database) < steps.length) {
    throw new Problem('state-unusable', 'the database is older than this Platen; start the agent first');
  }
}

/** Throws `state-newer` for a database that a later version has written. */
function versionOf(database: Database): number {
  const version = Number(pragma(database, 'user_version'));
  if (version > steps.length) {
    throw new Problem(
      'state-newer',
      `the database has version ${version}; this Platen knows ${steps.length} at most`,
    );
  }
  return version;
}
