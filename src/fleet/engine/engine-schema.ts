/**
 * Finds out the fleet of the engine, and whether this member may join (F4). The fleet's key is compared with the check
 * that the first member wrote, and a member below the minimum stays away. Nothing is changed in the engine of another
 * fleet.
 */
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { minutes, seconds } from '../../core/duration.ts';
import type { Env } from '../../domain/env.ts';
import { Problem } from '../../domain/problem/problem.ts';
import type { Allegiance } from './allegiance.ts';
import { isFollowing } from './allegiance.ts';
import type { FleetKeys } from './fleet-keys.ts';
import { checksAfter, firstChecks, isKeyOf } from './fleet-keys.ts';
import type { Level } from './levels.ts';
import type { Line, Row, Statement } from './line.ts';

export interface Fleet {
  readonly id: string;
  /** The level of the engine's schema; it may be above ours. */
  readonly level: number;
  readonly minimum: number;
}

interface SchemaDeps extends KeyAndLevels, Pick<Env, 'clock' | 'chance'> {
  readonly allegiance: Allegiance;
  readonly signal: AbortSignal;
}

export interface KeyAndLevels extends FleetKeys {
  readonly levels: readonly Level[];
}

const questionLimit = seconds(3);
/** It waits for another member's migration, and indexes millions of claims. */
const migrationLimit = minutes(2);
/** For this transaction only: the session's own limits are those of a deed. */
const takesLonger = `SELECT set_config('statement_timeout', '${migrationLimit}', true), set_config('lock_timeout', '${migrationLimit}', true);`;

