/**
 * The look-up row of each release, written beside its events in the same transactions. A restart, the lists and the
 * standing of a document need only these rows, not the events. Each row carries its checksum (T31).
 */
import type { StatementSync } from 'node:sqlite';
import { z } from 'zod';
import type { Claim } from '../../domain/ports/claims.ts';
import type { OpenAttempt } from '../../domain/ports/ledger.ts';
import type { PageCount } from '../../domain/release.ts';
import { checkedColumns, crcOf } from '../checksum.ts';
import { endState, factsText, isEndState, jsonText, openState } from '../columns.ts';
import type { Database } from '../database.ts';
import { textIn } from '../sealed/personal-columns.ts';
import type { RowKeys } from '../sealed/row-keys.ts';
import { openedMarks } from './event-facts.ts';

export const attemptShape = z.object({
  id: z.int(),
  release_id: z.string(),
  terminal: z.string(),
  document_uuid: z.string(),
  state: z.union([openState, endState]),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  printer_uri: z.string().nullable(),
  job_id: z.int().nullable(),
  job_uri: z.string().nullable(),
  claim_number: z.int().nullable(),
  /** Pages of the document, times its copies. */
  document_pages: z.int().nullable(),
  confirmation: z.enum(['device', 'spooler', 'handed-over']).nullable(),
  /** JSON of a `PageCount`. */
  pages: z.string().nullable(),
  problem: z.string().nullable(),
  deletion_owed: z.int(),
  /** These two name the document and its owner. They are cleared when the release ends. */
  job_name: z.string().nullable(),
  history: z.string().nullable(),
});
export type Attempt = z.infer<typeof attemptShape>;

/** The columns that are empty when an attempt begins. */
export const nothingKnown = {
  ended_at: null,
  printer_uri: null,
  job_id: null,
  job_uri: null,
  claim_number: null,
  confirmation: null,
  pages: null,
  problem: null,
  deletion_owed: 0,
} as const satisfies Partial<Attempt>;

/** Takes a row as the database gives it. */
export const attemptOf = (row: unknown): Attempt => attemptShape.parse(row);

const pageCount: z.ZodType<PageCount> = z.object({
  source: z.enum(['device-confirmed', 'document-estimate', 'unknown']),
  pages: z.exactOptional(z.number()),
  sheets: z.exactOptional(z.number()),
});
export const pageCountOf = ({ pages }: Attempt): PageCount | undefined =>
  pages === null ? undefined : jsonText.pipe(pageCount).parse(pages);

export interface Attempts {
  /** Both run inside the caller's transaction. */
  insert(attempt: Omit<Attempt, 'id'>): number;
  update(attempt: Attempt, changes: Partial<Attempt>): void;
}

export function createAttempts(database: Database): Attempts {
  const all = [...checkedColumns.attempt, 'crc'];
  const insert = database.prepare(
    `INSERT INTO attempt (${all.join(', ')}) VALUES (${all.map((name) => `:${name}`).join(', ')})`,
  );
  const nextId = database.prepare('SELECT coalesce(max(id), 0) + 1 AS id FROM attempt');
  /** One statement for each set of columns: a column with an index costs most to write, and changes only once. */
  const updates = new Map<string, StatementSync>();
  const updateOf = (names: readonly string[]): StatementSync =>
    database.prepare(
      `UPDATE attempt SET ${[...names, 'crc'].map((name) => `${name} = :${name}`).join(', ')} WHERE id = :id`,
    );

  return {
    insert(attempt) {
      const id = Number(nextId.get()?.['id']);
      insert.run({ ...attempt, id, crc: crcOf('attempt', { ...attempt, id }) });
      return id;
    },
    update(attempt, changes) {
      const names = Object.keys(changes);
      const update = updates.get(names.join()) ?? updateOf(names);
      updates.set(names.join(), update);
      update.run({ ...changes, id: attempt.id, crc: crcOf('attempt', { ...attempt, ...changes }) });
    },
  };
}

/**
 * The releases that were under way when the agent ended, the oldest first. The next start settles them (INVARIANTS.md
 * B.1 "Restart").
 */
export function createOpenAttempts(options: {
  readonly database: Database;
  readonly rowKeys: RowKeys;
}): () => OpenAttempt[] {
  const { database, rowKeys } = options;
  const allOpen = database.prepare('SELECT * FROM attempt WHERE ended_at IS NULL ORDER BY id');
  const factsOf = database.prepare('SELECT facts FROM event WHERE attempt = ? ORDER BY seq');

  function openAttempt(row: Attempt): OpenAttempt {
    const { release_id: releaseId, job_id: jobId, job_uri: jobUri, job_name } = row;
    if (isEndState(row.state) || job_name === null) throw new Error(`release ${releaseId} is not open`);
    const jobName = textIn(rowKeys, { kind: 'job-name', releaseId }, job_name);
    const events = factsOf.all(row.id).map((event) => factsText.parse(event['facts']));
    const facts: Readonly<Record<string, unknown>> = Object.assign({}, ...events);
    const marks = openedMarks(rowKeys, releaseId, facts['marks']);
    return {
      releaseId,
      terminal: row.terminal,
      state: row.state,
      documentUuid: row.document_uuid,
      jobName,
      printerUri: row.printer_uri ?? undefined,
      inOneStep: facts['inOneStep'] === true,
      job: jobId === null || jobUri === null ? undefined : { jobId, jobUri, jobName, marks },
      claim: claimIn(facts, { documentUuid: row.document_uuid, releaseId }),
      documentPages: row.document_pages ?? undefined,
      ...(typeof facts['from'] === 'string' ? { from: facts['from'] } : {}),
    };
  }

  return () => allOpen.all().map((row) => openAttempt(attemptOf(row)));
}

const claimFacts = z.object({ claim: z.object({ number: z.int(), version: z.int() }) });

/** Only an intent in a fleet has a claim. */
export function claimIn(
  facts: unknown,
  release: Pick<Claim, 'documentUuid' | 'releaseId'>,
): Claim | undefined {
  const { data: found } = claimFacts.safeParse(facts);
  return found && { ...release, ...found.claim };
}
