/**
 * The digest of the database file after an orderly end, kept beside it. If a start finds the file unchanged, it need
 * not examine every event and row again; that saves half a second for large books. If anything does not match, the
 * books are examined as after a crash (INVARIANTS.md T31, B.1 "Head anchor").
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { hours } from '../../core/duration.ts';
import { jsonText } from '../columns.ts';
import type { Head } from '../event-chain.ts';
import { openRegular, readIfPresent, writeDurably } from '../files/durable-file.ts';
import { databaseName } from '../database.ts';
import { anchorName, readHeadAnchor } from './head-anchor.ts';

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
 * long ago.
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