const presence: Statement = {
  name: 'schema presence',
  text: `SELECT to_regclass('platen.fleet') IS NOT NULL AS "isThere"`,
};
const lookUp: Statement = {
  name: 'fleet',
  text: 'SELECT id, key_check AS "keyCheck", level, minimum FROM platen.fleet',
};
const found: Statement = {
  name: 'fleet founded',
  text: `INSERT INTO platen.fleet (id, key_check, level, minimum) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
};

const keyChanged: Statement = {
  name: 'key changed',
  text: 'UPDATE platen.fleet SET key_check = $1 WHERE id = $2 AND key_check = $3',
};

const shape = z.object({
  id: z.uuid(),
  keyCheck: z.instanceof(Uint8Array),
  level: z.int(),
  minimum: z.int(),
});

/**
 * `undefined` if no member has been there yet. `belongsTo` is the fleet of the caller. Throws `fleet-key-differs`,
 * `fleet-member-behind`, `fleet-differs`.
 */
export async function lookAtFleet(
  line: Line,
  { levels, belongsTo, ...keys }: KeyAndLevels & { readonly belongsTo?: string | undefined },
  deadline: AbortSignal,
): Promise<Fleet | undefined> {
  const [there] = await line.ask(presence, [], deadline);
  const [row] = there?.['isThere'] === true ? await line.ask(lookUp, [], deadline) : [];
  const fleet = row && memberOf(row, keys, ourLevel(levels));
  if (belongsTo === undefined || fleet?.id === belongsTo) return fleet;
  if (fleet && (await isFollowing(line, { ...keys, former: belongsTo, fleet: fleet.id }, deadline)))
    return fleet;
  const what = fleet ? `is of the fleet ${fleet.id}` : 'has no fleet in it: it is empty, or was begun anew';
  throw new Problem('fleet-differs', `${line.place} ${what}. This gateway belongs to the fleet ${belongsTo}`);
}

/** Throws the same. A member that has been in a fleet never founds another one: only the first start does. */
export async function joinFleet(line: Line, deps: SchemaDeps): Promise<Fleet> {
  const { levels, allegiance, chance, clock, signal } = deps;
  const soon = () => clock.deadline(questionLimit, signal);
  const ours = ourLevel(levels);
  const kept = allegiance.read();
  const belongsTo = kept?.fleetId;
  const before = await lookAtFleet(line, { ...deps, belongsTo }, soon());
  if (!before) await foundFleet(line, deps, chance.uuid());
  else if (before.level < ours) {
    await raise(line, deps, before.level);
  }
  // Another member may have been first, with another key.
  const fleet = await lookAtFleet(line, { ...deps, belongsTo }, soon());
  if (!fleet) throw new Problem('fleet-engine-refused', 'the row of the table platen.fleet is gone');
  await tellKey(line, deps, soon());
  // Kept before the member is on the roll, and so before its first claim.
  if (fleet.id !== belongsTo) allegiance.keep({ fleetId: fleet.id, members: kept?.members ?? [] });
  return fleet;
}

/** If another member founded a fleet in the meantime, that one stays. */
export async function foundFleet(
  line: Line,
  options: KeyAndLevels & { readonly clock: Clock; readonly signal: AbortSignal },
  id: string,
): Promise<void> {
  const { levels, clock, signal } = options;
  await raise(line, options, 0);
  const row = [id, firstChecks(options, id), ourLevel(levels), minimumOf(levels)];
  await line.ask(found, row, clock.deadline(questionLimit, signal));
}

async function raise(
  line: Line,
  { levels, clock, signal }: Pick<SchemaDeps, 'levels' | 'clock' | 'signal'>,
  from: number,
): Promise<void> {
  const above = levels.filter(({ level }) => level > from);
  const scripts = above.map(({ script, indexes = '' }) => script + indexes);
  await line.run(takesLonger + scriptOf(levels, scripts), clock.deadline(migrationLimit, signal));
}

/**
 * Raises the level as a member would, and rolls back. The indexes are left out, because they would hold up all members
 * for a long time. The line is useless afterwards.
 */
export async function tryScript(
  line: Line,
  { levels, from }: { readonly levels: readonly Level[]; readonly from: number },
  deadline: AbortSignal,
): Promise<void> {
  const above = levels.filter(({ level }) => level > from).map(({ script }) => script);
  await line.run(`BEGIN;\n${scriptOf(levels, above)}\nROLLBACK;`, deadline);
}

/** Changes the row only if it is as it was read: another member may be changing it. */
export async function tellKey(line: Line, keys: FleetKeys, deadline: AbortSignal): Promise<void> {
  const [row] = await line.ask(lookUp, [], deadline);
  const { id, keyCheck: written } = shape.parse(row);
  const after = checksAfter(keys, id, written);
  if (after) await line.ask(keyChanged, [after, id, written], deadline);
}

function memberOf(row: Row, keys: FleetKeys, ours: number): Fleet {
  const { id, keyCheck: written, level, minimum } = shape.parse(row);
  if (!isKeyOf(keys, id, written)) {
    throw new Problem(
      'fleet-key-differs',
      `fleet.key is not the key of the fleet ${id}, which uses this engine`,
    );
  }
  if (minimum > ours) {
    throw new Problem(
      'fleet-member-behind',
      `the fleet ${id} needs schema level ${minimum}, and this version of Platen speaks ${ours}`,
    );
  }
  return { id, level, minimum };
}

/** Notified when the minimum rises: each member checks again whether it may stay. */
export const schemaChannel = 'platen_schema';

export const ourLevel = (levels: readonly Level[]): number => Math.max(...levels.map(({ level }) => level));
const minimumOf = (levels: readonly Level[]): number => Math.max(...levels.map(({ minimum }) => minimum));

/**
 * One message, so one transaction; the advisory lock ends with it. A database's owner may have made the schema for us.
 */
function scriptOf(levels: readonly Level[], above: readonly string[]): string {
  const to = ourLevel(levels);
  return `SELECT pg_advisory_xact_lock(hashtextextended('platen schema', 0));
DO $$ BEGIN IF to_regnamespace('platen') IS NULL THEN CREATE SCHEMA platen; END IF; END $$;
${above.join('\n')}
SELECT pg_notify('${schemaChannel}', '') FROM platen.fleet WHERE minimum < ${minimumOf(levels)};
UPDATE platen.fleet SET level = ${to}, minimum = greatest(minimum, ${minimumOf(levels)}) WHERE level < ${to};`;
}
