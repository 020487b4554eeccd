/** Reads what the ledger knows of claims, for a fleet engine that was away or has lost its data (F9). Read-only. */
import { z } from 'zod';
import type { ClaimBooks, ClaimedAttempt } from '../../domain/ports/claims.ts';
import { forgottenRelease } from '../../domain/release.ts';
import { endState, factsText, openState } from '../columns.ts';
import type { Database } from '../database.ts';
import type { GroupCommit } from './group-commit.ts';
import { claimIn } from './attempts.ts';
import { createRepeats } from './past.ts';

const state = z.union([openState, endState]);
const headShape = z.object({ number: z.int() });
const wordShape = z.object({
  state,
  owes: z.int(),
  deletion_owed: z.int(),
  left_history: z.int(),
  claim_number: z.int().nullable(),
  before: endState.nullable(),
});
const attemptShape = z.object({
  release_id: z.string(),
  document_uuid: z.string(),
  terminal: z.string(),
  started_at: z.string(),
  claim_number: z.int().nullable(),
  state,
  owes: z.int(),
  deletion_owed: z.int(),
  facts: factsText.nullable(),
});

const owes = 'EXISTS (SELECT 1 FROM outbox WHERE outbox.release_id = attempt.release_id) AS owes';
const has = (event: string): string =>
  `EXISTS (SELECT 1 FROM event WHERE event.attempt = attempt.id AND event.state = '${event}')`;
const leftHistory = `(state <> 'NOOUTPUT' AND problem IS 'claim-lost' OR ${has('HISTORY-LEFT')}) AND NOT ${has('HISTORY-ACCEPTED')}
  AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.release_id = attempt.release_id) AS left_history`;

/** A release that these books do not have may have printed elsewhere. A person was told so and asked for the repeat. */
const before = `coalesce((SELECT earlier.state FROM attempt AS earlier
  WHERE earlier.document_uuid = attempt.document_uuid AND earlier.id < attempt.id
    AND earlier.ended_at IS NOT NULL AND earlier.state <> 'NOOUTPUT' ORDER BY earlier.id DESC LIMIT 1),
  (SELECT 'UNKNOWN' FROM event WHERE event.attempt = attempt.id AND event.state = 'PLANNED'
    AND json_extract(event.facts, '$.again') <> '${forgottenRelease}' LIMIT 1)) AS before`;

export function createClaimBooks(database: Database, commits: Pick<GroupCommit, 'durable'>): ClaimBooks {
  const head = database.prepare('SELECT coalesce(max(claim_number), 0) AS number FROM attempt');
  const word = database.prepare(`
    SELECT state, claim_number, deletion_owed, ${owes}, ${leftHistory}, ${before} FROM attempt WHERE release_id = ?`);
  const repeats = createRepeats(database);
  const sent = database.prepare(`
    SELECT 1 FROM outbox WHERE release_id = :release AND (attempts > 0 OR alike_before IS NOT NULL) UNION ALL
    SELECT 1 FROM attempt WHERE release_id = :release AND ${has('HISTORY-ACCEPTED')}`);
  const attempts = (which: string) =>
    database.prepare(`
    SELECT release_id, document_uuid, terminal, started_at, claim_number, attempt.state AS state, deletion_owed,
      ${owes},
      (SELECT facts FROM event WHERE attempt = attempt.id AND event.state IN ('INTENT', 'SERVICE-INTENT')
       ORDER BY seq DESC LIMIT 1) AS facts
    FROM attempt WHERE ${which} ORDER BY attempt.id`);
  const claimed = attempts('claim_number IS NOT NULL');
  const printed = attempts("attempt.state NOT IN ('PLANNED', 'FETCHED')");

  function attemptOf(row: unknown): ClaimedAttempt {
    const { release_id, document_uuid, claim_number, started_at, facts, ...found } = attemptShape.parse(row);
    const release = { documentUuid: document_uuid, releaseId: release_id };
    return {
      ...release,
      number: claim_number ?? 0,
      // Its events may be compacted. The version of a release that ended long ago is not needed.
      version: claim_number === null ? 0 : (claimIn(facts, release)?.version ?? 1),
      terminal: found.terminal,
      state: found.state,
      startedAt: started_at,
      owesHistory: found.owes === 1,
      deletionOwed: found.deletion_owed === 1,
    };
  }

  return {
    durable: () => commits.durable(),
    highest: () => database.read(() => headShape.parse(head.get()).number),
    all: () => database.read(() => claimed.all().map(attemptOf)),
    every: () => database.read(() => printed.all().map(attemptOf)),
    of: (releaseId) =>
      database.read(() => {
        const found = word.get(releaseId);
        if (!found) return undefined;
        const {
          state: known,
          claim_number,
          owes: owed,
          deletion_owed,
          left_history,
          before: ended,
        } = wordShape.parse(found);
        const cuts = repeats(releaseId).filter((cut) => sent.get({ release: cut.releaseId }) === undefined);
        return {
          number: claim_number ?? 0,
          state: known,
          owesHistory: owed === 1,
          deletionOwed: deletion_owed === 1,
          leftHistory: left_history === 1,
          ...(ended !== null && { before: ended }),
          ...(cuts.length > 0 && { cuts }),
        };
      }),
  };
}
