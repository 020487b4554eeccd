/**
 * Whether a server may be the engine (F1), at the connect and later: confirmed changes must survive a power cut, and
 * it must take changes. The settings are read from the server at every connect, as the ledger's are.
 */
import { z } from 'zod';
import { Problem } from '../../domain/problem/problem.ts';
import type { Line, Row, Statement } from './line.ts';
import { sessionTimeout } from './line.ts';
import type { KeyAndLevels } from './engine-schema.ts';
import { lookAtFleet, tellKey } from './engine-schema.ts';

export const settingsStatement: Statement = {
  name: 'settings',
  text: `SELECT current_setting('server_version_num')::int AS "versionNumber",
    current_setting('server_version') AS version,
    pg_is_in_recovery() AS "isReplica",
    current_setting('transaction_read_only') AS "readOnly",
    current_setting('fsync') AS fsync,
    current_setting('full_page_writes') AS "fullPageWrites",
    current_setting('synchronous_commit') AS "synchronousCommit",
    current_setting('synchronous_standby_names') AS "synchronousStandbys",
    current_setting('statement_timeout') AS "statementTimeout",
    extract(epoch FROM clock_timestamp())::float8 * 1000 AS now`,
};

const shape = z.object({
  versionNumber: z.number(),
  version: z.string(),
  isReplica: z.boolean(),
  readOnly: z.string(),
  fsync: z.string(),
  fullPageWrites: z.string(),
  synchronousCommit: z.string(),
  synchronousStandbys: z.string(),
  /** Our session has this value, unless a pooler in between gives us another session. */
  statementTimeout: z.string(),
  /** Wall milliseconds of the engine. */
  now: z.number(),
});

export type EngineSettings = z.output<typeof shape>;

export const settingsOf = (row: Row | undefined): EngineSettings => shape.parse(row);

const oldest = 15;

/** Throws `fleet-engine-refused`, with a sentence for each fault. */
export function requireDurable(settings: EngineSettings, place: string): void {
  const faults = faultsOf(settings);
  if (faults.length > 0) throw new Problem('fleet-engine-refused', `${place} ${faults.join('. It ')}`);
}

function faultsOf(settings: EngineSettings): readonly string[] {
  if (settings.statementTimeout !== sessionTimeout)
    return [
      'does not keep the settings of a session. Write the address of the server itself into fleet.engine.url, not of a pooler (PgBouncer)',
    ];
  const { versionNumber, version, isReplica, readOnly, fsync, fullPageWrites, synchronousCommit } = settings;
  // A replica does not show the settings of its primary.
  if (isReplica)
    return [
      'is a replica. Write the address of the primary into fleet.engine.url, and keep this address too if the two can change roles',
    ];
  return [
    ...(versionNumber < oldest * 10_000 ? [`is PostgreSQL ${version}. It has to be ${oldest} or later`] : []),
    ...(readOnly === 'on' ? ['takes no changes. Set default_transaction_read_only = off'] : []),
    ...(fsync === 'on' ? [] : ['can lose data that it has confirmed. Set fsync = on']),
    ...(fullPageWrites === 'on' ? [] : ['may be damaged by a power failure. Set full_page_writes = on']),
    ...commitFaults(synchronousCommit, settings.synchronousStandbys),
  ];
}

/** `on` and `remote_apply` wait until the change is on the disks of the primary and of its synchronous standbys. */
function commitFaults(synchronousCommit: string, standbys: string): readonly string[] {
  if (['on', 'remote_apply'].includes(synchronousCommit)) return [];
  const loss = standbys === '' ? 'a power failure' : 'a fail-over';
  return [
    `has synchronous_commit = ${synchronousCommit}, so ${loss} can remove confirmed claims. Set synchronous_commit = on`,
  ];
}

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

/**
 * Tests whether the engine takes changes of its tables. Each change is tried and rolled back. Rejects with the
 * server's refusal.
 */
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
