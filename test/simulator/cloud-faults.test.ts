/** The faults a test can order from the simulated cloud, each as a client sees it on the wire. */
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { milliseconds } from '../../src/core/duration.ts';
import type { Fault } from '../../src/simulator/cloud/faults.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { standardFaults } from '../../src/simulator/cloud/standard-faults.ts';
import { api, enrol, form, login } from '../support/cloud/hand-client.ts';

/** What fetch makes of `GET /version`: status and length, or the failure it meets. */
async function outcome(fault: Fault): Promise<string> {
  await using cloud = await startCloud();
  cloud.answerNext({ method: 'GET', path: '/version' }, fault);
  try {
    const answer = await api(cloud, '/version');
    const body = await answer.text();
    return `${answer.status} ${body.length}`;
  } catch {
    return 'broken';
  }
}

/** The bytes of the version answer. */
const whole = 85;

test.each<{ fault: Fault; seen: string }>([
  { fault: { kind: 'status', status: 503, headers: { 'retry-after': '2' } }, seen: '503 0' },
  { fault: { kind: 'redirect', to: 'http://127.0.0.9/' }, seen: '302 0' },
  { fault: { kind: 'reset' }, seen: 'broken' },
  { fault: { kind: 'answer-lost' }, seen: 'broken' },
  { fault: { kind: 'empty' }, seen: '200 0' },
  { fault: { kind: 'malformed-json' }, seen: `200 ${Math.ceil(whole / 2)}` },
  { fault: { kind: 'cut-body', afterBytes: 20 }, seen: 'broken' },
  { fault: { kind: 'cut-chunk', afterBytes: 20 }, seen: 'broken' },
  { fault: { kind: 'cut-without-length', afterBytes: 20 }, seen: '200 20' },
  { fault: { kind: 'huge-body' }, seen: `200 ${10_000_000 + whole}` },
  { fault: { kind: 'xml' }, seen: '200 83' },
  { fault: { kind: 'wrong-schema' }, seen: '200 20' },
  // fetch unpacks it.
  { fault: { kind: 'gzip' }, seen: `200 ${whole}` },
  { fault: { kind: 'trailing-bytes' }, seen: `200 ${whole + 11}` },
  { fault: { kind: 'slow-headers', wait: milliseconds(5) }, seen: `200 ${whole}` },
  { fault: { kind: 'slow-body', everyByte: milliseconds(0) }, seen: `200 ${whole}` },
])('$fault.kind', async ({ fault, seen }) => {
  expect(await outcome(fault)).toBe(seen);
});

test('a call that is never answered stays open until the client goes', async () => {
  await using cloud = await startCloud();
  cloud.answerNext({ path: '/version' }, { kind: 'never' });
  const patience = new AbortController();
  const call = fetch(`${cloud.baseUrl}/api/v1/version`, { signal: patience.signal });
  await cloud.waitFor(() => cloud.calls.length === 1);
  patience.abort();
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  expect(cloud.calls[0]).toMatchObject({ fault: 'never' });
});

test('an answer lost after commit has done what the call asked for', async () => {
  await using cloud = await startCloud();
  const { device } = await enrol(cloud);
  const body = form({ jobtype: 'PRINT', username: 'alice', providerid: '3' });
  cloud.answerNext({ method: 'POST', path: '/documents/history' }, { kind: 'answer-lost' });
  const call = api(cloud, '/documents/history', { method: 'POST', token: device, body });
  await expect(call).rejects.toThrow('fetch failed');
  expect(cloud.state.history).toHaveLength(1);
});

test('a refused call has not done it', async () => {
  await using cloud = await startCloud();
  const { device } = await enrol(cloud);
  const body = form({ jobtype: 'PRINT', username: 'alice', providerid: '3' });
  cloud.answerNext({ path: '/documents/history' }, { kind: 'status', status: 429 });
  const call = await api(cloud, '/documents/history', { method: 'POST', token: device, body });
  expect(call.status).toBe(429);
  expect(cloud.state.history).toEqual([]);
});

test('a document cut on its way does not count as fetched', async () => {
  await using cloud = await startCloud();
  const token = await login(cloud, (await enrol(cloud)).device);
  const { info } = cloud.addDocument({ owner: 'alice', name: 'Cut.pdf' });
  cloud.answerNext({ path: /\.content$/ }, { kind: 'cut-body', afterBytes: 100 });
  const answer = await api(cloud, `/documents/${info.uuid}.content?retain=true`, { token });
  await expect(answer.arrayBuffer()).rejects.toThrow('terminated');
  expect(cloud.state.documents.every((one) => one.fetched === 0)).toBe(true);
});

