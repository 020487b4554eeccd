/** State directories as earlier versions of Platen left them, and what must be found in them whatever becomes of the way. */
import { createDecipheriv } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databaseName } from '../../src/store/database.ts';
import { anchorName, createHeadAnchor } from '../../src/store/ledger/head-anchor.ts';

/** 0: none yet. A version that is superseded gets its file here, or is made of the one after it. */
export const olderVersions = [0, 1, 2, 3, 4] as const;
export type OlderVersion = (typeof olderVersions)[number];

export function writeOlderDatabase(directory: string, version: OlderVersion): void {
  if (version === 0) return;
  using database = new DatabaseSync(join(directory, databaseName));
  const text = `version-${Math.max(2, version)}.sql`;
  database.exec(readFileSync(new URL(text, import.meta.url), 'utf8'));
  database.exec('PRAGMA journal_mode = wal');
  if (version === 1) database.exec('DROP TABLE kept; PRAGMA user_version = 1');
  if (version >= 3) createHeadAnchor(join(directory, anchorName));
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

/** Past our code; sealed columns are opened. Throws for a database that SQLite finds fault with. */
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
  const open = (row: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, openedColumn(directory, row, name, value)]),
    );
  return { version, rows: queries.flatMap((query) => database.prepare(query).all().map(open)) };
}

const kinds: Readonly<Record<string, string>> = {
  job_name: 'job-name',
  history: 'history',
  record: 'history',
};

/** `<slot>.<base64>`: key id, nonce, ciphertext and tag of AES-256-GCM, under either copy of the slot's key. */
function openedColumn(
  directory: string,
  row: Record<string, unknown>,
  name: string,
  value: unknown,
): unknown {
  const [, slot, content = ''] = /^(\d+)\.(.*)$/.exec(String(value)) ?? [];
  if (slot === undefined || !(name in kinds)) return value;
  const bytes = Buffer.from(content, 'base64');
  const keys = readFileSync(join(directory, 'row-keys'));
  for (const block of [0, 4096]) {
    const start = Math.floor(Number(slot) / 128) * 8192 + block + (Number(slot) % 128) * 32;
    const decipher = createDecipheriv(
      'aes-256-gcm',
      keys.subarray(start, start + 32),
      bytes.subarray(16, 28),
    );
    decipher.setAAD(
      Buffer.concat([
        bytes.subarray(0, 16),
        Buffer.from(`${kinds[name]} of release ${String(row['release_id'])}`),
      ]),
    );
    decipher.setAuthTag(bytes.subarray(-16));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(28, -16)), decipher.final()]).toString();
    } catch {
      // The other copy.
    }
  }
  throw new Error(`${name} of release ${String(row['release_id'])} cannot be opened`);
}
