/**
 * The claims of a fleet in its engine: each deed is one statement, which the same release may send again. A document's
 * key is a UUID, so its letter case does not matter. Times are the engine's (F9, F11).
 */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { isoInstant } from '../core/clock.ts';
import type { HeldElsewhere } from '../domain/ports/claims.ts';
import { forgottenRelease } from '../domain/release.ts';
import type { Row, Statement } from './engine/line.ts';
import { elapsed, shown } from './engine/shown.ts';
import type { ClaimProofs, Said } from './fleet-sealing.ts';
import { notesListed } from './retention.ts';
import { highestNumber, isGone, isOfUsualSize, leastPages, proofOf } from './will-statements.ts';

/** Changes with the database system and with its timeline: a server that is promoted begins a new timeline. */
export const life = `(SELECT system_identifier || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
  FROM pg_control_system())`;
/** Once a loss was noticed, the lost numbers are no longer missed: the noticing member writes `raised_head`. */
export const head = `least(${highestNumber},
  greatest(0, (SELECT max(number) FROM platen.claim), (SELECT number FROM platen.raised_head)))`;

/**
 * $2 the asking member. Documents ask in three cases. The engine has forgotten, and no member has noticed yet. Some
 * member has not reported its claims since (`recollection.ts`). Another member was alone, and has not reported its
 * prints (`solitude.ts`).
 */
const asks = `SELECT EXISTS (SELECT FROM platen.fleet WHERE life <> ${life}
  OR EXISTS (SELECT FROM platen.member WHERE told < forgot))
  OR EXISTS (SELECT FROM platen.alone WHERE member <> $2::uuid)`;

/**
 * A member that hears a claim's number misses it in an engine that was restored to the moment before (F9). In a large
 * fleet these calls are left out: some member beats at any moment, and notices without them.
 */
export const claimedChannel = 'platen_claimed';
const isSmall = '(SELECT count(*) FROM platen.member WHERE until > clock_timestamp()) <= 16';

/**
 * $1 document, $2 member, $3 release, $4 terminal, $5 place, $6 will, $7 the release that a person asked to repeat, $8
 * whether a printed document may be printed again without asking, $9 the highest number that the member saw, $10 the
 * proof. For an ended claim of its own a member has asked its ledger whether the person meant this release. A member
 * that is not on the roll enters it first.
 */
export const takeClaim: Statement = {
  name: 'claim taken',
  text: `
    WITH span AS (SELECT (${asks}) OR ${head} < $9::bigint AS asks), mine AS (
      INSERT INTO platen.claim AS c (document, member, release_id, terminal, place, state, at, will, proof)
      SELECT $1::uuid, $2::uuid, $3::text, $4::text, $5::text, 'claimed', clock_timestamp(), $6::bytea, $10::bytea
      WHERE EXISTS (SELECT FROM platen.member WHERE id = $2) AND ($7::text IS NOT NULL
        OR NOT (SELECT asks FROM span) OR EXISTS (SELECT FROM platen.claim WHERE document = $1))
      ON CONFLICT (document) DO UPDATE SET number = DEFAULT, member = excluded.member,
        release_id = excluded.release_id, terminal = excluded.terminal, place = excluded.place,
        state = 'claimed', at = excluded.at, will = excluded.will, job = NULL, history = 'none', left_by = NULL,
        deletion_owed = false, proof = excluded.proof
      WHERE c.state = 'free' AND ($7 IS NOT NULL OR NOT (SELECT asks FROM span)) OR c.state IN ('printed', 'unknown') AND
        (c.release_id = $7 OR c.member = $2 AND $7 IS NOT NULL OR c.state = 'printed' AND $8::boolean)
      RETURNING number, version)
    SELECT asks AS "isAsking", mine.number, mine.version, held.number AS "heldNumber",
      held.version AS "heldVersion", held.member, ${shown('held.release_id', '"releaseId"')}, ${shown('held.place')}, held.state,
      CASE WHEN mine.number IS NOT NULL AND ${isSmall} THEN pg_notify('${claimedChannel}', mine.number::text) END
    FROM span LEFT JOIN mine ON true LEFT JOIN platen.claim held ON held.document = $1`,
};
const takeShape = z.object({
  isAsking: z.boolean(),
  number: z.int().nullable(),
  version: z.int().nullable(),
  heldNumber: z.int().nullable(),
  heldVersion: z.int().nullable(),
  member: z.string().nullable(),
  releaseId: z.string().nullable(),
  place: z.string().nullable(),
  state: z.string().nullable(),
});

