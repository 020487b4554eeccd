/**
 * A whole agent tells of itself: conditions to a webhook and an Alertmanager, a release to a receiver of traces. Whoever
 * hears it learns of no person, no title, no card number and no document (I3).
 */
import { expect, it } from 'vitest';
import type { ScriptedServer } from '../support/cloud/scripted-server.ts';
import { answerJson, answerStatus, startServer } from '../support/cloud/scripted-server.ts';
import { setRunningStage } from '../support/agent/running-stage.ts';
import { canariesIn } from '../support/agent/canaries.ts';
import { editConfig } from '../support/agent/config-file.ts';
import { aliceCard } from '../support/agent/stage.ts';
import { eventually } from '../support/patience.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const attic = { id: 'attic', serialNumber: 'SN-0002', printer: { uri: 'ipp://127.0.0.1:9/ipp/print' } };
const soon = { afterSeconds: { warning: 0, error: 0 }, groupSeconds: 1 };

interface OtlpSpan {
  readonly name: string;
  readonly traceId: string;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue: string } }[];
}

const bodies = ({ asked }: ScriptedServer) => asked.map(({ body }) => body).join('\n');

it('of what is wrong and of each release, and of nobody; as the configuration says at the moment', async () => {
  await using hook = await startServer(answerStatus(204));
  await using alerts = await startServer(answerJson({}));
  await using receiver = await startServer(answerJson({}));
  const webhooks = [{ url: hook.url, secret }];
  await using stage = await setRunningStage({
    others: [attic],
    config: {
      notify: { webhooks, alertmanagers: [{ url: alerts.url }], ...soon },
      operations: { otlp: { url: receiver.url, headers: { authorization: 'Bearer hidden' } } },
    },
  });
  const { agent, clock, cloud, document } = stage;
  const reported = (server: ScriptedServer, text: string) =>
    clock.hurry(eventually(() => expect(bodies(server)).toContain(text)));
  await reported(hook, '"code":"printer-unreachable"');
  await reported(alerts, '"alertname":"PlatenPrinterUnreachable"');
  expect(JSON.parse(hook.asked[0]?.body ?? '')).toMatchObject({
    data: { came: expect.arrayContaining([expect.objectContaining({ scope: 'attic' })]) },
  });

  const { releaseId } = await stage.release();
  await reported(receiver, '"name":"release"');
  expect(receiver.asked[0]).toMatchObject({ url: '/v1/traces', headers: { authorization: 'Bearer hidden' } });
  const spans: readonly OtlpSpan[] = JSON.parse(receiver.asked[0]?.body ?? '').resourceSpans[0].scopeSpans[0]
    .spans;
  expect(spans.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['release', 'badge', 'login', 'download', 'first_byte', 'printed']),
  );
  expect(spans[0]).toMatchObject({
    traceId: releaseId,
    attributes: [
      { key: 'platen.terminal', value: { stringValue: 'lobby' } },
      { key: 'platen.outcome', value: { stringValue: 'completed' } },
      { key: 'platen.protocol', value: { stringValue: 'ipp' } },
    ],
  });
  expect(await (await fetch(`${agent.operations}/metrics`)).text()).toContain('platen_traces_sent_total 1');

  // Nobody is told any more; then a new receiver is, of what still stands.
  await editConfig(stage, (config) => void delete config['notify']);
  expect(await agent.reload()).toMatchObject({ state: 'reloaded', changed: ['notify'] });
  const before = hook.asked.length;
  await editConfig(stage, (config) => {
    config['notify'] = { webhooks: [{ url: `${hook.url}/new`, secret }], ...soon };
  });
  expect(await agent.reload()).toMatchObject({ state: 'reloaded', changed: ['notify'] });
  await clock.hurry(eventually(() => expect(hook.asked.length).toBeGreaterThan(before)));
  expect(hook.asked.slice(before).map(({ url }) => url)).toEqual(['/new']);

  const people = {
    title: 'Quarterly report',
    user: 'alice',
    name: 'Alice Archer',
    card: aliceCard,
    document: document.info.uuid,
    key: cloud.apiKey,
  };
  for (const server of [hook, alerts, receiver]) {
    expect(canariesIn(bodies(server), people)).toEqual([]);
    expect(canariesIn(JSON.stringify(server.asked.map(({ headers }) => headers)), people)).toEqual([]);
  }
});
