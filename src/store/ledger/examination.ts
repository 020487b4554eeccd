/**
 * Whether the books can be trusted (reliability.md T31, B.1 "Head anchor"): SQLite's own look at the file, the shape
 * of its tables, the chain of events up to the anchored head, the checksum of every row, and whether its key opens it.
 * It mends nothing.
 */
import { crcOfAttempt } from './attempts.ts';
import type { Database } from '../database.ts';
import { pragma } from '../database.ts';
import type { Head } from './event-chain.ts';
import { walkChain } from './event-chain.ts';
import { firstSealed, shapeOf, versionOf } from '../migrations.ts';
import { crcOfHoldTime } from '../outbox/hold-time.ts';
import { crcOfOutboxRow } from '../outbox/outbox.ts';
import { crcOfPast } from './past.ts';
import { opened, personalColumns } from '../sealed/personal-columns.ts';
import type { RowKeyReading } from '../sealed/row-keys.ts';
import { rowKeysName } from '../sealed/row-keys.ts';

/** What is wrong, in words without content; `undefined`: nothing. May throw what SQLite throws of a damaged file. */
export function faultIn(
  database: Database,
  { anchored, shape, rowKeys }: { anchored: Head; shape: string; rowKeys: RowKeyReading },
): string | undefined {
  const fault = integrityFault(database);
  if (fault) return fault;
  if (shapeOf(database) !== shape) return 'its tables are not those of this version';
  return chainFault(database, anchored) ?? rowFault(database) ?? keyFault(database, rowKeys);
}

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

const checksums = {
  attempt: crcOfAttempt,
  outbox: crcOfOutboxRow,
  past: crcOfPast,
  hold_time: crcOfHoldTime,
} as const;

/** Of the tables there are: an earlier version has fewer. */
function rowFault(database: Database): string | undefined {
  const isThere = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  for (const [name, crcOfRow] of Object.entries(checksums)) {
    if (!isThere.get(name)) continue;
    for (const row of database.prepare(`SELECT * FROM ${name}`).iterate()) {
      if (crcOfRow(row) !== row['crc']) return `a row of the table ${name} has changed`;
    }
  }
  return undefined;
}

/** A key is destroyed when its row is gone for good: one that is missing tells of a damage, or of a log that lost its end. */
function keyFault(database: Database, rowKeys: RowKeyReading): string | undefined {
  if (versionOf(database) < firstSealed) return undefined;
  for (const { column, ...what } of personalColumns(database)) {
    if (!opened(rowKeys, what, column)) return `${rowKeysName} has no key for a row that waits`;
  }
  return undefined;
}
