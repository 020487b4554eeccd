/**
 * A person takes a member that will not come back off the roll (F9), so the fleet does not wait for its report. Its
 * work is settled like that of any gone member, from now on without asking; a claim without a will may have printed. If
 * the member still runs, it enters the roll again with its next question, and sends nothing that others have raised
 * (F6).
 */
import { z } from 'zod';
import type { EngineAddress } from '../../config/engine-address.ts';
import type { Clock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { connectAny } from '../engine/connection.ts';
import { statementProblem } from '../engine/faults.ts';
import type { FleetKeys } from '../engine/fleet-keys.ts';
import { levels } from '../engine/levels.ts';
import { aloneSince } from '../engine/second-level.ts';
import type { Statement } from '../engine/line.ts';
import { retiredChannel } from '../engine/membership.ts';
import { lookAtFleet } from '../engine/engine-schema.ts';
import { beatsNoMore, isEngineSettled, isOpen, isOwed } from '../will-statements.ts';

const row = z.object({
  name: z.string(),
  site: z.string(),
  isRetired: z.boolean(),
  isSettled: z.boolean(),
  /** Releases that others settle, releases that may have printed, and records that others post. */
  inHand: z.int(),
  lost: z.int(),
  owed: z.int(),
  wasAlone: z.boolean(),
});
export type Retirement = z.output<typeof row>;

/** $1 a name, or an id. A member that beats in the meantime stays. */
const retire: Statement = {
  name: 'member retired',
  text: `
    WITH named AS MATERIALIZED (
      SELECT id, name, site FROM platen.member WHERE lower(name) = lower($1) OR id::text = lower($1)),
    retired AS (
      DELETE FROM platen.member m USING named WHERE m.id = named.id AND ${beatsNoMore('m')}
      RETURNING m.id, pg_notify('${retiredChannel}', m.id::text)),
    alone AS (DELETE FROM platen.alone WHERE member IN (SELECT id FROM retired) RETURNING member),
    digest AS (DELETE FROM platen.digest WHERE member IN (SELECT id FROM retired)),
    lost AS (
      UPDATE platen.claim SET state = 'unknown', at = clock_timestamp()
      WHERE member IN (SELECT id FROM retired) AND ${isOpen} AND will IS NULL RETURNING member)
    SELECT name, site, id IN (SELECT id FROM retired) AS "isRetired", ${isEngineSettled} AS "isSettled",
      (SELECT count(*) FROM platen.claim c WHERE c.member = named.id AND ${isOpen} AND will IS NOT NULL) AS "inHand",
      (SELECT count(*) FROM lost WHERE lost.member = named.id) AS lost,
      (SELECT count(*) FROM platen.any_claim c WHERE c.member = named.id AND NOT ${isOpen} AND ${isOwed}) AS owed,
      id IN (SELECT member FROM alone) AS "wasAlone"
    FROM named`,
};

const limit = seconds(5);

/** Retires all members with this name or id. Rejects with a `Problem` of the fleet's, or the signal's reason. */
export function retireMembers(
  name: string,
  { address, clock, ...keys }: FleetKeys & { readonly address: EngineAddress; readonly clock: Clock },
  { signal }: { readonly signal: AbortSignal },
): Promise<readonly Retirement[]> {
  return connectAny({ address, clock, signal }, async ({ line, facts }) => {
    using _ = line;
    const fleet = await lookAtFleet(line, { ...keys, levels }, clock.deadline(limit, signal));
    if (!fleet || fleet.level < aloneSince) {
      throw new Problem('fleet-engine-refused', `${facts.place} has met no gateway of this version yet`);
    }
    try {
      const rows = await line.ask(retire, [name], clock.deadline(limit, signal));
      return rows.map((found) => row.parse(found));
    } catch (error) {
      signal.throwIfAborted();
      throw statementProblem(error, retire.name);
    }
  });
}
