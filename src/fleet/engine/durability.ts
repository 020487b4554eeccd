/**
 * Whether a server may be the engine (F1): confirmed changes must survive a power cut, and it must take changes. The
 * settings are read from the server at every connect, as the ledger's are.
 */
import { z } from 'zod';
import { Problem } from '../../domain/problem/problem.ts';
import type { Row, Statement } from './line.ts';
import { sessionTimeout } from './line.ts';

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
