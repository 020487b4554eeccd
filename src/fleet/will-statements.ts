/**
 * Statements about the work that members leave behind. Each deed is one statement, which may be sent again. Only the
 * engine decides which members are gone, by its own clock (F8).
 */
import { z } from 'zod';
import type { Duration } from '../core/duration.ts';
import { milliseconds, minutes, seconds } from '../core/duration.ts';
import type { Statement } from './engine/line.ts';
import { memberTtl } from './engine/membership.ts';

/** After the end of its beats (F11). A member that is off the roll is gone as well. */
const goneAfter: Duration = seconds(10);
/** F8: unless a person asks. */
const unaskedAfter: Duration = minutes(10);
/**
 * An engine that was away, or cut off, or is another server now, has heard no beats, and the members come back to it
 * within seconds. A member settles only after it has itself beaten for so long, without a gap and on one line: the
 * others had as much time.
 */
const settlesAfter: Duration = milliseconds(6 * memberTtl);

const since = (span: Duration): string => `clock_timestamp() - interval '${span} milliseconds'`;

const settles = `until > clock_timestamp() AND beating_since <= ${since(settlesAfter)}`;
/** As SQL: at least one member could tell which others are gone. */
export const isEngineSettled = `EXISTS (SELECT FROM platen.member WHERE ${settles})`;
const beatsStill = (member: string, span: Duration): string =>
  `EXISTS (SELECT FROM platen.member WHERE member.id = ${member} AND member.until >= ${since(span)})`;

/** As SQL, of a row of the roll. */
export const beatsNoMore = (row: string): string =>
  `(${isEngineSettled} AND ${row}.until < ${since(goneAfter)})`;

/**
 * As SQL. `member` and `asker` are expressions for their ids. A member that prints without the engine is not known to
 * be gone (F12).
 */
export const isGone = (member: string, asker: string): string =>
  `(EXISTS (SELECT FROM platen.member WHERE id = ${asker} AND ${settles}) AND NOT ${beatsStill(member, goneAfter)}
    AND NOT EXISTS (SELECT FROM platen.alone WHERE alone.member = ${member}))`;

export const isOpen = `state IN ('claimed', 'sending')`;
/** The same, of a state that was read. */
export const isOpenState = (state: string): boolean => state === 'claimed' || state === 'sending';
export const isOwed = `history IN ('owed', 'posting')`;

/**
 * No claim gets a higher number. A row that a person wrote in the engine may have a number that is too large to count
 * with here.
 */
export const highestNumber = 2 ** 52;
/** As SQL: no release has a longer id, but a row that a person wrote in the engine may. */
export const isOfUsualSize = `length(release_id) <= 100 AND number <= ${highestNumber}`;
/** As SQL, for the same reason: ours are shorter, and 500 rows fit in one answer (`engine/wire-watch.ts`). */
export const proofOf = (row: string): string => `substring(${row}.proof FOR 255)`;
const sealedColumns = `substring(will FOR 20480) AS will, substring(job FOR 8192) AS job, ${proofOf('c')} AS proof`;

/**
 * $1 member, $2 documents that a person asks for, $3 documents that are set aside. Gives the claims of gone members,
 * and those that this member has taken over and may not have in its ledger yet.
 */
export const claimsLeft: Statement = {
  name: 'claims left',
  text: `
    SELECT document, release_id AS "releaseId", version, member, left_by AS "from", number, state, ${sealedColumns}
    FROM platen.any_claim AS c
    WHERE (${isOpen} OR ${isOwed}) AND document <> ALL($3::uuid[]) AND ${isOfUsualSize} AND (member = $1::uuid AND left_by IS NOT NULL OR
      member <> $1 AND ${isGone('c.member', '$1')} AND
        (document = ANY($2::uuid[]) OR NOT ${beatsStill('c.member', unaskedAfter)}))
    ORDER BY number LIMIT 500`,
};
const claimState = z.enum(['claimed', 'sending', 'printed', 'unknown', 'free']);
export const leftShape = z.object({
  document: z.string(),
  releaseId: z.string(),
  version: z.int(),
  member: z.string(),
  from: z.string().nullable(),
  number: z.int(),
  state: claimState,
  proof: z.instanceof(Uint8Array).nullable(),
  will: z.instanceof(Uint8Array).nullable(),
  job: z.instanceof(Uint8Array).nullable(),
});
export type Left = z.output<typeof leftShape>;

const isAsSeen = `c.state = $6::text AND ${proofOf('c')} IS NOT DISTINCT FROM $7::bytea`;

/**
 * $1 release, $2 version, $3 member that left it, $4 member, $5 document, $6 state and $7 proof as they were seen, $8
 * the proof of the same for the successor, $9 whether nothing proves it. The raise comes first, so that the member
 * before sends no more (F6). A claim without a will or a proof cannot be settled and may have been printed. It stays
 * with its member, which records it when it comes back.
 */
