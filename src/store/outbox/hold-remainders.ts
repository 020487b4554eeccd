/**
 * Turns the holds of a database before version 4 (`migrations.ts`), which ended at a wall time, into ones that end by the
 * machine's own (`hold-time.ts`): what is left of each. The rows have been examined.
 */
import { z } from 'zod';
import { parseInstant } from '../../core/clock.ts';
import { outcomeOf } from '../../domain/release.ts';
import { endState } from '../columns.ts';
import type { Database } from '../database.ts';
import type { Stamp } from '../ledger/event-chain.ts';
import { beginHoldTime } from './hold-time.ts';
import { crcOfOutboxRow } from './outbox.ts';

const rowShape = z.object({
  id: z.int(),
  not_before: z.int(),
  state: endState.nullable().catch(null),
  ended_at: z.string().nullable(),
});

/** In the transaction of its migration. */
export function keepRemainders(database: Database, { clock }: Stamp): void {
  const now = clock.now();
  beginHoldTime(database);
  const update = database.prepare('UPDATE outbox SET held_until = ?, crc = ? WHERE id = ?');
  const all = database.prepare(`
    SELECT outbox.*, attempt.state, attempt.ended_at FROM outbox LEFT JOIN attempt USING (release_id)`);
  for (const found of all.all()) {
    const row = rowShape.parse(found);
    const held_until = remainderOf(row, now);
    update.run(held_until, crcOfOutboxRow({ ...found, held_until }), row.id);
  }
}

/** Only what is unknown is held, and for no longer than at first: either clock may have been wrong. */
function remainderOf({ not_before, state, ended_at }: z.infer<typeof rowShape>, now: number): number {
  if (state !== null && outcomeOf[state] !== 'unknown') return 0;
  const ended = ended_at === null ? undefined : parseInstant(ended_at);
  const left = Math.min(
    not_before - now,
    ended === undefined ? Number.POSITIVE_INFINITY : not_before - ended,
  );
  return Math.max(0, Math.ceil(left));
}
