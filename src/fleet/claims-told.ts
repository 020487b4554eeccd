/**
 * Tells the engine the releases in a member's ledger: after the engine has forgotten (F9), and after the member has
 * printed without it, alone in its fleet (F12).
 */
import { parseInstant } from '../core/clock.ts';
import type { ClaimedAttempt } from '../domain/ports/claims.ts';
import { outcomeOf } from '../domain/release.ts';
import type { EndState } from '../domain/release.ts';
import { documentKey } from './claim-statements.ts';
import type { Statement } from './engine/line.ts';
import type { Ask } from './patience.ts';
import type { ClaimProofs } from './fleet-sealing.ts';

export interface Teller {
  readonly member: string;
  /** Wall milliseconds. */
  readonly now: number;
  /** The place of a terminal, for people elsewhere. */
  readonly placeOf: (terminal: string) => string;
  readonly proofs: Pick<ClaimProofs, 'prove'>;
}

/**
 * A newer claim in the engine, or one under way there, stays, unless nothing came out of it: then the earlier print
 * counts. A number of 0 is of a release that the engine never gave a claim for. It is the last one of its document
 * here, so it is newer than the member's earlier claim.
 */
const tellAgain: Statement = {
  name: 'claims told again',
  text: `
    INSERT INTO platen.claim AS c (document, member, release_id, terminal, place, state, version, at, proof)
    SELECT document, $1::uuid, release_id, terminal, place, state, version,
      clock_timestamp() - age * interval '1 millisecond', proof
    FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::integer[], $8::float8[], $9::bigint[], $10::bytea[])
      AS told (document, release_id, terminal, place, state, version, age, number, proof)
    ON CONFLICT (document) DO UPDATE SET number = DEFAULT, member = excluded.member, release_id = excluded.release_id,
      terminal = excluded.terminal, place = excluded.place, state = excluded.state, version = excluded.version,
      at = excluded.at, will = NULL, job = NULL, history = 'none', left_by = NULL, deletion_owed = false, proof = excluded.proof
    WHERE c.state NOT IN ('claimed', 'sending') AND c.release_id <> excluded.release_id AND (
      SELECT c.state = 'free' OR c.number < number OR number = 0 AND c.member = excluded.member
      FROM unnest($3::text[], $9::bigint[]) AS mine (release_id, number)
      WHERE mine.release_id = excluded.release_id LIMIT 1)`,
};

/** $1 member, $2 releases that may be in the printer: claimed at the engine, and not announced; $3 their proofs. */
const announceAgain: Statement = {
  name: 'claims announced again',
  text: `
    UPDATE platen.claim AS c SET state = 'sending', proof = open.proof
    FROM unnest($2::text[], $3::bytea[]) AS open (release_id, proof)
    WHERE c.member = $1::uuid AND c.release_id = open.release_id AND c.state = 'claimed'`,
};

export async function tellClaims(
  ask: Ask,
  attempts: readonly ClaimedAttempt[],
  { member, now, placeOf, proofs }: Teller,
): Promise<void> {
  const proofOf = ({ documentUuid, releaseId, number, state }: ClaimedAttempt): Buffer => {
    const claim = { document: documentKey(documentUuid), releaseId, member };
    return proofs.prove(claim, { number, state: claimStateOf(state) });
  };
  const open = attempts.filter(({ state }) => isOpen(state));
  if (open.length > 0)
    await ask(announceAgain, [member, open.map(({ releaseId }) => releaseId), open.map(proofOf)]);
  if (attempts.length === 0) return;
  await ask(tellAgain, [
    member,
    attempts.map(({ documentUuid }) => documentKey(documentUuid)),
    attempts.map(({ releaseId }) => releaseId),
    attempts.map(({ terminal }) => terminal),
    attempts.map(({ terminal }) => placeOf(terminal)),
    attempts.map(({ state }) => claimStateOf(state)),
    attempts.map(({ version }) => version),
    attempts.map(({ startedAt }) => Math.max(0, now - (parseInstant(startedAt) ?? now))),
    attempts.map(({ number }) => number),
    attempts.map(proofOf),
  ]);
}

/** The last release of each document that may have printed. */
export const lastOfEach = (attempts: readonly ClaimedAttempt[]): readonly ClaimedAttempt[] => [
  ...new Map(
    attempts
      .filter(({ state }) => state !== 'NOOUTPUT')
      .map((one) => [documentKey(one.documentUuid), one] as const),
  ).values(),
];

export const isOpen = (state: ClaimedAttempt['state']): boolean => !(state in outcomeOf);

/** A release that has not ended may be in the printer by now. */
const claimStateOf = (state: ClaimedAttempt['state']): 'printed' | 'unknown' | 'sending' => {
  if (isOpen(state)) return 'sending';
  return outcomeOf[state as EndState] === 'completed' ? 'printed' : 'unknown';
};
