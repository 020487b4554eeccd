/** How much one client may take of the simulated cloud: nobody's request costs it its memory, its time or its terminal. */
import { expect, test } from 'vitest';
import { milliseconds } from '../../src/core/duration.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { mostKept } from '../../src/simulator/cloud/kept-lists.ts';
import { createDeviations } from '../../src/simulator/news.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { api, arrive, form, login, oauth, registration, unsigned } from '../support/cloud/hand-client.ts';

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
});

test('a body that no call needs is let go, whoever sends it and wherever to', async () => {
  await using cloud = await startCloud();
  const body = 'x'.repeat(1024 * 1024 + 1);
  const send = (path: string) =>
    fetch(`${cloud.baseUrl}${path}`, { method: 'POST', headers: urlencoded, body });
  for (const path of ['/oauth/v1/register', '/api/v1/login', '/api/v1/nowhere']) {
    const answer = await send(path);
    expect([path, answer.status, await answer.json()]).toEqual([path, 413, { errorCode: 10000 }]);
  }
  expect([cloud.calls, cloud.deviations.length]).toEqual([[], 3]);
  const order = await send('/simulator/faults');
  expect([order.status, await order.json()]).toEqual([
    413,
    { error: 'a body has at most 1 MiB; a larger file comes as multipart/form-data with an X-API-Key' },
  ]);
  expect(cloud.deviations).toHaveLength(3);
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

test('what comes together is let go from its oldest end, and the newest token opens what it did', async () => {
  await using cloud = await startCloud();
  const { user, device } = await arrive(cloud);
  const { state } = cloud;
  const [old] = state.accessTokens;
  if (!old) throw new Error('no token');
  state.accessTokens.push(...Array.from({ length: mostKept }, () => ({ ...old, value: 'x' })));
  const token = await login(cloud, device);
  expect(state.accessTokens.length).toBeLessThan(mostKept);
  const statusWith = async (bearer: string) => (await api(cloud, '/version', { token: bearer })).status;
  expect([await statusWith(user), await statusWith(token)]).toEqual([401, 200]);
});

test('deviations are kept up to ten thousand, short ones', async () => {
  const deviations = createDeviations(() => undefined);
  const what = 'x'.repeat(10_000);
  for (let times = 0; times < 11_000; times += 1) deviations.note({ call: 'GET /', what, section: 'spec' });
  expect(deviations.list).toHaveLength(10_000);
  expect(deviations.list[0]?.length).toBeLessThan(1000);
});

test('what a client calls itself moves no cursor of whoever reads along', async () => {
  await using cloud = await startCloud();
  const heard: string[] = [];
  cloud.onEvent((sentence) => void heard.push(sentence));
  await oauth(
    cloud,
    '/register',
    form({ ...registration(cloud), client_id: 'a\u001b[31m\nregister: b' }),
    unsigned,
  );
  expect(heard[0]).toContain('client a\\u001b[31m\\u000aregister: b (');
});

test('a cloud that bears some calls a second answers the others with 429, and carries none of them out', async () => {
  const clock = createSteeredClock();
  await using cloud = await startCloud({ clock, callsPerSecond: 4, callsAtOnce: 3 });
  const ask = () => api(cloud, '/version');
  const statuses = async (count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, ask));
    return answers.map(({ status }) => status).toSorted((a, b) => a - b);
  };
  expect(await statuses(5)).toEqual([200, 200, 200, 429, 429]);
  const refusal = await ask();
  expect([refusal.headers.get('retry-after'), await refusal.json()]).toEqual(['1', { errorCode: 10000 }]);
  expect(cloud.calls.at(-1)).toMatchObject({
    status: 429,
    why: 'more calls than callsPerSecond and callsAtOnce allow',
  });
  await clock.advance(milliseconds(500));
  expect(await statuses(3)).toEqual([200, 200, 429]);
  cloud.changeSettings({ callsPerSecond: 0.1, callsAtOnce: 1 });
  expect(await statuses(1)).toEqual([200]);
  expect((await ask()).headers.get('retry-after')).toBe('10');
  cloud.reset();
  expect(await statuses(3)).toEqual([200, 200, 200]);
  cloud.changeSettings({ callsPerSecond: 0 });
  expect(await statuses(120)).toEqual(Array.from({ length: 120 }, () => 200));
  expect(cloud.deviations).toEqual([]);
});
