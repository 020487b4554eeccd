/**
 * Finds out whether the books can be trusted (INVARIANTS.md T31, B.1 "Head anchor"). It repairs nothing. It checks in
 * this order:
 *
 * - the file, by SQLite's own check
 * - the tables, indices and triggers
 * - each event, by the chain, and the last event, by the anchored head: SQLite silently drops a damaged end of its log
 * - each row, by its checksum
 * - the key of each sealed column
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, existsSync, fstatSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { hours } from '../../core/duration.ts';
import type { OutboxCounts } from '../../domain/ports/ledger.ts';
import { checkedColumns, crcOfColumns } from '../checksum.ts';
import type { CheckedTable } from '../checksum.ts';
import { jsonText } from '../columns.ts';
import type { Database } from '../database.ts';
import { databaseName, openDatabaseReadOnly, pragma, rowsAsLists } from '../database.ts';
import type { Head } from '../event-chain.ts';
import { walkChain } from '../event-chain.ts';
import { openRegular, readIfPresent, writeDurably } from '../files/durable-file.ts';
import { notedHoldTime } from '../outbox/hold-time.ts';
import { isShapeWhole, requireSchema } from '../schema.ts';
import { opened, personalColumns } from '../sealed/personal-columns.ts';
import type { RowKeyReading } from '../sealed/row-keys.ts';
import { rowKeysName } from '../sealed/row-keys.ts';
import { anchorName, readHeadAnchor } from './head-anchor.ts';
import { quarantineFolders } from './quarantine.ts';

/** The fault in words without content, or `undefined`. It may throw SQLite's error for a damaged file. */
export function faultIn(database: Database, anchored: Head, rowKeys: RowKeyReading): string | undefined {
  return (
    integrityFault(database) ??
    shapeFault(database) ??
    chainFault(database, anchored) ??
    rowFault(database) ??
    keyFault(database, rowKeys)
  );
}

/**
 * For a file that is unchanged since it was closed: only version and keys can differ, because the key file lies beside
 * it.
 */
export const faultSince = (database: Database, rowKeys: RowKeyReading): string | undefined =>
  shapeFault(database) ?? keyFault(database, rowKeys);

const shapeFault = (database: Database): string | undefined =>
  isShapeWhole(database) ? undefined : 'its tables are not those of this version';

export function integrityFault(database: Database): string | undefined {
  const check = pragma(database, 'integrity_check');
  return check === 'ok' ? undefined : `the integrity check found ${String(check)}`;
}

function chainFault(database: Database, anchored: Head): string | undefined {
  const walk = walkChain(database, anchored.seq);
  if (typeof walk === 'string') return walk;
  const { head, hashAt } = walk;
  if (head.seq < anchored.seq) return `its last event is ${head.seq}, and ${anchored.seq} was written`;
  return hashAt && !Buffer.from(hashAt).equals(anchored.hash)
    ? `event ${anchored.seq} is not the one that was written`
    : undefined;
}

function rowFault(database: Database): string | undefined {
  for (const table of Object.keys(checkedColumns) as CheckedTable[]) {
    const columns = [...checkedColumns[table], 'crc'].join(', ');
    for (const row of rowsAsLists(database, `SELECT ${columns} FROM ${table}`)) {
      const checksum = row.pop();
      if (crcOfColumns(row) !== checksum) return `a row of the table ${table} has changed`;
    }
  }
  return undefined;
}

/**
 * A key is destroyed after its row is gone for good. A missing key therefore means damage, or a log that lost its end.
 */
function keyFault(database: Database, rowKeys: RowKeyReading): string | undefined {
  for (const { column, ...what } of personalColumns(database)) {
    if (!opened(rowKeys, what, column)) return `${rowKeysName} has no key for a row that waits`;
  }
  return undefined;
}

export const closedLedgerName = 'ledger-closed.json';

/** After this time all events and rows are examined again, even if the digest matches. */
const examinedFor = hours(30 * 24);
const step = 1024 * 1024;

const shape = z.object({
  sha256: z.hex().length(64),
  /** The sequence number of the anchored head. */
  seq: z.int(),
  head: z.hex(),
  /** When every event and row was last examined, in milliseconds since 1970. */
  examinedAt: z.int(),
});

