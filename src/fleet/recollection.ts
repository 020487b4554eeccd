/**
 * An engine that has forgotten (F9): restored from an older backup, or another server that took over without the last
 * entries. It is noticed by its head, which was higher once, and by its life, which is another one. Each member then
 * tells once more what its ledger knows; until all on the roll have, a document that was never claimed asks before it
 * is printed.
 */
import { z } from 'zod';
import type { Clock } from '../core/clock.ts';
import { parseInstant } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { ClaimBooks, ClaimedAttempt } from '../domain/ports/claims.ts';
import { outcomeOf } from '../domain/release.ts';
import type { EndState } from '../domain/release.ts';
import { head as headNow, life } from './claim-statements.ts';
import { documentKey } from './document-key.ts';
import type { Statement } from './engine/line.ts';
import type { Ask } from './patience.ts';

export interface Recollection {
  /** A number that the engine gave. */
  saw(number: number): void;
  highest(): number;
  /** Notices, and tells what is to be told. */
  tell(ask: Ask): Promise<void>;
}

/**
 * $1 the highest number that this member saw, $2 the member.
 */
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
      (SELECT told FROM platen.member WHERE id = $2::uuid) AS told
    FROM platen.fleet, now`,
};
const noticeShape = z.object({ forgot: z.int(), head: z.int(), told: z.int().nullable() });

/** The members on it have to tell what they know. */
export const forgotChannel = 'platen_forgot';

/** $1 the number that the next one has to be above: those that were given once are not given again. */
const raiseHead: Statement = {
  name: 'head raised',
  text: `
    SELECT setval(pg_get_serial_sequence('platen.claim', 'number'), greatest($1::bigint, last_value)),
      pg_notify('${forgotChannel}', '')
    FROM platen.claim_number_seq`,
};

/** What is newer in the engine, or under way there, stays. */
const tellAgain: Statement = {
  name: 'claims told again',
  text: `
    INSERT INTO platen.claim AS c (document, member, release_id, terminal, place, state, version, at)
    SELECT document, $1::uuid, release_id, terminal, terminal, state, version,
      clock_timestamp() - age * interval '1 millisecond'
    FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::float8[], $8::bigint[])
      AS told (document, release_id, terminal, state, version, age, number)
    ON CONFLICT (document) DO UPDATE SET number = DEFAULT, member = excluded.member, release_id = excluded.release_id,
      terminal = excluded.terminal, place = excluded.place, state = excluded.state, version = excluded.version,
      at = excluded.at, will = NULL, job = NULL, history = 'none'
    WHERE c.state NOT IN ('claimed', 'sending') AND c.release_id <> excluded.release_id AND c.number < ALL (
      SELECT number FROM unnest($3::text[], $8::bigint[]) AS mine (release_id, number)
      WHERE mine.release_id = excluded.release_id)`,
};

/** $1 member, $2 how often the engine had forgotten when it began to tell. */
const haveTold: Statement = {
  name: 'all told',
  text: 'UPDATE platen.member SET told = greatest(told, $2::bigint) WHERE id = $1::uuid',
};

export function createRecollection(options: {
  readonly member: string;
  readonly books: ClaimBooks;
  readonly clock: Clock;
  readonly log: Log;
}): Recollection {
  const { member, books, clock, log } = options;
  let seen = books.highest();

  return {
    saw(number) {
      seen = Math.max(seen, number);
    },
    highest: () => seen,
    async tell(ask) {
      const [row] = await ask(notice, [seen, member]);
      const { forgot, head, told } = noticeShape.parse(row);
      if (told === null || told >= forgot) return;
      const attempts = lastOfEach(books.all().filter(({ state }) => state !== 'NOOUTPUT'));
      log.warn('engine has forgotten', { code: 'fleet-forgot', head, seen, told: attempts.length });
      await ask(raiseHead, [seen]);
      await ask(tellAgain, [member, ...columnsOf(attempts, clock.now())]);
      await ask(haveTold, [member, forgot]);
    },
  };
}

const lastOfEach = (attempts: readonly ClaimedAttempt[]): readonly ClaimedAttempt[] => [
  ...new Map(attempts.map((one) => [documentKey(one.documentUuid), one])).values(),
];

const columnsOf = (attempts: readonly ClaimedAttempt[], now: number): readonly (readonly unknown[])[] => [
  attempts.map(({ documentUuid }) => documentKey(documentUuid)),
  attempts.map(({ releaseId }) => releaseId),
  attempts.map(({ terminal }) => terminal),
  attempts.map(({ state }) => claimStateOf(state)),
  attempts.map(({ version }) => version),
  attempts.map(({ startedAt }) => Math.max(0, now - (parseInstant(startedAt) ?? now))),
  attempts.map(({ number }) => number),
];

/** What has not ended may be in the printer by now. */
const claimStateOf = (state: ClaimedAttempt['state']): 'printed' | 'unknown' | 'sending' => {
  if (!(state in outcomeOf)) return 'sending';
  return outcomeOf[state as EndState] === 'completed' ? 'printed' : 'unknown';
};
