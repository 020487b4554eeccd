/** `platen notify test`: who takes the test message, a line each. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { freePort } from '../support/ports.ts';
import { answerJson, answerStatus, startServer } from '../support/cloud/scripted-server.ts';
import { commandHere } from '../support/command-here.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

async function platenNotify(settings: object, ...more: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'platen-notify-'));
  const file = join(folder, 'platen.yaml');
  const cloud = { baseUrl: 'https://cloud.example', authUrl: 'https://cloud.example', apiKey: 'key' };
  await writeFile(
    file,
    stringify({ cloud, device: { clientId: 'gateway-1' }, stateDir: 'state', ...settings }),
  );
  try {
    const said = await commandHere(['notify', 'test', '-c', file, ...more]);
    return { ...said, error: said.error.replaceAll(folder, 'FOLDER') };
  } finally {
    await rm(folder, { recursive: true });
  }
}

it('sends one message each way, and says who took it', async () => {
  await using hook = await startServer(answerStatus(204));
  await using alerts = await startServer(answerJson({}));
  const notify = { webhooks: [{ url: `${hook.url}/hidden`, secret }], alertmanagers: [{ url: alerts.url }] };
  const [host, second] = [new URL(hook.url).host, new URL(alerts.url).host];
  expect(await platenNotify({ notify })).toEqual({
    code: 0,
    error: '',
    out: `ok    webhook ${host}: accepted the test message\nok    alertmanager ${second}: accepted the test message`,
  });
  expect(JSON.parse(hook.asked[0]?.body ?? '')).toMatchObject({
    type: 'platen.test',
    data: { gateway: 'gateway-1', came: [] },
  });
  expect(alerts.asked).toMatchObject([{ method: 'POST', url: '/api/v2/alerts' }]);
});

it('ends with 1 where one did not take it, and says why; as JSON too', async () => {
  await using hook = await startServer(answerStatus(204));
  await using gone = await startServer(answerStatus(410));
  const port = await freePort();
  const notify = {
    webhooks: [hook, gone].map(({ url }) => ({ url, secret })),
    mail: { server: `smtp://127.0.0.1:${port}`, from: 'platen@example.com', to: ['one@example.com'] },
  };
  const { code, out } = await platenNotify({ notify }, '--json');
  expect([code, JSON.parse(out)]).toEqual([
    1,
    [
      { way: `webhook ${new URL(hook.url).host}`, taken: true },
      {
        way: `webhook ${new URL(gone.url).host}`,
        taken: false,
        detail: `POST ${new URL(gone.url).host}: status 410 (Gone)`,
      },
      { way: 'mail 127.0.0.1', taken: false, detail: expect.stringContaining('ECONNREFUSED') },
    ],
  ]);
});

it('says so where nobody is to be told, and ends with 78 where the file is wrong', async () => {
  expect(await platenNotify({})).toEqual({
    code: 1,
    out: '',
    error: 'platen: FOLDER/platen.yaml has no notify, so Platen sends no messages about conditions',
  });
  const { code, error } = await platenNotify({
    notify: { webhooks: [{ url: 'http://hooks.example/', secret: 'too short' }] },
  });
  expect(code).toBe(78);
  expect(error).toContain('notify.webhooks[0].url: must be an https:// address');
  expect(error).toContain('notify.webhooks[0].secret: must be whsec_ and the base64 of 24 to 64 bytes');
});
