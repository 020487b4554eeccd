/**
 * The rows of the table `kept`: the port SettingsStore, with one row for each terminal, and the memory of charging. A
 * row that cannot be read, after damage or a change of version, counts as not kept: the service tells it again.
 */
import { z } from 'zod';
import type { Log } from '../core/log.ts';
import { recordOf } from '../core/record-of.ts';
import type { ChargingMemory } from '../domain/balance.ts';
import type { OutputPort } from '../domain/output-port.ts';
import { portFlags, portKinds, portOutputTypes, portTexts, printProtocols } from '../domain/output-port.ts';
import type { KeptSettings, SettingsStore } from '../domain/ports/settings.ts';
import { asProblem } from '../domain/problem/problem.ts';
import type { TerminalConfig } from '../domain/terminal/terminal-config.ts';
import { jsonText } from './columns.ts';
import type { Database } from './database.ts';

const flag = z.boolean().optional();

const outputPort: z.ZodType<OutputPort> = z.object({
  id: z.int(),
  name: z.string(),
  kind: z.enum(portKinds).optional(),
  parentId: z.int().optional(),
  printProtocol: z.enum(printProtocols).optional(),
  outputType: z.enum(Object.values(portOutputTypes)).optional(),
  logoutTimeoutSeconds: z.int().optional(),
  services: z.record(z.string(), z.array(z.int())).optional(),
  ...recordOf(portFlags, flag),
  ...recordOf(portTexts, z.string().optional()),
});

const terminalConfig: z.ZodType<TerminalConfig> = z.object({
  printEnabled: flag,
  oneTimePasswordEnrollment: flag,
  cardOnlyAuthentication: flag,
  shortIdAuthentication: flag,
  developerLogEnabled: flag,
});

const keptSettings: z.ZodType<KeptSettings> = z.object({
  since: z.number(),
  port: outputPort.optional(),
  config: terminalConfig.optional(),
});

const row = z.object({ value: jsonText.pipe(keptSettings) });
const keyOf = (terminal: string): string => `settings of ${terminal}`;

export function createSettingsStore({ database, log }: { database: Database; log: Log }): SettingsStore {
  const select = database.prepare('SELECT value FROM kept WHERE key = ?');
  const upsert = database.prepare(
    'INSERT INTO kept (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  return {
    load: (terminal) =>
      database.read(() => {
        const found = select.get(keyOf(terminal));
        const read = found && row.safeParse(found);
        if (read?.success === false) log.warn('kept settings unreadable', { terminal });
        return read?.data?.value;
      }),
    save: (settings) =>
      database.transaction(() => {
        for (const [terminal, kept] of settings) upsert.run(keyOf(terminal), JSON.stringify(kept));
      }),
  };
}

const key = 'prints are charged';

/**
 * Whether the service was ever seen to charge for prints. After a restart a print whose balance check fails is then
 * still refused (src/cloud/README.md 12, row 35). It changes hardly ever.
 */
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
