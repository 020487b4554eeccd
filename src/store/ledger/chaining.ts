/**
 * Brings the rows of a database of version 2 under the protection of version 3 (`migrations.ts`): its events become a
 * chain as they stand, closed by an event that says so, and each row of the other tables gets its checksum.
 */
import { z } from 'zod';
import { crcOfAttempt } from './attempts.ts';
import type { Database } from '../database.ts';
import type { Stamp } from './event-chain.ts';
import { createEventChain, genesis, insertEvent } from './event-chain.ts';
import { crcOfOutboxRow } from '../outbox/outbox.ts';

const contentShape = z.object({
  attempt: z.int(),
  state: z.string(),
  at: z.string(),
  boot_id: z.string(),
  monotonic_ms: z.number(),
  facts: z.string(),
});

/** In the transaction of its migration. */
export function chainEvents(database: Database, stamp: Stamp): void {
  const insert = insertEvent(database);
  let head = genesis;
  for (const row of database.prepare('SELECT * FROM unchained ORDER BY seq').iterate()) {
    const { attempt, state, at, boot_id, monotonic_ms, facts } = contentShape.parse(row);
    head = insert(head, [attempt, state, at, boot_id, monotonic_ms, facts]);
  }
  database.exec('DROP TABLE unchained');
  if (head.seq > 0) {
    createEventChain({ database, ...stamp }).append({ state: 'CHAINED', facts: { events: head.seq } });
  }
  addChecksums(database, 'attempt', crcOfAttempt);
  addChecksums(database, 'outbox', crcOfOutboxRow);
}

function addChecksums(
  database: Database,
  name: 'attempt' | 'outbox',
  crcOf: (row: Readonly<Record<string, unknown>>) => number,
): void {
  const update = database.prepare(`UPDATE ${name} SET crc = ? WHERE id = ?`);
  for (const row of database.prepare(`SELECT * FROM ${name}`).all())
    update.run(crcOf(row), row['id'] ?? null);
}
