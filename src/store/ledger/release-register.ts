/** The ledger for reading: lists for the command line and the support bundle, beside a running agent or without one. */
import { join } from 'node:path';
import { z } from 'zod';
import { isoInstant } from '../../core/clock.ts';
import type {
  EndedRelease,
  ReleaseEvent,
  ReleaseRegister,
  ReleaseRow,
  UnsettledRelease,
} from '../../domain/ports/ledger.ts';
import type { EndState, Outcome } from '../../domain/release.ts';
import { outcomeOf } from '../../domain/release.ts';
import type { Attempt } from './attempts.ts';
import { attemptOf, pageCountOf } from './attempts.ts';
import { endState, factsText, isEndState, statesSetByPeople } from '../columns.ts';
import type { Database } from '../database.ts';
import { databaseName, openDatabaseReadOnly } from '../database.ts';
import { requireSchema } from '../schema.ts';
import { span, traceOf } from './event-facts.ts';

const recordShape = z.object({ not_before: z.int(), dead_letter: z.string().nullable() });
const endedShape = z.object({ started_at: z.string(), ended_at: z.string(), state: endState });
const countShape = z.object({ count: z.int() });
const eventShape = z.object({ state: z.string(), at: z.string(), facts: factsText });

/** Throws `state-unusable` if no agent has worked in this directory, `state-newer` if a later version has. */
export function openReleaseRegister(options: { stateDir: string }): ReleaseRegister & Disposable {
  using opened = new DisposableStack();
  const database = opened.use(openDatabaseReadOnly(join(options.stateDir, databaseName)));
  requireSchema(database);
  const held = opened.move();
  return { ...createReleaseRegister(database), [Symbol.dispose]: () => held.dispose() };
}

export function createReleaseRegister(database: Database): ReleaseRegister {
  const latest = database.prepare(`
    SELECT *, (SELECT event.state FROM event WHERE event.attempt = attempt.id AND event.state IN (${statesSetByPeople})
      ORDER BY seq DESC LIMIT 1) AS word FROM attempt
    WHERE terminal = coalesce(:terminal, terminal) AND started_at >= coalesce(:since, started_at)
      AND (:states IS NULL OR state IN (SELECT value FROM json_each(:states)))
    ORDER BY id DESC LIMIT :limit`);
  const allEnded = database.prepare(`
    SELECT started_at, ended_at, state FROM attempt
    WHERE ended_at IS NOT NULL AND started_at >= :since AND terminal = coalesce(:terminal, terminal)`);
  const endedAs = database.prepare(`
    SELECT count(*) AS count FROM attempt
    WHERE ended_at >= :since AND state IN (SELECT value FROM json_each(:states))`);
  const found = database.prepare(`
    SELECT count(*) AS count FROM attempt
    WHERE printer_uri = :printerUri AND problem = :problem
      AND EXISTS (SELECT 1 FROM event WHERE attempt = attempt.id
        AND event.state IN ('CONFIRMED-BY-USER', 'CONFIRMED-BY-ADMINISTRATOR'))`);
  const unsettledRows = database.prepare(`
    SELECT *, EXISTS (SELECT 1 FROM outbox WHERE outbox.release_id = attempt.release_id
      AND attempts = 0 AND alike_before IS NULL) AS has_record FROM attempt
    WHERE state IN (SELECT value FROM json_each(:states))
      AND NOT EXISTS (SELECT 1 FROM event WHERE event.attempt = attempt.id AND event.state IN (${statesSetByPeople}))
      AND NOT EXISTS (SELECT 1 FROM attempt AS later WHERE later.document_uuid = attempt.document_uuid
        AND later.id > attempt.id AND later.state <> 'NOOUTPUT')
    ORDER BY id DESC LIMIT :limit`);
  // Release ids are hexadecimal, so all ids with the prefix sort before prefix + 'g'.
  const beginningWith = database.prepare(
    "SELECT * FROM attempt WHERE release_id >= :prefix AND release_id < :prefix || 'g' LIMIT 2",
  );
  const eventsOf = database.prepare('SELECT state, at, facts FROM event WHERE attempt = ? ORDER BY seq');
  const recordOf = database.prepare('SELECT not_before, dead_letter FROM outbox WHERE release_id = ?');

  return {
    list: (limit, { terminal = null, outcome, since = null } = {}) =>
      database.read(() => {
        const states = outcome === undefined ? null : JSON.stringify(statesOf(outcome));
        return latest.all({ limit, terminal, since, states }).map(listedRelease);
      }),
    ended: (since, terminal) =>
      database.read(() => allEnded.all({ since, terminal: terminal ?? null }).map(endedRelease)),
    unknownSince: (since) =>
      database.read(() => {
        const states = JSON.stringify(statesOf('unknown'));
        return countShape.parse(endedAs.get({ since, states })).count;
      }),
    unsettled: (limit) =>
      database.read(() => {
        const states = JSON.stringify(statesOf('unknown'));
        return unsettledRows.all({ limit, states }).map(unsettledRelease);
      }),
    foundInTray: (printerUri, problem) =>
      database.read(() => countShape.parse(found.get({ printerUri, problem })).count),
    isAmbiguous: (idPrefix) =>
      database.read(() => beginningWith.all({ prefix: idPrefix.toLowerCase() }).length > 1),
    find: (idPrefix) =>
      database.read(() => {
        const [first, another] = beginningWith.all({ prefix: idPrefix.toLowerCase() });
        if (!first || another) return undefined;
        const row = attemptOf(first);
        const events = eventsOf.all(row.id).map((event) => withoutMarks(eventShape.parse(event)));
        const waiting = recordOf.get(row.release_id);
        const trace = traceOf(events);
        return {
          row: releaseRow(row),
          events,
          ...(trace ? { trace } : {}),
          ...(waiting ? { history: waitingHistory(recordShape.parse(waiting)) } : {}),
        };
      }),
  };
}

