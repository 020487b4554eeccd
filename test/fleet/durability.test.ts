/** Which servers may be the engine (F1), by what they say of themselves. */
import { expect, it } from 'vitest';
import { isProblem } from '../../src/domain/problem/problem.ts';
import type { EngineSettings } from '../../src/fleet/engine/durability.ts';
import { requireDurable } from '../../src/fleet/engine/durability.ts';

const durable: EngineSettings = {
  versionNumber: 150_018,
  version: '15.18',
  isReplica: false,
  readOnly: 'off',
  fsync: 'on',
  fullPageWrites: 'on',
  synchronousCommit: 'on',
  synchronousStandbys: '',
  statementTimeout: '2500ms',
  now: 0,
};

it.each<[string, Partial<EngineSettings>]>([
  ['as it comes', {}],
  ['of a later version', { versionNumber: 180_001, version: '18.1' }],
  ['with a standby that has the change on its disk', { synchronousStandbys: 's1' }],
  ['with a standby that shows the change', { synchronousStandbys: 's1', synchronousCommit: 'remote_apply' }],
])('a server %s is taken (F1)', (_, settings) => {
  expect(() => requireDurable({ ...durable, ...settings }, 'db:5432')).not.toThrow();
});

it.each<[Partial<EngineSettings>, string]>([
  [{ versionNumber: 140_012, version: '14.12' }, 'db:5432 is PostgreSQL 14.12. It has to be 15 or later'],
  [{ fsync: 'off' }, 'db:5432 can lose data that it has confirmed. Set fsync = on'],
  [{ fullPageWrites: 'off' }, 'db:5432 may be damaged by a power failure. Set full_page_writes = on'],
  [
    { synchronousCommit: 'off' },
    'db:5432 has synchronous_commit = off, so a power failure can remove confirmed claims. Set synchronous_commit = on',
  ],
  [
    { synchronousCommit: 'local', synchronousStandbys: 's1' },
    'db:5432 has synchronous_commit = local, so a fail-over can remove confirmed claims. Set synchronous_commit = on',
  ],
  [
    { synchronousCommit: 'remote_write', synchronousStandbys: 's1' },
    'db:5432 has synchronous_commit = remote_write, so a fail-over can remove confirmed claims. Set synchronous_commit = on',
  ],
  [
    { isReplica: true, readOnly: 'on', fsync: 'off' },
    'db:5432 is a replica. Write the address of the primary into fleet.engine.url, and keep this address too if the two can change roles',
  ],
  [
    { statementTimeout: '0', isReplica: true },
    'db:5432 does not keep the settings of a session. Write the address of the server itself into fleet.engine.url, not of a pooler (PgBouncer)',
  ],
  [{ readOnly: 'on' }, 'db:5432 takes no changes. Set default_transaction_read_only = off'],
  [
    { fsync: 'off', fullPageWrites: 'off' },
    'db:5432 can lose data that it has confirmed. Set fsync = on. It may be damaged by a power failure. Set full_page_writes = on',
  ],
])('a server with %j is refused with a sentence (F1)', (settings, sentence) => {
  const refusal = caught(() => requireDurable({ ...durable, ...settings }, 'db:5432'));
  expect(isProblem(refusal, 'fleet-engine-refused') && refusal.message).toBe(sentence);
});

function caught(deed: () => void): unknown {
  try {
    deed();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