/**
 * The time of the last full examination, if the books are unchanged since they were closed and that time is not too
 * long ago. A digest of the database file after an orderly end is kept beside it. If it matches at a start, not every
 * event and row is examined again; that saves half a second for large books. Otherwise the books are examined as
 * after a crash.
 */
export function examinedBefore(directory: string, anchored: Head, now: number): number | undefined {
  try {
    const kept = keptIn(directory);
    if (!kept || kept.seq !== anchored.seq || kept.head !== hexOf(anchored)) return undefined;
    const age = now - kept.examinedAt;
    if (age < 0 || age > examinedFor || hasLog(directory)) return undefined;
    return kept.sha256 === digestOf(directory) ? kept.examinedAt : undefined;
  } catch {
    // The examination will find any fault.
    return undefined;
  }
}

/**
 * Called after the database was closed. If it is not closed, or the note cannot be written, the next start examines the
 * books.
 */
export function noteClosed(directory: string, examinedAt: number): void {
  try {
    const anchored = readHeadAnchor(join(directory, anchorName));
    if (anchored === undefined || anchored === 'absent' || hasLog(directory)) return;
    const kept = { sha256: digestOf(directory), seq: anchored.seq, head: hexOf(anchored), examinedAt };
    writeDurably(join(directory, closedLedgerName), Buffer.from(JSON.stringify(kept)));
  } catch {
    // Without the note the next start only takes longer.
  }
}

const keptIn = (directory: string): z.infer<typeof shape> | undefined =>
  jsonText.pipe(shape).safeParse(readIfPresent(join(directory, closedLedgerName))?.toString('utf8')).data;

const hexOf = ({ hash }: Head): string => Buffer.from(hash).toString('hex');

/** A log holds changes that are not in the main file. */
const hasLog = (directory: string): boolean =>
  ['-wal', '-journal'].some(
    (side) => (statSync(join(directory, `${databaseName}${side}`), { throwIfNoEntry: false })?.size ?? 0) > 0,
  );

function digestOf(directory: string): string {
  const file = openRegular(join(directory, databaseName), constants.O_RDONLY);
  try {
    const hash = createHash('sha256');
    const octets = Buffer.allocUnsafeSlow(Math.min(step, Math.max(1, fstatSync(file).size)));
    for (let read = readSync(file, octets); read > 0; read = readSync(file, octets)) {
      hash.update(octets.subarray(0, read));
    }
    return hash.digest('hex');
  } finally {
    closeSync(file);
  }
}

export interface LedgerSight {
  /** The fault of the database, in words without content. */
  readonly fault: string | undefined;
  readonly releases: number;
  readonly outbox: OutboxCounts;
  /** The folder of damaged earlier books. As long as it is there, every document of that time asks before it prints. */
  readonly quarantine: string | undefined;
}

const countsShape = z.object({
  releases: z.int(),
  waiting: z.int(),
  held: z.int(),
  deadLetters: z.int(),
});

/**
 * Looks at the books of a state directory for `platen check`, beside a running agent or without one: whether the
 * database is whole, and what waits in its outbox. It writes nothing and repairs nothing. `undefined` if no agent has
 * worked there yet. Throws `state-unusable`, `state-newer`, `store-failed` (damaged beyond reading), `store-refused`.
 */
export function lookAtLedger({ stateDir }: { stateDir: string }): LedgerSight | undefined {
  const path = join(stateDir, databaseName);
  if (!existsSync(path)) return undefined;
  using database = openDatabaseReadOnly(path);
  return database.read(() => lookInto(database, stateDir));
}

function lookInto(database: Database, stateDir: string): LedgerSight {
  requireSchema(database);
  const counted = database.prepare(`
    SELECT (SELECT count(*) FROM attempt) AS releases,
           count(*) FILTER (WHERE dead_letter IS NULL AND held_until <= ${notedHoldTime}) AS waiting,
           count(*) FILTER (WHERE dead_letter IS NULL AND held_until > ${notedHoldTime}) AS held,
           count(*) FILTER (WHERE dead_letter IS NOT NULL) AS deadLetters
    FROM outbox`);
  const { releases, ...outbox } = countsShape.parse(counted.get());
  const quarantine = quarantineFolders(stateDir)[0]?.path;
  return { fault: integrityFault(database), releases, outbox, quarantine };
}
