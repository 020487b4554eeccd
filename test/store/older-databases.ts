/** State directories as earlier versions of Platen left them, and what must be found in them whatever becomes of the way. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databaseName } from '../../src/store/database.ts';
import { anchorName, createHeadAnchor } from '../../src/store/head-anchor.ts';

/** 0: none yet. A version that is superseded gets its file here, or is made of the one after it. */
export const olderVersions = [0, 1, 2, 3] as const;
export type OlderVersion = (typeof olderVersions)[number];

export function writeOlderDatabase(directory: string, version: OlderVersion): void {
  if (version === 0) return;
  using database = new DatabaseSync(join(directory, databaseName));
  const text = version === 3 ? 'version-3.sql' : 'version-2.sql';
  database.exec(readFileSync(new URL(text, import.meta.url), 'utf8'));
  database.exec('PRAGMA journal_mode = wal');
  if (version === 1) database.exec('DROP TABLE kept; PRAGMA user_version = 1');
  if (version === 3) createHeadAnchor(join(directory, anchorName));
}

export interface Content {
  readonly version: number;
  /** Rows as all versions have them. */
  readonly rows: readonly unknown[];
}

const rowsOfAllVersions = [
  `SELECT id, release_id, terminal, document_uuid, state, started_at, ended_at, job_id, job_uri, confirmation, problem,
     deletion_owed, job_name, history FROM attempt ORDER BY id`,
  `SELECT seq, attempt, state, at, boot_id, facts FROM event WHERE attempt IS NOT NULL ORDER BY seq`,
  `SELECT id, release_id, terminal, record, not_before, attempts, dead_letter FROM outbox ORDER BY id`,
];

/** Past our code. Throws for a database that SQLite finds fault with. */
export function contentOf(directory: string): Content {
  using database = new DatabaseSync(join(directory, databaseName));
  const first = (query: string): unknown => Object.values(database.prepare(query).get() ?? {})[0];
  const fault = first('PRAGMA integrity_check');
  if (fault !== 'ok') throw new Error(`the database is damaged: ${String(fault)}`);
  const version = Number(first('PRAGMA user_version'));
  const queries = [
    ...(version > 0 ? rowsOfAllVersions : []),
    ...(version > 1 ? ['SELECT key, value FROM kept'] : []),
  ];
  return { version, rows: queries.flatMap((query) => database.prepare(query).all()) };
}
