/** Of a terminal that another gateway of the fleet serves, that one tells: a printer that is off is one message, not one of each. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { createNotifying } from '../../src/agent/notifying.ts';
import { checkConfig } from '../../src/config/load.ts';
import { systemChance } from '../../src/core/chance.ts';
import { systemClock } from '../../src/core/clock.ts';
import { createConditions } from '../../src/status/conditions.ts';
import { answerStatus, startServer } from '../support/cloud/scripted-server.ts';
import { recordLog } from '../support/recorded-log.ts';
import { secret } from './notify-stage.ts';

it('F11: what is wrong there is told here from the moment that it is served here', async () => {
  await using hook = await startServer(answerStatus(204));
  const stateDir = mkdtempSync(join(tmpdir(), 'platen-elsewhere-'));
  const notify = {
    webhooks: [{ url: hook.url, secret }],
    afterSeconds: { warning: 0, error: 0 },
    groupSeconds: 1,
  };
  const cloud = { baseUrl: 'https://cloud.example', authUrl: 'https://cloud.example', apiKey: 'key' };
  const config = checkConfig(stringify({ cloud, stateDir, notify }), { file: '/platen.yaml', env: {} });
  const { log } = recordLog();
  const conditions = createConditions({ clock: systemClock, log });
  const elsewhere = new Set(['annex']);
  const notifying = createNotifying({
    config: () => config,
    conditions,
    clock: systemClock,
    chance: systemChance,
    log,
    holds: {
      standing: (scope) =>
        elsewhere.has(scope) ? { is: 'elsewhere', by: 'gateway-b' } : { is: 'held', epoch: 1 },
    },
    health: { follow: () => ({ progress() {}, [Symbol.dispose]() {} }) },
  });
  const stop = new AbortController();
  const running = notifying.run(stop.signal).catch(() => {});
  for (const scope of ['annex', 'lobby']) {
    conditions.raise({
      code: 'printer-unreachable',
      severity: 'error',
      scope,
      subject: 'printer',
      detail: 'off',
    });
  }
  const came = () =>
    hook.asked.map(({ body }) =>
      (JSON.parse(body) as { data: { came: { scope: string }[] } }).data.came.map(({ scope }) => scope),
    );
  await expect.poll(came).toEqual([['lobby']]);
  elsewhere.clear();
  notifying.servingChanged();
  await expect.poll(came).toEqual([['lobby'], ['annex']]);
  stop.abort();
  await running;
  rmSync(stateDir, { recursive: true });
});
