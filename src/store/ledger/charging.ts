/**
 * Whether the service was ever seen to charge for prints, kept in the table `kept`. After a restart a print whose
 * balance check fails is then still refused (src/cloud/README.md 12, row 35). It changes hardly ever.
 */
import type { Log } from '../../core/log.ts';
import type { ChargingMemory } from '../../domain/balance.ts';
import { asProblem } from '../../domain/problem/problem.ts';
import type { Database } from '../database.ts';

const key = 'prints are charged';

export function createChargingMemory({ database, log }: { database: Database; log: Log }): ChargingMemory {
  const select = database.prepare('SELECT value FROM kept WHERE key = ?');
  const upsert = database.prepare(
    'INSERT INTO kept (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  let seen = database.read(() => select.get(key)?.['value'] === 'true');
  return {
    wasSeen: () => seen,
    note(isCharging) {
      if (isCharging === seen) return;
      seen = isCharging;
      try {
        database.transaction(() => upsert.run(key, String(isCharging)));
      } catch (error) {
        // The check itself stands; a failed store ends the agent by itself (D12).
        log.warn('charging not recorded', { error: asProblem(error, 'store-failed', 'the write failed') });
      }
    },
  };
}
