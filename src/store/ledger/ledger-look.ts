/**
 * Looks at the books of a state directory for `platen check`, beside a running agent or without one: whether the
 * database is whole, and what waits in its outbox. It writes nothing and repairs nothing.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { OutboxCounts } from '../../domain/ports/ledger.ts';
import type { Database } from '../database.ts';
import { databaseName, openDatabaseReadOnly } from '../database.ts';
import { integrityFault } from './audit.ts';
import { requireSchema } from '../schema.ts';
import { notedHoldTime } from '../outbox/hold-time.ts';
import { quarantineFolders } from './quarantine.ts';

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
 * `undefined` if no agent has worked there yet. Throws `state-unusable`, `state-newer`, `store-failed` (damaged beyond
 * reading), `store-refused`.
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