export interface Held {
  readonly number: number;
  readonly version: number;
  readonly member: string;
  readonly releaseId: string;
  readonly place: string;
  readonly isOpen: boolean;
}

export type Taken =
  | { readonly is: 'ours'; readonly number: number; readonly version: number }
  | { readonly is: 'held'; readonly held: Held }
  | { readonly is: 'asked-about' }
  /** Another member moved at the same moment. */
  | { readonly is: 'unclear' };

export function takenOf(row: Row | undefined): Taken {
  const { isAsking, number, version, heldNumber, heldVersion, member, releaseId, place, state } =
    takeShape.parse(row);
  if (number !== null && version !== null) return { is: 'ours', number, version };
  if (heldNumber === null || heldVersion === null || member === null || releaseId === null) {
    return { is: isAsking ? 'asked-about' : 'unclear' };
  }
  // It is free, so there is no holder: nothing is known of it since, or another member had it in between.
  if (state === 'free') return { is: isAsking ? 'asked-about' : 'unclear' };
  const isOpen = state === 'claimed' || state === 'sending';
  return {
    is: 'held',
    held: { number: heldNumber, version: heldVersion, member, releaseId, place: place ?? '', isOpen },
  };
}

/**
 * $1 document, $2 member, $3 release, $4 version, $5 job, $6 proof. No row: another member has raised the claim (F6).
 */
export const announceSending: Statement = {
  name: 'claim announced',
  text: `
    UPDATE platen.claim SET state = 'sending', job = $5::bytea, proof = $6::bytea
    WHERE document = $1::uuid AND member = $2::uuid AND release_id = $3::text AND version = $4::integer
      AND state IN ('claimed', 'sending')
    RETURNING version`,
};

/**
 * $1 document, $2 member, $3 release, $4 version, if known, $5 state, $6 whether its history is owed, $7 whether its
 * deletion is owed, $8 the state if the engine does not know which release it repeated. $9 releases whose records it
 * cuts, and $10 to how many pages: only while their own member posts them, because it knows the cut. $11 proves $5, $12
 * proves $8, and $13 the cuts. The record of a claim without a will is posted by its own member only.
 */
export const endClaim: Statement = {
  name: 'claim ended',
  text: `
    WITH ended AS (UPDATE platen.claim AS c SET at = clock_timestamp(), job = NULL,
      state = CASE WHEN EXISTS (SELECT FROM platen.repeated_claim r WHERE r.document = c.document) THEN $5::text ELSE $8::text END,
      history = CASE WHEN $6::boolean AND will IS NOT NULL THEN 'owed' ELSE 'none' END, will = CASE WHEN $6 THEN will END,
      proof = CASE WHEN EXISTS (SELECT FROM platen.repeated_claim r WHERE r.document = c.document) THEN $11::bytea ELSE $12::bytea END,
      deletion_owed = $7::boolean
    WHERE document = $1::uuid AND member = $2::uuid AND release_id = $3::text
      AND ($4::integer IS NULL OR version = $4) AND state IN ('claimed', 'sending')
    RETURNING 1)
    INSERT INTO platen.cut_record AS r (release_id, pages, proof)
    SELECT release_id, cut.pages, cut.proof
    FROM unnest($9::text[], $10::integer[], $13::bytea[]) AS cut (release_id, pages, proof)
      JOIN platen.former_claim f USING (release_id)
    WHERE EXISTS (SELECT FROM ended) AND (f.history = 'owed' OR f.history = 'posting' AND f.member = $2)
    FOR UPDATE OF f
    ON CONFLICT (release_id) DO UPDATE SET ${leastPages}`,
};

/** $1 document. */
export const holderOfClaim: Statement = {
  name: 'claim looked at',
  text: `SELECT member, ${shown('release_id', '"releaseId"')}, version FROM platen.claim WHERE document = $1::uuid`,
};
export const holderShape = z.object({ member: z.string(), releaseId: z.string(), version: z.int() });