function listedRelease({ word, ...found }: Readonly<Record<string, unknown>>): ReleaseRow {
  const row = releaseRow(attemptOf(found));
  if (typeof word !== 'string') return row;
  return { ...row, settled: word === 'DENIED-BY-ADMINISTRATOR' ? 'not-printed' : 'printed' };
}

function unsettledRelease({ has_record, ...found }: Readonly<Record<string, unknown>>): UnsettledRelease {
  const row = attemptOf(found);
  return {
    ...releaseRow(row),
    printerUri: row.printer_uri ?? undefined,
    ...(row.document_pages === null ? {} : { documentPages: row.document_pages }),
    hasRecord: has_record === 1,
  };
}

function endedRelease(found: Readonly<Record<string, unknown>>): EndedRelease {
  const { started_at: startedAt, ended_at: endedAt, state } = endedShape.parse(found);
  return { startedAt, outcome: outcomeOf[state], seconds: span(startedAt, endedAt) / 1000 };
}

/** The marks are sealed and of no use to the reader of the list. */
function withoutMarks({ facts: { marks: _, ...facts }, ...event }: z.infer<typeof eventShape>): ReleaseEvent {
  return { ...event, facts };
}

const waitingHistory = ({ not_before, dead_letter }: z.infer<typeof recordShape>) => ({
  dueAt: isoInstant(not_before),
  ...(dead_letter === null ? {} : { rejected: dead_letter }),
});

const statesOf = (outcome: Outcome): readonly EndState[] =>
  endState.options.filter((state) => outcomeOf[state] === outcome);

const releaseRow = (row: Attempt): ReleaseRow => ({
  releaseId: row.release_id,
  terminal: row.terminal,
  documentUuid: row.document_uuid,
  state: row.state,
  outcome: isEndState(row.state) ? outcomeOf[row.state] : undefined,
  confirmation: row.confirmation ?? undefined,
  pages: pageCountOf(row),
  problem: row.problem ?? undefined,
  startedAt: row.started_at,
  endedAt: row.ended_at ?? undefined,
  deletionOwed: row.deletion_owed === 1,
  ...(row.ended_at === null ? {} : { tookMs: span(row.started_at, row.ended_at) }),
});
