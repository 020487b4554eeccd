/**
 * The checksum of a row (INVARIANTS.md T31). The chain of events does not make it needless: rows outlive their events,
 * which are compacted, and how long a record is held, or that a document printed years ago, no event says. And of a
 * damaged file only such rows are salvaged as can be told to be good, one by one. CRC-32 as zlib has it: natively fast.
 */
import { crc32 } from 'node:zlib';

/** By table, what the checksum is over: all columns, in this order. */
export const checkedColumns = {
  attempt: [
    'id',
    'release_id',
    'terminal',
    'document_uuid',
    'state',
    'started_at',
    'ended_at',
    'printer_uri',
    'job_id',
    'job_uri',
    'claim_number',
    'document_pages',
    'confirmation',
    'pages',
    'problem',
    'deletion_owed',
    'job_name',
    'history',
  ],
  outbox: [
    'release_id',
    'terminal',
    'record',
    'not_before',
    'held_until',
    'attempts',
    'alike_before',
    'dead_letter',
  ],
  past: ['document', 'in_doubt'],
  hold_time: ['milliseconds', 'boot_id', 'since_boot'],
} as const;

export type CheckedTable = keyof typeof checkedColumns;

/** Also of a row that may be none any more. */
export const crcOf = (table: CheckedTable, row: Readonly<Record<string, unknown>>): number =>
  crcOfColumns(checkedColumns[table].map((name) => row[name]));

/** Of all columns of a table that a checksum is over, in their order. */
export const crcOfColumns = (columns: readonly unknown[]): number =>
  crc32(JSON.stringify(columns.map(plain)));

const plain = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