/** $1 member. */
export const openClaims: Statement = {
  name: 'open claims',
  text: `
    SELECT document, release_id AS "releaseId", version, left_by IS NOT NULL AS "isTakenOver" FROM platen.claim
    WHERE member = $1::uuid AND state IN ('claimed', 'sending') AND ${isOfUsualSize}`,
};
export const openShape = z.object({
  document: z.string(),
  releaseId: z.string(),
  version: z.int(),
  isTakenOver: z.boolean(),
});

/** $1 documents, $2 member. Documents that are free, or were never claimed, are listed only while they ask. */
export const claimsElsewhere: Statement = {
  name: 'claims elsewhere',
  text: `
    WITH listed AS (${notesListed})
    SELECT asked.document, CASE WHEN c.state <> 'free' THEN left(c.release_id, 255) END AS "releaseId",
      CASE WHEN c.state <> 'free' THEN left(c.place, 255) END AS place, c.state,
      c.state IN ('claimed', 'sending') AND ${isGone('c.member', '$2')} AS "isLeft", c.member, c.number,
      ${proofOf('c')} AS proof,
      ${elapsed('c.at')} AS age
    FROM unnest($1::uuid[]) AS asked (document) LEFT JOIN platen.claim c USING (document)
    WHERE c.member <> $2::uuid AND c.state <> 'free' OR coalesce(c.state, 'free') = 'free' AND (${asks})`,
};
export const elsewhereShape = z.object({
  document: z.string(),
  releaseId: z.string().nullable(),
  place: z.string().nullable(),
  state: z.string().nullable(),
  age: z.number().nullable(),
  isLeft: z.boolean().nullable(),
  member: z.string().nullable(),
  number: z.number().nullable(),
  proof: z.instanceof(Uint8Array).nullable(),
});

/** $1 document, $2 release. */
export const doubtedClaim: Statement = {
  name: 'claim in doubt',
  text: `SELECT member, number, state, ${proofOf('c')} AS proof FROM platen.claim AS c
    WHERE document = $1::uuid AND release_id = $2::text AND state = 'unknown'`,
};
export const doubtedShape = z.object({
  member: z.string(),
  number: z.int(),
  state: z.string(),
  proof: z.instanceof(Uint8Array).nullable(),
});
/** $1 document, $2 release, $3 its member, $4 proof: a person found the pages. */
export const findPages: Statement = {
  name: 'claim found',
  text: `
    UPDATE platen.claim SET state = 'printed', proof = $4::bytea
    WHERE document = $1::uuid AND release_id = $2::text AND member = $3::uuid AND state = 'unknown'`,
};

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The name of a document in the engine: its UUID in lower case (RFC 9562, section 4). If the service's id is not a
 * UUID, one is made from it (version 8).
 */
export function documentKey(documentUuid: string): string {
  const id = documentUuid.toLowerCase();
  if (uuid.test(id)) return id;
  const digest = hash('sha256', id, 'hex');
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`];
  return [...parts, `8${digest.slice(17, 20)}`, digest.slice(20, 32)].join('-');
}

/** Another member's state of a document, from the engine's row, as a person here sees it (F5). */
export function heldOf(
  found: ReturnType<typeof elsewhereShape.parse>,
  { sealing, now }: { readonly sealing: Pick<ClaimProofs, 'saidBy'>; readonly now: number },
): HeldElsewhere {
  const { releaseId, place, state, age } = found;
  const at = isoInstant(now - (age ?? 0));
  if (releaseId === null) return { releaseId: forgottenRelease, at, how: 'may-have-printed' };
  const said = saidOf(found, sealing);
  const isPrinted = state === 'printed' && said !== undefined;
  const isOver = state === 'printed' || state === 'unknown';
  const how = isPrinted ? 'printed' : isOver ? 'may-have-printed' : 'in-progress';
  const owed = isPrinted && said.deletionOwed ? { deletionOwed: true as const } : {};
  return { releaseId, ...(place === null ? {} : { place }), at, how, ...owed };
}

function saidOf(
  { document, releaseId, member, number, state, proof }: ReturnType<typeof elsewhereShape.parse>,
  sealing: Pick<ClaimProofs, 'saidBy'>,
): Said | undefined {
  if (releaseId === null || member === null || number === null || state === null) return undefined;
  return sealing.saidBy({ document, releaseId, member, number, state, proof });
}
