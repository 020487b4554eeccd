/** What can be seen of the engine from outside, for `platen check`: nothing is changed, and no member enters the roll. */
import { z } from 'zod';
import type { EngineAddress } from '../../config/engine-address.ts';
import type { Clock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import type { Secret } from '../../core/secret.ts';
import type { ServerFacts } from './connection.ts';
import { connectAny } from './connection.ts';
import { levels } from './levels.ts';
import type { Line, Statement } from './line.ts';
import type { Fleet } from './schema.ts';
import { lookAtFleet } from './schema.ts';

const memberRow = z.object({
  id: z.string(),
  name: z.string(),
  site: z.string(),
  version: z.string(),
  isBeating: z.boolean(),
  /** Milliseconds since its last beat, by the engine's clock. */
  beatAge: z.number(),
});

export type MemberSight = z.output<typeof memberRow>;

export interface EngineSight {
  readonly server: ServerFacts;
  /** `undefined` before the first member. */
  readonly fleet: Fleet | undefined;
  readonly members: readonly MemberSight[];
}

const roll: Statement = {
  name: 'roll',
  text: `SELECT id, name, site, version, until > clock_timestamp() AS "isBeating",
      extract(epoch FROM clock_timestamp() - beat_at)::float8 * 1000 AS "beatAge"
    FROM platen.member ORDER BY name, id`,
};

const limit = seconds(3);

/** Rejects with a `Problem` of the fleet's, or the signal's reason. */
export function lookAtEngine(
  { address, key, clock }: { readonly address: EngineAddress; readonly key: Secret; readonly clock: Clock },
  { signal }: { readonly signal: AbortSignal },
): Promise<EngineSight> {
  return connectAny({ address, clock, signal }, async ({ line, facts }) => {
    using _ = line;
    const deadline = clock.deadline(limit, signal);
    const fleet = await lookAtFleet(line, { key, levels }, deadline);
    return { server: facts, fleet, members: fleet ? await membersOn(line, deadline) : [] };
  });
}

async function membersOn(line: Line, deadline: AbortSignal): Promise<readonly MemberSight[]> {
  const rows = await line.ask(roll, [], deadline);
  return rows.map((row) => memberRow.parse(row));
}