test('faults queue up, last until taken back, and meet only the calls they match', async () => {
  await using cloud = await startCloud();
  const status = async (path = '/version') => (await api(cloud, path)).status;
  cloud.answerNext({ path: '/version' }, { kind: 'status', status: 500 });
  cloud.answerNext({ path: '/version' }, { kind: 'status', status: 502 });
  const end = cloud.always({ method: 'GET', path: /version/ }, { kind: 'status', status: 504 });
  expect([await status(), await status(), await status(), await status()]).toEqual([500, 502, 504, 504]);
  end();
  expect(await status()).toBe(200);
  cloud.always({ path: '/version' }, { kind: 'status', status: 500 });
  cloud.behaveWell();
  expect(await status()).toBe(200);
});

test('a fault can be ordered for so many calls, and those that are left can be looked at', async () => {
  await using cloud = await startCloud();
  const match = { path: '/version' };
  const fault = standardFaults['status 503'];
  cloud.answerNext(match, fault, { times: 2 });
  const status = async () => (await api(cloud, '/version')).status;
  expect(await status()).toBe(503);
  expect(cloud.plannedFaults()).toEqual([{ match, fault, left: 1 }]);
  expect([await status(), await status()]).toEqual([503, 200]);
  expect(cloud.plannedFaults()).toEqual([]);
});

test('Retry-After comes as seconds or as a date that lies ahead', async () => {
  await using cloud = await startCloud();
  const retryAfter = async (name: 'status 429 with Retry-After' | 'status 429 with a date') => {
    cloud.answerNext({ path: '/version' }, standardFaults[name]);
    const { headers } = await api(cloud, '/version');
    return [headers.get('retry-after') ?? '', headers.get('date') ?? ''] as const;
  };
  expect((await retryAfter('status 429 with Retry-After'))[0]).toBe('1');
  const [date, now] = await retryAfter('status 429 with a date');
  expect(date).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
  expect(Date.parse(date)).toBeGreaterThan(Date.parse(now));
});

test('an answer can be compressed though nobody asked', async () => {
  await using cloud = await startCloud();
  cloud.answerNext({ path: '/version' }, standardFaults['unasked gzip']);
  const answer = await api(cloud, '/version', { headers: { 'accept-encoding': 'identity' } });
  expect(answer.headers.get('content-encoding')).toBe('gzip');
});

test('a cloud that went away is refused connections, and has kept everything when it comes back', async () => {
  await using cloud = await startCloud({ oauthPort: 0 });
  const { device } = await enrol(cloud);
  await cloud.goAway();
  await expect(api(cloud, '/version')).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  await expect(enrol(cloud)).rejects.toThrow('fetch failed');
  await cloud.comeBack();
  expect((await api(cloud, '/outputports', { token: device })).status).toBe(200);
});

test('connections that wait for the next call can be dropped', async () => {
  await using cloud = await startCloud();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const socketOf = () =>
    new Promise<Socket>((resolve, reject) => {
      const asked = get(`${cloud.baseUrl}/api/v1/version`, { agent }, (answer) => {
        const { socket } = answer;
        answer.resume().once('end', () => resolve(socket));
      });
      asked.once('error', reject);
    });
  const first = await socketOf();
  expect(await socketOf()).toBe(first);
  const closed = once(first, 'close');
  cloud.dropConnections();
  await closed;
  expect(await socketOf()).not.toBe(first);
  agent.destroy();
});

test('a call is recorded with what came and what went, unless a fault spoilt it', async () => {
  await using cloud = await startCloud();
  await api(cloud, '/version', { headers: { 'content-type': 'text/plain' } });
  cloud.answerNext({ path: '/version' }, standardFaults['unasked XML']);
  await api(cloud, '/version');
  const [sound, spoilt] = cloud.calls;
  expect(sound).toMatchObject({ contentType: 'text/plain', answerType: 'application/json', status: 200 });
  expect(sound?.answerBody).toContain('"version":"1.0.0-simulated"');
  expect(spoilt).toMatchObject({ fault: 'xml', status: 200 });
  expect(spoilt).not.toHaveProperty('answerBody');
});
