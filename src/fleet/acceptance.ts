/**
 * A person confirms that the engine was lost: the fleet in the engine now, or begun by this command, follows the fleet
 * of this gateway. Only members of the former fleet know its claims, so those known to this gateway come on the new
 * roll and have to report (F9). Until they have reported or are retired, documents ask before they print.
 */
import { z } from 'zod';
import type { EngineAddress } from '../config/engine-address.ts';
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import { seconds } from '../core/duration.ts';
import type { KeptFleet } from './engine/allegiance.ts';
import { proofOf } from './engine/allegiance.ts';
import { connectAny } from './engine/connection.ts';
import { statementProblem } from './engine/faults.ts';
import type { FleetKeys } from './engine/fleet-keys.ts';
import { levels } from './engine/levels.ts';
import type { Statement } from './engine/line.ts';
import { foundFleet, lookAtFleet, ourLevel } from './engine/engine-schema.ts';
import { forgotChannel } from './recollection.ts';

/** $1 the former fleet, $2 its proof, $3 ids, $4 names and $5 sites of its members, $6 our level. */
const accept: Statement = {
  name: 'fleet accepted',
  text: `
    WITH following AS (
      INSERT INTO platen.former_fleet (id, at, proof) VALUES ($1::uuid, clock_timestamp(), $2::bytea)
      ON CONFLICT (id) DO UPDATE SET at = excluded.at, proof = excluded.proof),
    awaited AS (
      INSERT INTO platen.member (id, incarnation, name, site, version, level, beat_at, until)
      SELECT id, id, name, site, '', $6::integer, clock_timestamp(), clock_timestamp()
      FROM unnest($3::uuid[], $4::text[], $5::text[]) AS former (id, name, site)
      ON CONFLICT (id) DO NOTHING RETURNING name),
    asking AS (UPDATE platen.fleet SET forgot = forgot + 1)
    SELECT coalesce((SELECT json_agg(name ORDER BY name) FROM awaited), '[]') AS awaited,
      pg_notify('${forgotChannel}', '')`,
};
const shape = z.object({ awaited: z.array(z.string()) });

export interface Acceptance {
  readonly place: string;
  readonly fleet: string;
  readonly is: 'ours' | 'begun' | 'accepted';
  /** Members that are new on its roll, and have to report. */
  readonly awaited: readonly string[];
}

const limit = seconds(5);

/** Rejects with a `Problem` of the fleet's, or the signal's reason. */
export function acceptFleet(
  former: KeptFleet,
  {
    address,
    clock,
    chance,
    ...keys
  }: FleetKeys & { readonly address: EngineAddress; readonly clock: Clock; readonly chance: Chance },
  { signal }: { readonly signal: AbortSignal },
): Promise<Acceptance> {
  const soon = () => clock.deadline(limit, signal);
  return connectAny({ address, clock, signal }, async ({ line, facts: { place } }) => {
    using _ = line;
    try {
      const before = await lookAtFleet(line, { ...keys, levels }, soon());
      if (before?.id === former.fleetId) return { place, fleet: before.id, is: 'ours', awaited: [] };
      // The tables are brought to our level, also if an earlier version began the fleet.
      await foundFleet(line, { ...keys, levels, clock, signal }, chance.uuid());
      const fleet = (await lookAtFleet(line, { ...keys, levels }, soon()))?.id ?? '';
      const { members } = former;
      const [row] = await line.ask(
        accept,
        [
          former.fleetId,
          proofOf({ ...keys, former: former.fleetId, fleet }),
          members.map(({ id }) => id),
          members.map(({ name }) => name),
          members.map(({ site }) => site),
          ourLevel(levels),
        ],
        soon(),
      );
      return { place, fleet, is: before ? 'accepted' : 'begun', ...shape.parse(row) };
    } catch (error) {
      signal.throwIfAborted();
      throw statementProblem(error, accept.name);
    }
  });
}
