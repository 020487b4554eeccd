/**
 * Finished claims are kept as long as the service may list the document, and then removed: in small steps, by any
 * member that comes when a step is due. A claim that is under way or owes anything (a record, or the deletion of its
 * document) stays. The youngest claim stays, too: its number shows whether an engine has forgotten (F9).
 */
import { z } from 'zod';
import type { Log } from '../core/log.ts';
import type { Statement } from './engine/line.ts';
import type { Ask } from './patience.ts';
import { isOpen, isOwed } from './will-statements.ts';

/** Since the release has ended, and since a person has seen the document in a list. */
const keptDays = 90;
/** These may or may not have come out, and there are few: people are asked before they are printed, also much later. */
const unknownKeptDays = 400;
const step = 1000;

/** A document with a claim older than this is noted when it is listed, once a day at most. */
const notedAfterDays = 30;
/** As SQL, part of a statement: $1 documents that a person sees in a list. */
export const notesListed = `
  INSERT INTO platen.listed_claim AS l (document, at)
  SELECT document, clock_timestamp() FROM platen.claim
  WHERE document = ANY ($1::uuid[]) AND at < clock_timestamp() - interval '${notedAfterDays} days' AND state IN ('printed', 'unknown')
  ON CONFLICT (document) DO UPDATE SET at = excluded.at WHERE l.at < excluded.at - interval '1 day'`;

const daysAgo = (days: number): string => `clock_timestamp() - interval '${days} days'`;

/** By the numbers of claims, from the oldest on, until the young ones begin. */
const sweep: Statement = {
  name: 'old claims swept',
  text: `
    WITH turn AS MATERIALIZED (
      SELECT number, removed FROM platen.sweep WHERE due <= clock_timestamp() FOR UPDATE SKIP LOCKED),
    step AS MATERIALIZED (
      SELECT c.number, c.at FROM turn CROSS JOIN LATERAL (
        SELECT number, at FROM platen.claim WHERE claim.number > turn.number ORDER BY number LIMIT ${step}) AS c),
    gone AS (
      DELETE FROM platen.claim AS c USING step
      WHERE c.number = step.number AND NOT (${isOpen}) AND NOT (${isOwed}) AND NOT c.deletion_owed
        AND c.at < CASE state WHEN 'unknown' THEN ${daysAgo(unknownKeptDays)} ELSE ${daysAgo(keptDays)} END
        AND c.number < (SELECT max(number) FROM platen.claim)
        AND NOT EXISTS (SELECT FROM platen.listed_claim l WHERE l.document = c.document AND l.at >= ${daysAgo(keptDays)})
      RETURNING c.document),
    listed AS (DELETE FROM platen.listed_claim WHERE document IN (SELECT document FROM gone)),
    former AS (
      DELETE FROM platen.former_claim WHERE EXISTS (SELECT FROM turn) AND release_id IN (
        SELECT release_id FROM platen.former_claim
        WHERE history IN ('none', 'posted') AND at < ${daysAgo(keptDays)} ORDER BY at LIMIT ${step})),
    found AS (
      SELECT turn.removed + (SELECT count(*) FROM gone) AS removed, (SELECT max(number) FROM step) AS last,
        (SELECT count(*) < ${step} OR bool_and(at >= ${daysAgo(keptDays)}) FROM step) AS "isLast"
      FROM turn)
    UPDATE platen.sweep SET due = clock_timestamp() + CASE WHEN "isLast" THEN interval '1 hour' ELSE interval '5 seconds' END,
      number = CASE WHEN "isLast" THEN 0 ELSE last END, removed = CASE WHEN "isLast" THEN 0 ELSE found.removed END
    FROM found RETURNING "isLast", found.removed`,
};
const shape = z.object({ isLast: z.boolean(), removed: z.int() });

/** One step, if one is due. */
export async function sweepOldClaims(ask: Ask, log: Log): Promise<void> {
  const [row] = await ask(sweep, []);
  if (!row) return;
  const { isLast, removed } = shape.parse(row);
  if (isLast && removed > 0) log.info('old claims removed', { claims: removed, keptDays });
}
