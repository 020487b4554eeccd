/** Conditions before Prometheus' own Alertmanager: it takes them, groups them, and knows when they are over. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createPosting } from '../../src/cloud/http/posting.ts';
import { isoInstant, systemClock } from '../../src/core/clock.ts';
import { createAlertmanager } from '../../src/notify/alertmanager.ts';
import type { Notice } from '../../src/notify/message.ts';
import { needsPeer } from '../support/needs.ts';
import { freePort } from '../support/ports.ts';
import { startProcess, whenReady } from '../support/process-group.ts';
import { patience } from '../support/patience.ts';

const alertShape = z.array(
  z.object({
    labels: z.record(z.string(), z.string()),
    annotations: z.record(z.string(), z.string()),
    startsAt: z.string(),
    endsAt: z.string(),
    generatorURL: z.string().optional(),
    status: z.object({ state: z.string() }),
  }),
);

async function startAlertmanager() {
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'platen-alertmanager-'));
  opened.defer(() => rmSync(folder, { recursive: true }));
  const config = join(folder, 'alertmanager.yml');
  writeFileSync(config, 'route: { receiver: nobody, group_by: [gateway] }\nreceivers: [{ name: nobody }]\n');
  const url = `http://127.0.0.1:${await freePort()}`;
  const { host } = new URL(url);
  const flags = [`--config.file=${config}`, `--storage.path=${folder}/data`, '--cluster.listen-address='];
  const server = opened.use(
    await startProcess('prometheus-alertmanager', [...flags, `--web.listen-address=${host}`], {}),
  );
  await whenReady(
    'prometheus-alertmanager',
    async () => {
      const { status } = await fetch(`${url}/-/ready`);
      if (status !== 200) throw new Error(`it answers ${status}`);
    },
    server,
  );
  const held = opened.move();
  return {
    url,
    alerts: async (filter = '') =>
      alertShape.parse(await (await fetch(`${url}/api/v2/alerts${filter}`)).json()),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

const noticeAt = (scope: string, since: string): Notice => ({
  code: 'printer-unreachable',
  severity: 'error',
  scope,
  subject: 'printer',
  since,
});

needsPeer('prometheus-alertmanager', 'prometheus-alertmanager')('Alertmanager', () => {
  it('takes alerts, knows them again, and takes their end; a test too', async () => {
    await using server = await startAlertmanager();
    await using posting = createPosting({ section: 'notify', version: '1.2.3', clock: systemClock });
    const from = {
      gateway: 'gateway-1',
      site: 'north',
      version: '1.2.3',
      url: 'https://gateway-1.example:7381/',
    };
    const way = createAlertmanager({
      id: 'a',
      name: 'alertmanager',
      url: new URL(server.url),
      token: undefined,
      from,
      posting,
      clock: systemClock,
    });
    const call = () => ({ signal: systemClock.deadline(patience()) });
    const since = isoInstant(systemClock.now() - 60_000);
    const [lobby, attic] = [noticeAt('lobby', since), noticeAt('attic', since)];

    await way.send({ standing: [lobby, attic], gone: [] }, call());
    await way.send({ standing: [lobby, attic], gone: [] }, call());
    const firing = await server.alerts();
    expect(new Set(firing.map(({ labels }) => labels['terminal']))).toEqual(new Set(['attic', 'lobby']));
    expect(firing[0]).toMatchObject({
      labels: {
        alertname: 'PlatenPrinterUnreachable',
        severity: 'critical',
        gateway: 'gateway-1',
        site: 'north',
      },
      startsAt: since,
      generatorURL: 'https://gateway-1.example:7381/',
      status: { state: 'active' },
    });
    expect(Date.parse(firing[0]?.endsAt ?? '')).toBeGreaterThan(systemClock.now() + 180_000);

    const until = isoInstant(systemClock.now() - 1000);
    await way.send({ standing: [attic], gone: [{ ...lobby, until }] }, call());
    expect((await server.alerts()).map(({ labels }) => labels['terminal'])).toEqual(['attic']);

    await way.test(call());
    expect((await server.alerts('?filter=alertname=PlatenTest')).map(({ labels }) => labels)).toEqual([
      { alertname: 'PlatenTest', severity: 'warning', gateway: 'gateway-1', site: 'north' },
    ]);
  });
});