export const raiseClaim: Statement = {
  name: 'claim raised',
  text: `
    WITH open AS (
      UPDATE platen.claim AS c SET (version, left_by, member, state, proof) = (SELECT
        CASE WHEN is_lost THEN c.version ELSE c.version + 1 END, CASE WHEN is_lost THEN c.left_by ELSE c.member END,
        CASE WHEN is_lost THEN c.member ELSE $4::uuid END, CASE WHEN is_lost THEN 'unknown' ELSE c.state END,
        CASE WHEN is_lost THEN NULL ELSE $8::bytea END
        FROM (SELECT (c.will IS NULL OR $9::boolean) AND c.${isOpen} AS is_lost) AS found)
      WHERE document = $5::uuid AND release_id = $1::text AND version = $2::integer AND member = $3::uuid AND (${isOpen} OR ${isOwed})
        AND ${isGone('c.member', '$4')} AND ${isAsSeen}
      RETURNING release_id),
    former AS (
      UPDATE platen.former_claim AS c SET version = version + 1, left_by = member, member = $4, proof = $8
      WHERE document = $5 AND release_id = $1 AND version = $2 AND member = $3 AND ${isOwed} AND ${isGone('c.member', '$4')}
        AND ${isAsSeen}
      RETURNING release_id)
    SELECT release_id FROM open UNION ALL SELECT release_id FROM former`,
};

/** $1 release, $2 member, $3 document. */
export const ownClaim: Statement = {
  name: 'claim taken over',
  text: `
    SELECT document, number, version, terminal, state, left_by AS "from", history, ${sealedColumns},
      (SELECT pages FROM platen.cut_record WHERE release_id = $1) AS pages,
      (SELECT ${proofOf('r')} FROM platen.cut_record r WHERE release_id = $1) AS "cutProof"
    FROM platen.any_claim AS c WHERE document = $3::uuid AND release_id = $1::text AND member = $2::uuid AND left_by IS NOT NULL
      AND will IS NOT NULL AND (${isOpen} OR ${isOwed})`,
};
export const ownShape = z.object({
  document: z.string(),
  number: z.int(),
  version: z.int(),
  terminal: z.string(),
  from: z.string(),
  state: claimState,
  will: z.instanceof(Uint8Array),
  job: z.instanceof(Uint8Array).nullable(),
  history: z.enum(['none', 'owed', 'posting', 'posted']),
  proof: z.instanceof(Uint8Array).nullable(),
  /** The most pages that its record may count. */
  pages: z.int().nullable(),
  cutProof: z.instanceof(Uint8Array).nullable(),
});
export type Own = z.output<typeof ownShape>;

/** As SQL, of a cut `r` that is there: the fewer pages stand, with their proof. */
export const leastPages = `pages = least(r.pages, excluded.pages),
      proof = CASE WHEN excluded.pages < r.pages THEN excluded.proof ELSE r.proof END`;

/**
 * $1 release, $2 member, $3 how many pages its record counts, if known: a successor has to look for a record with this
 * count. $4 proves it. Gives the rows as they were before. `isPosting`: this member posts the record from now on.
 */
export const postRecord: Statement = {
  name: 'record to be posted',
  text: `
    WITH claimed AS (
      UPDATE platen.claim SET history = 'posting'
      WHERE release_id = $1::text AND member = $2::uuid AND NOT ${isOpen} AND ${isOwed} RETURNING 1),
    former AS (
      UPDATE platen.former_claim SET history = 'posting'
      WHERE release_id = $1 AND member = $2 AND ${isOwed} RETURNING release_id),
    cut AS (
      INSERT INTO platen.cut_record AS r (release_id, pages, proof)
      SELECT release_id, $3::integer, $4::bytea FROM former WHERE $3 IS NOT NULL
      ON CONFLICT (release_id) DO UPDATE SET ${leastPages} RETURNING pages, ${proofOf('r')} AS proof)
    SELECT member = $2 AS "isOurs", (SELECT pages FROM cut) AS pages, (SELECT proof FROM cut) AS "cutProof",
      ${isOpen} AS "isOpen", ${isOwed} AS "isOwed",
      EXISTS (SELECT FROM claimed) OR EXISTS (SELECT FROM former) AS "isPosting"
    FROM platen.any_claim WHERE release_id = $1`,
};
export const postShape = z.object({
  isOurs: z.boolean(),
  isOpen: z.boolean(),
  isOwed: z.boolean(),
  isPosting: z.boolean(),
  pages: z.int().nullable(),
  cutProof: z.instanceof(Uint8Array).nullable(),
});

/** $1 releases, $2 member. Nothing is owed any more, so the will is erased. */
export const recordsPosted: Statement = {
  name: 'records posted',
  text: `
    WITH claimed AS (
      UPDATE platen.claim SET history = 'posted', will = NULL
      WHERE release_id = ANY($1::text[]) AND member = $2::uuid AND NOT ${isOpen} AND ${isOwed}),
    former AS (
      UPDATE platen.former_claim SET history = 'posted', will = NULL
      WHERE release_id = ANY($1) AND member = $2 AND ${isOwed} RETURNING release_id)
    DELETE FROM platen.cut_record WHERE release_id IN (SELECT release_id FROM former)`,
};

/** $1 member. */
export const recordsOwed: Statement = {
  name: 'records owed',
  text: `
    SELECT release_id AS "releaseId" FROM platen.any_claim
    WHERE member = $1::uuid AND NOT ${isOpen} AND ${isOwed} AND ${isOfUsualSize}`,
};
