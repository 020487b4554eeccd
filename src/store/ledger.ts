/**
 * The write-ahead attempt ledger (reliability.md D1, B.1): every step of a release is an event on disk before the
 * next step touches the world, and an end state and its history row are one transaction. It records what it is told
 * in the legal order; what an attempt is worth is judged elsewhere.
 */
import { z } from 'zod';
import type { Clock } from '../core/clock.ts';
import { isoInstant } from '../core/clock.ts';
import { seconds } from '../core/duration.ts';
import type { Ledger, OpenAttempt } from '../domain/ports/ledger.ts';
import { Problem } from '../domain/problem.ts';
import type { EndState, OpenState } from '../domain/release.ts';
import { outcomeOf } from '../domain/release.ts';
import { endState, factsText, isEndState, openState } from './columns.ts';
import type { Database } from './database.ts';
import type { Outbox } from './outbox.ts';

/** D8: about a month of a busy gateway without its cloud. Full, no print is made that could not be recorded. */
const outboxCapacity = 100_000;

const anyEnd = endState.options;
/**
 * What may follow a state; nothing follows an end state (I11). Before an intent nothing can have come out, and after
 * one the only way back is the service's own refusal.
 */
const successors: Record<OpenState, readonly (OpenState | EndState)[]> = {
  PLANNED: ['SERVICE-INTENT', 'FETCHED', 'NOOUTPUT'],
  'SERVICE-INTENT': ['SERVICE-REFUSED', ...anyEnd],
  'SERVICE-REFUSED': ['FETCHED', 'NOOUTPUT'],
  FETCHED: ['INTENT', 'NOOUTPUT'],
  INTENT: ['JOB', 'SENT', ...anyEnd],
  JOB: ['SENT', ...anyEnd],
  SENT: anyEnd,
};

const attemptShape = z.object({
  id: z.int(),
  terminal: z.string(),
  state: z.union([openState, endState]),
  deletion_owed: z.int(),
  history: z.string().nullable(),
});
const lastShape = z.object({
  release_id: z.string(),
  state: z.union([openState, endState]),
  deletion_owed: z.int(),
});
const openShape = z.object({
  release_id: z.string(),
  terminal: z.string(),
  state: openState,
  document_uuid: z.string(),
  job_name: z.string(),
  printer_uri: z.string().nullable(),
  job_id: z.int().nullable(),
  job_uri: z.string().nullable(),
});

export interface LedgerOptions {
  readonly database: Database;
  readonly outbox: Outbox;
  readonly clock: Clock;
  /** Tells one run of the machine's monotonic clock from another. */
  readonly bootId: string;
  /** A release has ended: there may be a history record to post. */
  readonly onEnd: () => void;
  readonly capacity?: number;
}

