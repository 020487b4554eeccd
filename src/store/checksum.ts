/**
 * The checksum of a row (INVARIANTS.md T31): CRC-32 from zlib, which is natively fast. The chain of events does not
 * replace it, because rows outlive their events, which are compacted. No event tells how long a record is held, or that
 * a document was printed years ago. And from a damaged file only rows with a good checksum are salvaged.
 */
import { crc32 } from 'node:zlib';

/** For each table, the columns that the checksum covers, in this order. */
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

/** The row may be untrusted: its columns may have any type. */
export const crcOf = (table: CheckedTable, row: Readonly<Record<string, unknown>>): number =>
  crcOfColumns(checkedColumns[table].map((name) => row[name]));

/** Takes all columns that the checksum covers, in their order. */
export const crcOfColumns = (columns: readonly unknown[]): number =>
  crc32(JSON.stringify(columns.map(plain)));

const plain = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
