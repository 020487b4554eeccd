/** Looks at the engine from outside, for `platen check`: nothing is changed, and no member enters the roll. */
import { z } from 'zod';
import type { EngineAddress } from '../../config/engine-address.ts';
import type { Clock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import type { ServerFacts } from './connection.ts';
import { connectAny } from './connection.ts';
import type { FleetKeys } from './fleet-keys.ts';
import { levels } from './levels.ts';
import type { Line, Statement } from './line.ts';
import type { Fleet } from './engine-schema.ts';
import { lookAtFleet, ourLevel, tryScript } from './engine-schema.ts';
import { elapsed, shown } from './shown.ts';
import { tryTables } from './durability.ts';
import { unreportedMembers, unreportedShape } from './untold.ts';

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
  /** By terminal of the site, the name of the member that serves it. */
  readonly holders: ReadonlyMap<string, string>;
  /** Names of the members that have not reported yet to an engine that has forgotten. */
  readonly unreported: readonly string[];
}

const roll: Statement = {
  name: 'roll',
  text: `SELECT id, ${shown('name')}, ${shown('site')}, ${shown('version')}, until > clock_timestamp() AS "isBeating",
      ${elapsed('beat_at')} AS "beatAge"
    FROM platen.member ORDER BY name, id`,
};

/** $1 site. A terminal has the same name on all members that are set up for it. */
const held: Statement = {
  name: 'terminals held',
  text: `SELECT left(t.key, 255) AS terminal, left(m.name, 255) AS holder FROM platen.hold h
      JOIN platen.member m ON m.id = h.member AND m.incarnation = h.incarnation AND m.until > clock_timestamp()
      JOIN platen.set_up s ON s.member = m.id CROSS JOIN LATERAL jsonb_each_text(CASE jsonb_typeof(s.terminals) WHEN 'object' THEN s.terminals ELSE '{}' END) AS t
    WHERE h.site = $1 AND t.value = h."group"`,
};
const heldShape = z.object({ terminal: z.string(), holder: z.string() });
const unreported: Statement = { name: 'untold', text: `SELECT ${unreportedMembers} AS untold` };

const limit = seconds(3);

/** Rejects with a `Problem` of the fleet's, or the signal's reason. */
export function lookAtEngine(
  {
    address,
    site,
    belongsTo,
    clock,
    ...keys
  }: FleetKeys & {
    readonly address: EngineAddress;
    readonly site: string;
    /** The fleet that this gateway has been in. */
    readonly belongsTo: string | undefined;
    readonly clock: Clock;
  },
  { signal }: { readonly signal: AbortSignal },
): Promise<EngineSight> {
  return connectAny({ address, clock, signal }, async ({ line, facts }) => {
    using _ = line;
    const deadline = clock.deadline(limit, signal);
    const fleet = await lookAtFleet(line, { ...keys, levels, belongsTo }, deadline);
    const members = fleet ? await membersOn(line, deadline) : [];
    await tryAll(line, fleet, deadline);
    const isOurs = fleet !== undefined && fleet.level >= ourLevel(levels);
    const [row] = isOurs ? await line.ask(unreported, [], deadline) : [];
    return {
      server: facts,
      fleet,
      members,
      unreported: row ? unreportedShape.parse(row['untold']) : [],
      holders: isOurs ? await holdersOn(line, site, deadline) : new Map(),
    };
  });
}

async function holdersOn(line: Line, site: string, deadline: AbortSignal): Promise<EngineSight['holders']> {
  const rows = await line.ask(held, [site], deadline);
  return new Map(rows.map((row) => heldShape.parse(row)).map(({ terminal, holder }) => [terminal, holder]));
}

/** Finds the refusals that the agent would meet with its first changes. */
async function tryAll(line: Line, fleet: Fleet | undefined, deadline: AbortSignal): Promise<void> {
  const from = fleet?.level ?? 0;
  if (from < ourLevel(levels)) await tryScript(line, { levels, from }, deadline);
  else await tryTables(line, deadline);
}

async function membersOn(line: Line, deadline: AbortSignal): Promise<readonly MemberSight[]> {
  const rows = await line.ask(roll, [], deadline);
  return rows.map((row) => memberRow.parse(row));
}
