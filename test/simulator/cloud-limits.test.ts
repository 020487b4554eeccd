/** How much one client may take of the simulated cloud: nobody's request costs it its memory, its time or its terminal. */
import { expect, test } from 'vitest';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { api, arrive } from './hand-client.ts';

const typed = (type: string) => ({ 'content-type': type });
const urlencoded = typed('application/x-www-form-urlencoded');

test('a parameter that comes a hundred thousand times is refused as one that comes twice', async () => {
  await using cloud = await startCloud();
  const body = 'state=1&'.repeat(100_000);
  const answer = await fetch(`${cloud.authUrl}/oauth/v1/register`, {
    method: 'POST',
    headers: urlencoded,
    body,
  });
  expect(answer.status).toBe(400);
  expect(cloud.deviations).toEqual([expect.stringContaining('the parameter state comes twice')]);
}, 2000);

test('a body that no call needs is let go, whoever sends it and wherever to', async () => {
  await using cloud = await startCloud();
  const body = 'x'.repeat(1024 * 1024 + 1);
  for (const path of ['/oauth/v1/register', '/api/v1/login', '/api/v1/nowhere', '/simulator/faults']) {
    const answer = await fetch(`${cloud.baseUrl}${path}`, { method: 'POST', headers: urlencoded, body });
    expect([path, answer.status, await answer.json()]).toEqual([path, 413, { errorCode: 10000 }]);
  }
  expect(cloud.calls).toEqual([]);
});

test('a file may be longer, with an API key', async () => {
  await using cloud = await startCloud();
  const { user: token } = await arrive(cloud);
  const sent = { method: 'PUT', token, headers: typed('multipart/form-data; boundary=b') };
  const body = `--b\r\n${'x'.repeat(1024 * 1024 + 1)}`;
  expect((await api(cloud, '/documents', { ...sent, body })).status).toBe(400);
  const keyless = { ...sent, headers: { ...sent.headers, 'x-api-key': 'another' } };
  expect((await api(cloud, '/documents', { ...keyless, body })).status).toBe(413);
  expect(cloud.calls.at(-1)?.body.length).toBe(64 * 1024);
});
