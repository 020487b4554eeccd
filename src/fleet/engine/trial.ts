/**
 * Tests whether the engine still is as it was at the connect, and whether it takes changes of its tables. Each change
 * is tried and rolled back.
 */
import { Problem } from '../../domain/problem/problem.ts';
import { requireDurable, settingsOf, settingsStatement } from './durability.ts';
import type { Line } from './line.ts';
import type { KeyAndLevels } from './schema.ts';
import { lookAtFleet, tellKey } from './schema.ts';

/** A column of each table that printing needs; the other tables are for people who look after many gateways. */
const columns: Readonly<Record<string, string>> = {
  fleet: 'id',
  member: 'id',
  claim: 'document',
  former_claim: 'document',
  hold: 'epoch',
  repeated_claim: 'document',
  alone: 'member',
  former_fleet: 'id',
  raised_head: 'number',
  cut_record: 'pages',
  listed_claim: 'document',
};

const permitted = ([table, column]: readonly [table: string, column: string]): string => `
  PERFORM FROM platen.${table} LIMIT 0;
  INSERT INTO platen.${table} OVERRIDING SYSTEM VALUE SELECT * FROM platen.${table} WHERE false;
  UPDATE platen.${table} SET ${column} = ${column} WHERE false;
  DELETE FROM platen.${table} WHERE false;`;

/**
 * Waits while another member makes the tables. The trial claim has a number below all real ones, so those are not
 * touched.
 */
const script = `
DO $trial$ BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('platen schema', 0));${Object.entries(columns).map(permitted).join('')}
  INSERT INTO platen.claim (document, number, member, release_id, terminal, place, state)
    OVERRIDING SYSTEM VALUE
    VALUES (gen_random_uuid(), -1 - floor(random() * 1e15), gen_random_uuid(), 'trial', '', '', 'free');
  RAISE SQLSTATE 'PLTRY';
EXCEPTION WHEN SQLSTATE 'PLTRY' THEN NULL;
END $trial$`;

/** Rejects with the server's refusal. */
export const tryTables = (line: Line, deadline: AbortSignal): Promise<void> => line.run(script, deadline);

/** Throws the refusal that a connect would meet (F1, F4). With `isRefused` its tables are tried, too. */
export async function requireSame(
  line: Line,
  {
    isRefused,
    ...ours
  }: KeyAndLevels & { readonly belongsTo: string | undefined; readonly isRefused: boolean },
  deadline: AbortSignal,
): Promise<void> {
  const [settings] = await line.ask(settingsStatement, [], deadline);
  requireDurable(settingsOf(settings), line.place);
  const fleet = await lookAtFleet(line, ours, deadline);
  if (!fleet) throw new Problem('fleet-engine-refused', `${line.place} has no fleet in it any more`);
  // A member with only the former key may have removed the check of our key.
  if (ours.previousKey) await tellKey(line, ours, deadline);
  if (isRefused) await tryTables(line, deadline);
}
