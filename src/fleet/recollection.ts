/**
 * An engine that has forgotten (F9): restored from an older backup, or replaced by a server without the last entries.
 * Members notice it by its head, which was higher before, and by its life, which has changed. Each member then tells
 * its ledger's knowledge again.
 */
import { z } from 'zod';
import type { Env } from '../domain/env.ts';
import type { ClaimBooks } from '../domain/ports/claims.ts';
import { head as headNow, life } from './claim-statements.ts';
import type { Statement } from './engine/line.ts';
import { createLastingCondition } from './lasting-condition.ts';
import { unreportedInWords, unreportedMembers, unreportedShape } from './engine/untold.ts';
import type { Ask } from './patience.ts';
import type { Teller } from './claims-told.ts';
import { lastOfEach, tellClaims } from './claims-told.ts';
import { highestNumber } from './will-statements.ts';

export interface Recollection {
  /** A number of a claim, from a notice of the engine. Every user of the database can send such a notice. */
  saw(number: number): void;
  highest(): number;
  /** Notices a loss, and tells the engine this member's claims. */
  tell(ask: Ask): Promise<void>;
  /** Members have not reported yet. Until all have, a document that was never claimed asks before it is printed. */
  isAwaiting(): boolean;
}

/** $1 the highest number that this member saw, $2 the member. */
const notice: Statement = {
  name: 'engine recollected',
  text: `
    WITH now AS (SELECT ${life} AS life, ${headNow} AS head),
    noticed AS (
      UPDATE platen.fleet SET life = now.life,
        forgot = forgot + CASE WHEN fleet.life <> now.life OR now.head < $1::bigint THEN 1 ELSE 0 END
      FROM now WHERE fleet.life IS DISTINCT FROM now.life OR now.head < $1
      RETURNING forgot)
    SELECT coalesce((SELECT forgot FROM noticed), forgot) AS forgot, now.head,
      (SELECT told FROM platen.member WHERE id = $2::uuid) AS told, ${unreportedMembers} AS untold
    FROM platen.fleet, now`,
};
const noticeShape = z.object({
  forgot: z.int(),
  head: z.int(),
  told: z.int().nullable(),
  untold: unreportedShape,
});

/** Tells the members on it that they have to report. */
export const forgotChannel = 'platen_forgot';

/** $1 the number that the next one has to be above: numbers are not given twice. */
const raiseHead: Statement = {
  name: 'head raised',
  text: `
    WITH raised AS (
      INSERT INTO platen.raised_head AS h (number) VALUES ($1::bigint)
      ON CONFLICT (one) DO UPDATE SET number = greatest(h.number, excluded.number))
    SELECT setval(pg_get_serial_sequence('platen.claim', 'number'), greatest($1::bigint, last_value)),
      pg_notify('${forgotChannel}', '')
    FROM platen.claim_number_seq`,
};

/** $1 member, $2 how often the engine had forgotten when it began to tell. */
const reportedStatement: Statement = {
  name: 'all told',
  text: 'UPDATE platen.member SET told = greatest(told, $2::bigint) WHERE id = $1::uuid',
};

export interface RecollectionDeps
  extends Pick<Teller, 'member' | 'placeOf' | 'proofs'>,
    Pick<Env, 'clock' | 'log' | 'conditions'> {
  readonly books: ClaimBooks;
}

export function createRecollection(deps: RecollectionDeps): Recollection {
  const { member, books, clock, log, placeOf, proofs } = deps;
  let seen = books.highest();
  let isAwaiting = false;
  const awaited = createLastingCondition(
    { code: 'fleet-forgot', severity: 'warning', scope: 'agent', subject: 'fleet memory' },
    deps,
  );

  function note(untold: readonly string[]): void {
    isAwaiting = untold.length > 0;
    awaited.is(isAwaiting ? unreportedInWords(untold) : undefined);
  }

  return {
    saw(number) {
      if (number <= highestNumber) seen = Math.max(seen, number);
    },
    highest: () => seen,
    isAwaiting: () => isAwaiting,
    async tell(ask) {
      const [row] = await ask(notice, [seen, member]);
      const { forgot, head, told, untold } = noticeShape.parse(row);
      note(untold);
      if (told === null || told >= forgot) return;
      const attempts = lastOfEach(books.all());
      await books.durable();
      log.warn('engine has forgotten', { code: 'fleet-forgot', head, seen, told: attempts.length });
      await ask(raiseHead, [seen]);
      await tellClaims(ask, attempts, { member, now: clock.now(), placeOf, proofs });
      await ask(reportedStatement, [member, forgot]);
    },
  };
}
