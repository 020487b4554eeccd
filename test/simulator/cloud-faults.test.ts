/** The faults a test can order from the simulated cloud, each as a client sees it on the wire. */
import { expect, test } from 'vitest';
import { milliseconds } from '../../src/core/duration.ts';
import type { Fault } from '../../src/simulator/cloud-faults.ts';
import { startCloud } from '../../src/simulator/cloud.ts';
import { api, enrol, form, login } from './hand-client.ts';

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