export function createLedger(options: LedgerOptions): Ledger {
  const { database, outbox, clock } = options;
  const capacity = options.capacity ?? outboxCapacity;

  const insertAttempt = database.prepare(`
    INSERT INTO attempt (release_id, terminal, document_uuid, state, started_at, job_name, history)
    VALUES (?, ?, ?, 'PLANNED', ?, ?, ?)`);
  const insertEvent = database.prepare(
    'INSERT INTO event (attempt, state, at, boot_id, monotonic_ms, facts) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const factsOf = database.prepare('SELECT facts FROM event WHERE attempt = ? ORDER BY seq');
  const attemptOf = database.prepare('SELECT * FROM attempt WHERE release_id = ?');
  const updateState = database.prepare('UPDATE attempt SET state = ? WHERE id = ?');
  const updateJob = database.prepare('UPDATE attempt SET job_id = ?, job_uri = ? WHERE id = ?');
  const updateEnd = database.prepare(`
    UPDATE attempt SET ended_at = ?, confirmation = ?, problem = ?, deletion_owed = ?,
                       job_name = NULL, history = NULL WHERE id = ?`);
  const updateDeleted = database.prepare('UPDATE attempt SET deletion_owed = 0 WHERE id = ?');
  const countOpen = database.prepare('SELECT count(*) AS rows FROM attempt WHERE ended_at IS NULL');
  // The INTENT event alone knows which printer it was for.
  const allOpen = database.prepare(`
    SELECT attempt.*, facts ->> '$.printerUri' AS printer_uri
    FROM attempt LEFT JOIN event ON event.attempt = attempt.id AND event.state = 'INTENT'
    WHERE ended_at IS NULL ORDER BY id`);
  // An attempt without output leaves standing what an earlier one may have printed (I1, I11).
  const lastOf = database.prepare(`
    SELECT release_id, state, deletion_owed FROM attempt WHERE document_uuid = ?
    ORDER BY state = 'NOOUTPUT', id DESC LIMIT 1`);

  function append(id: number | bigint, state: string, facts: object): void {
    insertEvent.run(
      id,
      state,
      isoInstant(clock.now()),
      options.bootId,
      clock.monotonic(),
      JSON.stringify(facts),
    );
  }

  function attempt(releaseId: string) {
    const row = attemptOf.get(releaseId);
    if (!row) throw new Error(`the ledger has no release ${releaseId}`);
    return attemptShape.parse(row);
  }

  /** The event, the new state, and what else belongs to the step. */
  function advance(releaseId: string, to: OpenState | EndState, facts: object) {
    const current = attempt(releaseId);
    if (isEndState(current.state) || !successors[current.state].includes(to)) {
      throw new Error(`release ${releaseId} cannot go from ${current.state} to ${to}`);
    }
    append(current.id, to, facts);
    updateState.run(to, current.id);
    return current;
  }

  /** An intent alone tells the whole attempt (B.1): it repeats what the events before it said. */
  function advanceToIntent(releaseId: string, to: 'INTENT' | 'SERVICE-INTENT', facts: object): void {
    const before = factsOf.all(attempt(releaseId).id).map((row) => factsText.parse(row['facts']));
    advance(releaseId, to, Object.assign({}, ...before, facts));
  }

  return {
    plan: ({ ticket, jobName, history }) =>
      database.transaction(() => {
        if (outbox.size() + Number(countOpen.get()?.['rows']) >= capacity) {
          throw new Problem(
            'store-refused',
            `${capacity} history records wait for the service; no more are taken`,
          );
        }
        const { document, user } = ticket;
        const { lastInsertRowid } = insertAttempt.run(
          ticket.releaseId,
          ticket.terminal,
          document.uuid,
          isoInstant(clock.now()),
          jobName,
          JSON.stringify(history),
        );
        append(lastInsertRowid, 'PLANNED', {
          releaseId: ticket.releaseId,
          documentUuid: document.uuid,
          userId: user.id,
          providerId: user.providerId,
          copies: document.copies,
          pages: document.totalPages,
        });
      }),

    fetched: (releaseId, document) =>
      database.transaction(() => void advance(releaseId, 'FETCHED', document)),

    intendByService: (releaseId, serialNumber) =>
      database.transaction(() => advanceToIntent(releaseId, 'SERVICE-INTENT', { serialNumber })),

    refusedByService: (releaseId) =>
      database.transaction(() => void advance(releaseId, 'SERVICE-REFUSED', {})),

    intend: (releaseId, printerUri) =>
      database.transaction(() => advanceToIntent(releaseId, 'INTENT', { printerUri })),

    // The job-name holds the title and stays out of the event, which is for ever.
    jobCreated: (releaseId, { jobId, jobUri }) =>
      database.transaction(() => {
        const { id } = advance(releaseId, 'JOB', { jobId, jobUri });
        updateJob.run(jobId, jobUri, id);
      }),

    sent: (releaseId) => database.transaction(() => void advance(releaseId, 'SENT', {})),

    end(releaseId, how) {
      const { state, confirmation, problem, report, deletionOwed, holdFor } = how;
      database.transaction(() => {
        const { id, terminal, history } = advance(releaseId, state, { confirmation, problem, report });
        const endedAt = isoInstant(clock.now());
        updateEnd.run(endedAt, confirmation ?? null, problem ?? null, Number(deletionOwed), id);
        if (state === 'NOOUTPUT' || how.history === 'service') return;
        if (history === null) throw new Error(`release ${releaseId} has no history record`);
        const hold = outcomeOf[state] === 'unknown' ? holdFor : seconds(0);
        outbox.add({ releaseId, terminal, record: history, holdFor: hold });
      });
      options.onEnd();
    },

    deleted: (releaseId) =>
      database.transaction(() => {
        const { id, state, deletion_owed } = attempt(releaseId);
        if (!isEndState(state))
          throw new Error(`release ${releaseId} is ${state}; its document is still needed`);
        if (deletion_owed === 0) return;
        append(id, 'DELETED', {});
        updateDeleted.run(id);
      }),

    lastRelease: (documentUuid) =>
      database.read(() => {
        const found = lastOf.get(documentUuid);
        if (!found) return undefined;
        const row = lastShape.parse(found);
        return { releaseId: row.release_id, state: row.state, deletionOwed: row.deletion_owed === 1 };
      }),

    open: () => database.read(() => allOpen.all().map(openAttempt)),
  };
}

function openAttempt(found: unknown): OpenAttempt {
  const row = openShape.parse(found);
  return {
    releaseId: row.release_id,
    terminal: row.terminal,
    state: row.state,
    documentUuid: row.document_uuid,
    jobName: row.job_name,
    printerUri: row.printer_uri ?? undefined,
    job:
      row.job_id === null || row.job_uri === null
        ? undefined
        : { jobId: row.job_id, jobUri: row.job_uri, jobName: row.job_name },
  };
}
