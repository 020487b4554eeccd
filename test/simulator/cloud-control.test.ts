/** What a test in any language asks of a simulated cloud over its address: `/simulator/*`. */
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { standardFaults } from '../../src/simulator/cloud/standard-faults.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { administratorOf } from './administrator.ts';
import {
  api,
  arrive,
  enrol,
  form,
  oauth,
  registration,
  unsigned,
  waiting,
} from '../support/cloud/hand-client.ts';

async function control(
  { baseUrl }: SimulatedCloud,
  method: string,
  path: string,
  fields?: Record<string, string>,
): Promise<{ status: number; allow: string | null; body: unknown }> {
  const answer = await fetch(`${baseUrl}/simulator/${path}`, {
    method,
    ...(fields === undefined ? {} : { body: new URLSearchParams(fields) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    allow: answer.headers.get('allow'),
    body: text === '' ? undefined : JSON.parse(text),
  };
}

describe('/simulator', () => {
  it('tells what was found against the specification, a sentence each', async () => {
    await using cloud = await startCloud();
    expect(await control(cloud, 'GET', 'deviations')).toMatchObject({ body: { deviations: [] } });
    await fetch(`${cloud.baseUrl}/api/v1/version`);
    const sentence = 'GET /api/v1/version: X-API-Key is missing (spec, Authentication)';
    expect(await control(cloud, 'GET', 'deviations')).toMatchObject({ body: { deviations: [sentence] } });
  });

  it('tells of the last calls, and why one was refused that is no deviation', async () => {
    await using cloud = await startCloud({ keptCalls: 4 });
    const { device, user } = await arrive(cloud);
    await api(cloud, '/logs/auditlogs', { token: user });
    await fetch(`${cloud.baseUrl}/api/v1/version?secret=1`, { headers: { 'x-api-key': 'guess' } });
    await control(cloud, 'POST', 'faults', { path: '/version', fault: 'status 503' });
    await api(cloud, '/version', { token: device });
    await api(cloud, '/version', { token: device });
    const version = { method: 'GET', path: '/api/v1/version' };
    expect(await control(cloud, 'GET', 'calls')).toMatchObject({
      body: {
        calls: [
          { method: 'GET', path: '/api/v1/logs/auditlogs', status: 403, why: 'the user lacks ViewLog' },
          { ...version, status: 403, why: 'unknown API key' },
          { ...version, status: 503, fault: 'status' },
          { ...version, status: 200 },
        ],
      },
    });
    expect(cloud.deviations).toEqual([]);
  });

  it('lets devices in, one or all that wait', async () => {
    await using cloud = await startCloud();
    const { client_id = '', ...rest } = registration(cloud);
    await oauth(cloud, '/register', form({ client_id, ...rest }), unsigned);
    expect(await control(cloud, 'POST', 'approve', { client_id: 'nobody' })).toEqual({
      status: 400,
      allow: null,
      body: { error: 'no client nobody has registered' },
    });
    expect(await control(cloud, 'POST', 'approve')).toMatchObject({ body: { approved: [client_id] } });
  });

  it('begins anew also with prices that were set, and what was on its way to a printer comes to nothing', async () => {
    const clock = createSteeredClock();
    await using at = await administratorOf({ clock });
    const prices = { bwNormalPage: 0.05, bwLargePage: 0.1, colorNormalPage: 0.2, colorLargePage: 0.4 };
    await at.ask('PUT', '/balance/config', { enabled: false, ...prices });
    at.cloud.setDelivery(7, { after: seconds(5) });
    const { uuid } = at.cloud.addDocument({ owner: 'admin', name: 'Own.pdf' }).info;
    await at.submit('POST', `/documents/${uuid}/SN-0001`, {});
    at.cloud.reset();
    await clock.advance(seconds(6));
    expect(at.cloud.state).toMatchObject({ idlePrices: undefined, history: [] });
  });

  it('begins anew: people, documents, devices, tokens, faults, calls and deviations are as at the start', async () => {
    await using cloud = await startCloud();
    const { user } = await arrive(cloud);
    const [first] = await waiting(cloud, user);
    await api(cloud, `/documents/${first?.uuid}`, { method: 'DELETE', token: user });
    cloud.addUser({ userName: 'dora', cards: ['D0'] });
    cloud.setDelivery(7, { ends: 'never' });
    await fetch(`${cloud.baseUrl}/api/v1/version`);
    await control(cloud, 'POST', 'faults', { path: '/login', fault: 'no answer', times: 'always' });

    expect(await control(cloud, 'POST', 'reset')).toMatchObject({ status: 204 });
    expect([cloud.deviations, cloud.calls, cloud.plannedFaults(), cloud.state.endpoints]).toEqual([
      [],
      [],
      [],
      [],
    ]);
    expect(cloud.state.users.map(({ userName }) => userName)).toEqual(['alice', 'bob', 'carol', 'admin']);
    expect((await api(cloud, '/documents', { token: user })).status).toBe(401);
    const { user: again } = await arrive(cloud);
    expect(await waiting(cloud, again)).toHaveLength(2);
  });

  it('plants faults by the names that the console knows, so often, always, and takes them away', async () => {
    await using cloud = await startCloud();
    const { device } = await enrol(cloud);
    const status = async () => (await api(cloud, '/version', { token: device })).status;
    const order = { method: 'get', path: '/version', fault: 'status 503' };
    expect(await control(cloud, 'POST', 'faults', { ...order, times: '2' })).toMatchObject({
      body: { planned: [{ method: 'GET', path: '/version', fault: 'status 503', times: 2 }] },
    });
    expect([await status(), await status(), await status()]).toEqual([503, 503, 200]);
    await control(cloud, 'POST', 'faults', { path: '/version', fault: 'status 429 with Retry-After' });
    expect([await status(), await status()]).toEqual([429, 200]);
    await control(cloud, 'POST', 'faults', { ...order, times: 'always' });
    expect(await status()).toBe(503);
    expect(await control(cloud, 'GET', 'faults')).toMatchObject({
      body: { known: Object.keys(standardFaults), planned: [{ fault: 'status 503', times: 'always' }] },
    });
    expect(await control(cloud, 'DELETE', 'faults')).toMatchObject({ status: 204 });
    expect(await status()).toBe(200);
    expect(cloud.deviations).toEqual([]);
  });

  it.each([
    ['POST', 'faults', { fault: 'no answer' }, 400, 'path is missing'],
    ['POST', 'faults', { path: '/login' }, 400, 'GET /simulator/faults tells those that there are'],
    ['POST', 'faults', { path: '/login', fault: 'fire' }, 400, 'fault names none'],
    ['POST', 'faults', { path: '/login', fault: 'no answer', times: '0' }, 400, 'TIMES is a whole number'],
    ['POST', 'faults', { path: '/login', fault: 'no answer', time: '3' }, 400, 'time is no parameter here'],
    ['POST', 'faults', { path: '', fault: 'no answer' }, 400, 'path is empty'],
    ['POST', 'faults', { path: '/login', fault: 'no answer', method: 'GTE' }, 400, 'method is one of GET'],
    ['POST', 'reset', { keep: 'users' }, 400, 'keep is no parameter here: none is'],
    ['PUT', 'reset', {}, 405, 'POST it'],
    ['POST', 'deviations', {}, 405, 'GET it'],
    ['GET', 'deviation', undefined, 404, '/simulator/deviations'],
  ] as const)('%s /simulator/%s %j is answered %i: %s', async (method, path, fields, wanted, reported) => {
    await using cloud = await startCloud();
    const { status, allow, body } = await control(cloud, method, path, fields);
    expect([status, body]).toEqual([wanted, { error: expect.stringContaining(reported) }]);
    expect(allow === null).toBe(wanted !== 405);
    expect([cloud.plannedFaults(), cloud.deviations]).toEqual([[], []]);
  });

  it.each([
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a page of another site that has an address', { origin: 'http://203.0.113.5' }],
    ['a page without a site', { origin: 'null' }],
    ['a site whose name has come to mean this machine', { host: 'evil.example' }],
  ])('takes no orders of %s', async (_, headers) => {
    await using cloud = await startCloud();
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const place = `${cloud.baseUrl}/simulator/approve`;
    request(place, { method: 'POST', headers }, ({ statusCode }) => resolve(statusCode)).end();
    expect(await promise).toBe(403);
  });

  it('takes no parameter behind the path, where it would mean nothing', async () => {
    await using cloud = await startCloud();
    const answer = await fetch(`${cloud.baseUrl}/simulator/approve?client_id=one`, { method: 'POST' });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('parameters come in the body');
  });

  it('takes those of a page of this machine', async () => {
    await using cloud = await startCloud();
    const headers = { origin: 'http://localhost:3000' };
    expect((await fetch(`${cloud.baseUrl}/simulator/deviations`, { headers })).status).toBe(200);
  });

  it('asks for an API key where others than this machine can come to it', async () => {
    await using cloud = await startCloud({ host: '0.0.0.0', furtherKeys: ['second-key'] });
    const { port } = new URL(cloud.baseUrl);
    const ask = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${port}/simulator/deviations`, { headers });
    expect([
      (await ask({})).status,
      (await ask({ 'x-api-key': 'guess' })).status,
      (await ask({ 'x-api-key': 'second-key' })).status,
    ]).toEqual([403, 403, 200]);
  });
});
