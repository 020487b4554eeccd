/** What a test in any language adds to a simulated cloud over `/simulator`: people, documents, permissions, and time. */
import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { request } from 'node:https';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { hours } from '../../src/core/duration.ts';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import { api, arrive, enrol, fieldsOf, login, waiting } from '../support/cloud/hand-client.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

type Sent = string | URLSearchParams | FormData | object;

const isReady = (body: Sent): body is string | URLSearchParams | FormData =>
  typeof body === 'string' || body instanceof URLSearchParams || body instanceof FormData;

/** A plain object goes as JSON. */
async function order(
  { baseUrl }: SimulatedCloud,
  path: string,
  body: Sent,
  headers: Record<string, string> = isReady(body) ? {} : { 'content-type': 'application/json' },
): Promise<{ status: number; body: Record<string, unknown> }> {
  const sent = isReady(body) ? body : JSON.stringify(body);
  const answer = await fetch(`${baseUrl}/simulator/${path}`, { method: 'POST', headers, body: sent });
  return { status: answer.status, body: await fieldsOf(answer) };
}

const fields = (texts: Record<string, string>) => new URLSearchParams(texts);

function withFile(texts: Record<string, string>, file: File): FormData {
  const body = new FormData();
  for (const [name, text] of Object.entries(texts)) body.append(name, text);
  body.append('data', file);
  return body;
}

describe('a person that a test adds', () => {
  it.each([
    [
      'a form',
      fields({ userName: 'dora', cards: '0042', permissions: 'ViewJob,ViewUserBalance', quota: '2.5' }),
    ],
    ['JSON', { userName: 'dora', cards: ['0042'], permissions: ['ViewJob', 'ViewUserBalance'], quota: 2.5 }],
  ])('by %s logs in with the card, the permissions and the balance', async (_, body) => {
    await using cloud = await startCloud();
    cloud.setPrices({ bwNormalPage: 1, bwLargePage: 1, colorNormalPage: 1, colorLargePage: 1 });
    expect(await order(cloud, 'users', body)).toEqual({ status: 200, body: { id: 105, userName: 'dora' } });
    const { user } = await arrive(cloud, '0042');
    expect((await api(cloud, '/documents', { token: user })).status).toBe(200);
    expect((await api(cloud, '/outputports', { token: user })).status).toBe(403);
    const balance = await api(cloud, '/balance?username=dora&providerid=3', { token: user });
    expect(await fieldsOf(balance)).toMatchObject({ quotaBalance: 2.5 });
  });

  it('has the everyday permissions, the groups and several cards', async () => {
    await using cloud = await startCloud();
    const body = fields({ userName: 'dora', groups: 'Upstairs', cards: '1', pin: '0815' });
    body.append('cards', '2');
    expect((await order(cloud, 'users', body)).status).toBe(200);
    expect(cloud.state.users.at(-1)).toMatchObject({ cards: ['1', '2'], groupIds: [2], pin: '0815' });
    const { device } = await enrol(cloud);
    const token = await login(cloud, device, '2');
    expect((await api(cloud, '/outputports', { token })).status).toBe(200);
  });

  it.each([
    ['a name that is taken', { userName: 'alice' }, 'userName: "alice" is the name of another user'],
    ['no name', { fullName: 'Dora' }, 'userName is missing'],
    [
      'a card of another',
      { userName: 'dora', cards: ['04A1B2C3D4'] },
      'cards[0]: "04A1B2C3D4" is the card of another person',
    ],
    [
      'an unknown group',
      { userName: 'dora', groups: ['Upstair'] },
      'groups[0]: "Upstair" is not among groups; did you mean Upstairs?',
    ],
    ['an unknown permission', { userName: 'dora', permissions: ['ViewJobs'] }, 'did you mean ViewJob?'],
    ['an unknown field', { userName: 'dora', card: '1' }, 'card is not known here; did you mean cards?'],
    ['a number as card', { userName: 'dora', cards: [42] }, 'must be a string'],
    ['a list in place of an entry', [{ userName: 'dora' }], 'the body must be an object'],
    ['JSON that breaks off', '{"userName":', 'the body is not JSON'],
  ])('with %s is refused', async (_, body, reported) => {
    await using cloud = await startCloud();
    const json = { 'content-type': 'application/json' };
    expect(await order(cloud, 'users', body, json)).toEqual({
      status: 400,
      body: { error: expect.stringContaining(reported) },
    });
    expect(cloud.state.users).toHaveLength(4);
    expect(cloud.deviations).toEqual([]);
  });

  it.each(['constructor', 'toString', '__proto__'])('with a field %s is refused', async (name) => {
    await using cloud = await startCloud();
    const body = `userName=dora&${name}=1`;
    const { status } = await order(cloud, 'users', body, {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(status).toBe(400);
    expect(cloud.state.users).toHaveLength(4);
  });

  it('in a body of another type, or with a file, is refused', async () => {
    await using cloud = await startCloud();
    const text = await order(cloud, 'users', 'userName=dora', { 'content-type': 'text/plain' });
    expect(text).toMatchObject({ status: 415, body: { error: expect.stringContaining('send a form') } });
    const file = await order(cloud, 'users', withFile({ userName: 'dora' }, new File(['x'], 'x.pdf')));
    expect(file).toMatchObject({ status: 400, body: { error: 'no file belongs to this order' } });
    const faults = await order(cloud, 'faults', { path: '/login', fault: 'no answer' });
    expect(faults).toMatchObject({ status: 415, body: { error: expect.stringContaining('are a form') } });
  });
});

describe('permissions that a test sets', () => {
  it('count from the next call on', async () => {
    await using cloud = await startCloud();
    const { user } = await arrive(cloud);
    const set = (permissions: string) =>
      order(cloud, 'permissions', fields({ userName: 'alice', permissions }));
    const logs = '/logs/auditlogs?datefrom=2020-01-01T00:00:00Z&dateto=2021-01-01T00:00:00Z';
    expect((await api(cloud, logs, { token: user })).status).toBe(403);
    expect((await set('all')).status).toBe(200);
    expect((await api(cloud, logs, { token: user })).status).toBe(200);
    expect((await set('ViewLog')).body).toEqual({ userName: 'alice', permissions: ['ViewLog'] });
    expect((await api(cloud, '/documents', { token: user })).status).toBe(403);
  });

  it.each([
    [{ userName: 'nobody', permissions: 'all' }, 'has no user nobody'],
    [{ userName: 'alice' }, 'permissions'],
    [{ userName: 'alice', permissions: 'ViewLogs' }, 'did you mean ViewLog?'],
  ])('%j is refused: %s', async (given, reported) => {
    await using cloud = await startCloud();
    const { status, body } = await order(cloud, 'permissions', fields(given));
    expect([status, body['error']]).toEqual([400, expect.stringContaining(reported)]);
  });
});

describe('a document that a test adds', () => {
  it('waits, made of sample pages, in the state and with the tags that are said', async () => {
    await using cloud = await startCloud();
    const { user } = await arrive(cloud);
    const added = await order(cloud, 'documents', fields({ owner: 'alice', name: 'Plan.pdf', pages: '3' }));
    expect(added).toMatchObject({
      status: 200,
      body: { documentName: 'Plan.pdf', totalPages: 3, status: 0 },
    });
    expect(await waiting(cloud, user)).toHaveLength(3);
    const tags = [{ tagType: 1, name: 'Upstairs' }];
    const failed = { owner: 'alice', name: 'Torn.pdf', status: 'CONVERSION_FAILED', jobType: 'SCAN', tags };
    expect((await order(cloud, 'documents', failed)).body).toMatchObject({
      status: documentStatus.CONVERSION_FAILED,
      jobType: 'SCAN',
      tags,
    });
  });

  it('is the file that comes with it', async () => {
    await using cloud = await startCloud();
    const { user } = await arrive(cloud);
    const pdf = samplePdf({ title: 'Chart', pages: 4 });
    const file = new File([new Uint8Array(pdf)], 'chart.pdf');
    const { body } = await order(cloud, 'documents', withFile({ owner: 'alice', copies: '2' }, file));
    expect(body).toMatchObject({ documentName: 'chart.pdf', totalPages: 4, copies: 2 });
    const content = await api(cloud, `/documents/${String(body['uuid'])}.content?retain=true`, {
      token: user,
    });
    expect(Buffer.from(await content.arrayBuffer()).equals(pdf)).toBe(true);
  });

  it.each([
    ['of nobody', { owner: 'nobody', name: 'A.pdf' }, 'owner: "nobody" is not among users'],
    ['without a name', { owner: 'alice' }, 'has neither a name nor a file; give one of them'],
    [
      'in an unknown state',
      { owner: 'alice', name: 'A.pdf', status: 'DONE' },
      'status must be READY or PRINTED',
    ],
    ['of too many pages', { owner: 'alice', name: 'A.pdf', pages: '20000' }, 'pages must be at most 10000'],
    ['of a path', { owner: 'alice', file: '/etc/passwd' }, 'file is not known here'],
  ])('%s is refused', async (_, given, reported) => {
    await using cloud = await startCloud();
    const { status, body } = await order(cloud, 'documents', fields(given));
    expect([status, body['error']]).toEqual([400, expect.stringContaining(reported)]);
    expect(cloud.state.documents).toHaveLength(3);
  });

  it('with a uuid that is taken, or two files, is refused', async () => {
    await using cloud = await startCloud();
    const uuid = String(cloud.state.documents[0]?.info.uuid);
    const taken = await order(cloud, 'documents', { owner: 'alice', name: 'A.pdf', uuid });
    expect(taken).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('another document') },
    });
    const two = withFile({ owner: 'alice' }, new File(['x'], 'a.pdf'));
    two.append('data', new File(['y'], 'b.pdf'));
    expect(await order(cloud, 'documents', two)).toMatchObject({ status: 400 });
  });

  it('of more than a MiB needs an API key, and is told so', async () => {
    await using cloud = await startCloud();
    const file = () => new File([new Uint8Array(1024 * 1024 + 1)], 'large.pdf');
    const refused = await order(cloud, 'documents', withFile({ owner: 'alice' }, file()));
    expect(refused).toMatchObject({ status: 413, body: { error: expect.stringContaining('X-API-Key') } });
    const taken = await order(cloud, 'documents', withFile({ owner: 'alice' }, file()), {
      'x-api-key': cloud.apiKey,
    });
    expect(taken).toMatchObject({ status: 200, body: { documentName: 'large.pdf' } });
    expect(cloud.deviations).toEqual([]);
  });
});

describe('a printer of the service that a test sets', () => {
  it('is not ready, or fails, or takes its time', async () => {
    await using cloud = await startCloud();
    const { user } = await arrive(cloud);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const release = async () => {
      const document = cloud.addDocument({ owner: 'alice', name: 'Plan.pdf' });
      const path = `/documents/${document.info.uuid}/SN-0001`;
      const { errorCode } = await fieldsOf(await api(cloud, path, { method: 'POST', token: user, headers }));
      return { document, errorCode };
    };
    await order(cloud, 'deliveries', fields({ port: 'SN-0001', printer: 'not-ready' }));
    expect(await release()).toMatchObject({ errorCode: 1042 });
    expect(
      await order(cloud, 'deliveries', fields({ port: 'Lobby', ends: 'failed', seconds: '60' })),
    ).toEqual({
      status: 200,
      body: { id: 7, port: 'Lobby', printer: 'ready', seconds: 60, ends: 'failed' },
    });
    const { document, errorCode } = await release();
    expect([errorCode, document.info.status]).toEqual([0, documentStatus.READY]);
    await order(cloud, 'clock', fields({ seconds: '61' }));
    await cloud.waitFor(() => document.info.status === documentStatus.FAILED);
  });

  it.each([
    [{ port: 'SN-0003' }, 'there is no SN-0003; did you mean SN-0001?'],
    [{ printer: 'ready' }, 'port is missing'],
    [{ port: 'Lobby', printer: 'asleep' }, 'printer must be ready or not-ready'],
    [{ port: 'Lobby', seconds: 'long' }, 'seconds must be a number'],
  ])('%j is refused: %s', async (given: Record<string, string>, reported) => {
    await using cloud = await startCloud();
    const { status, body } = await order(cloud, 'deliveries', fields(given));
    expect([status, body['error']]).toEqual([400, expect.stringContaining(reported)]);
  });
});

it('a test ends all access tokens, or refuses a device', async () => {
  await using cloud = await startCloud();
  const { user, device } = await arrive(cloud);
  const ended = await fetch(`${cloud.baseUrl}/simulator/tokens`, { method: 'DELETE' });
  expect(ended.status).toBe(204);
  for (const token of [user, device]) expect((await api(cloud, '/version', { token })).status).toBe(401);
  expect((await order(cloud, 'reject', fields({ client_id: 'nobody' }))).status).toBe(400);
});

describe('the clock that a test moves', () => {
  it('lets tokens expire, schedules run and printers finish without a wait', async () => {
    await using cloud = await startCloud();
    const { user } = await arrive(cloud);
    cloud.setDelivery(7, { after: hours(1) });
    const { uuid } = cloud.addDocument({ owner: 'alice', name: 'Plan.pdf' }).info;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await api(cloud, `/documents/${uuid}/SN-0001`, { method: 'POST', token: user, headers });
    const now = async () => await (await fetch(`${cloud.baseUrl}/simulator/clock`)).json();
    expect(await now()).toMatchObject({ aheadSeconds: 0 });
    expect(await order(cloud, 'clock', fields({ seconds: '3601.5' }))).toMatchObject({
      status: 200,
      body: { aheadSeconds: 3601.5 },
    });
    await cloud.waitFor(() => cloud.state.history.length === 1);
    expect(cloud.state.history).toMatchObject([{ title: 'Plan.pdf', recordedWith: 'service' }]);
    const late = await api(cloud, '/documents', { token: user });
    expect(late.status).toBe(401);
    expect(Date.parse(late.headers.get('date') ?? '') - Date.now()).toBeGreaterThan(3_590_000);
    await fetch(`${cloud.baseUrl}/simulator/reset`, { method: 'POST' });
    expect(await now()).toMatchObject({ aheadSeconds: 0 });
  });

  it('goes to an instant', async () => {
    const clock = createSteeredClock();
    await using cloud = await startCloud({ clock });
    const moved = await order(cloud, 'clock', fields({ to: '2026-12-31T23:00:00+01:00' }));
    expect(moved.body).toMatchObject({ now: '2026-12-31T22:00:00.000Z' });
  });

  it('goes on by further calls, but not beyond the years that can be written', async () => {
    await using cloud = await startCloud({ clock: createSteeredClock() });
    cloud.advanceClock(hours(24 * 365 * 7970));
    for (const years of [1, 9, 9]) {
      const { status, body } = await order(cloud, 'clock', fields({ seconds: String(years * 366 * 86_400) }));
      if (status === 200) continue;
      expect([status, body['error']]).toEqual([400, 'the clock goes to the end of the year 9999']);
      return;
    }
    expect.fail('the clock went beyond the year 9999');
  });

  it.each([
    [{ seconds: '-1' }, 'the clock goes forward only'],
    [{ seconds: '0' }, 'the clock goes forward only'],
    [{ to: '2020-01-01T00:00:00Z' }, 'the clock goes forward only'],
    [{ seconds: 'soon' }, 'seconds is a number'],
    [{ seconds: '999999999' }, 'ten years forward at most'],
    [{ to: 'tomorrow' }, 'to is an ISO 8601 instant'],
    [{ to: '2027-02-30T00:00:00Z' }, 'to is an ISO 8601 instant'],
    [{}, 'give seconds or to'],
    [{ seconds: '1', to: '2027-01-01T00:00:00Z' }, 'give seconds or to'],
    [{ minutes: '1' }, 'minutes is no parameter here: seconds, to'],
  ])('%j is refused: %s', async (given: Record<string, string>, reported) => {
    await using cloud = await startCloud();
    const { status, body } = await order(cloud, 'clock', fields(given));
    expect([status, body['error']]).toEqual([400, expect.stringContaining(reported)]);
    expect(await (await fetch(`${cloud.baseUrl}/simulator/clock`)).json()).toMatchObject({ aheadSeconds: 0 });
  });
});

describe('settings that a test changes', () => {
  async function change({ baseUrl }: SimulatedCloud, body: URLSearchParams | object) {
    const isForm = body instanceof URLSearchParams;
    const answer = await fetch(`${baseUrl}/simulator/settings`, {
      method: 'PATCH',
      headers: isForm ? {} : { 'content-type': 'application/json' },
      body: isForm ? body : JSON.stringify(body),
    });
    return { status: answer.status, body: await fieldsOf(answer) };
  }

  it('count from the next call on, by a form or JSON, and the others stay', async () => {
    await using cloud = await startCloud({ userTokenLife: hours(2) });
    const { user, device } = await arrive(cloud, '04ADADADAD');
    expect((await api(cloud, '/scan/connectors', { token: user })).status).toBe(200);
    expect(await change(cloud, fields({ scanning: 'hidden', hiddenConnectors: '' }))).toMatchObject({
      status: 200,
      body: { settings: { scanning: 'hidden', userTokenLife: 7200 } },
    });
    expect((await api(cloud, '/scan/connectors', { token: user })).status).toBe(403);
    expect((await change(cloud, { readsFor: 'users', pageSize: 5 })).status).toBe(200);
    expect((await api(cloud, '/outputports', { token: device })).status).toBe(403);
    expect(cloud.settings).toMatchObject({ scanning: 'hidden', readsFor: 'users', pageSize: 5 });
  });

  it('give new tokens another life, and leave those that were given out', async () => {
    await using cloud = await startCloud();
    const { user, device } = await arrive(cloud);
    await change(cloud, fields({ userTokenLife: '60' }));
    const short = await login(cloud, device);
    await order(cloud, 'clock', fields({ seconds: '61' }));
    expect((await api(cloud, '/version', { token: short })).status).toBe(401);
    expect((await api(cloud, '/version', { token: user })).status).toBe(200);
  });

  it('are those of the start again after a reset', async () => {
    await using cloud = await startCloud({ charging: 'history' });
    await change(cloud, fields({ charging: 'nothing', pageSize: '7' }));
    await fetch(`${cloud.baseUrl}/simulator/reset`, { method: 'POST' });
    expect(cloud.settings).toMatchObject({ charging: 'history', pageSize: 50 });
  });

  it.each<[object, string]>([
    [{ role: 'gateway' }, 'role is set at the start only: a server does not change its role while it runs'],
    [
      { pageSize: 7, listShape: 'paged' },
      'listShape is set at the start only: a page token that was given out belongs to the pages of one shape',
    ],
    [{ pageSizes: 7 }, 'pageSizes is not known here; did you mean pageSize?'],
    [{ pageSize: 0 }, 'pageSize must be at least 1'],
    [{ apiKey: 'another' }, 'apiKey is not known here'],
    [{}, 'no setting is given; GET /simulator/settings shows them all'],
    [[], 'the body must be an object'],
  ])('%j is refused, and nothing changes: %s', async (given, reported) => {
    await using cloud = await startCloud();
    const { status, body } = await change(cloud, given);
    expect([status, body['error']]).toEqual([400, expect.stringContaining(reported)]);
    expect(cloud.settings).toMatchObject({ role: 'primary', listShape: 'bare', pageSize: 50 });
  });
});

describe('/simulator tells', () => {
  it('its OpenAPI document, as it is in the package', async () => {
    await using cloud = await startCloud();
    const answer = await fetch(`${cloud.baseUrl}/simulator/openapi.yaml`);
    expect(answer.headers.get('content-type')).toBe('application/yaml');
    expect(await answer.text()).toBe(readFileSync('config/platen-cloud.openapi.yaml', 'utf8'));
  });

  it('its settings, lengths of time in seconds', async () => {
    await using cloud = await startCloud({ userTokenLife: hours(2), listShape: 'paged' });
    expect(await (await fetch(`${cloud.baseUrl}/simulator/settings`)).json()).toMatchObject({
      settings: { userTokenLife: 7200, listShape: 'paged', advancedPermissions: 'all', pageSize: 50 },
    });
  });

  it('no authority where it made none', async () => {
    await using cloud = await startCloud();
    expect((await fetch(`${cloud.baseUrl}/simulator/ca.pem`)).status).toBe(404);
  });
});

describe('a simulated cloud with a chain of its own', () => {
  /** By a client that trusts this authority alone. */
  async function asked(cloud: SimulatedCloud, path: string, ca?: string): Promise<Buffer> {
    const call = request(`${cloud.baseUrl}${path}`, {
      ...(ca === undefined ? { rejectUnauthorized: false } : { ca }),
      agent: false,
      headers: { 'x-api-key': cloud.apiKey },
    });
    call.end();
    const [answer] = await once(call, 'response');
    expect(answer.statusCode).toBe(200);
    return Buffer.concat(await answer.toArray());
  }

  it('serves HTTPS, and gives its authority to trust', async () => {
    await using cloud = await startCloud({ tls: 'own-chain' });
    const authority = String(await asked(cloud, '/simulator/ca.pem'));
    expect(new URL(cloud.baseUrl).host).toMatch(/^localhost:/);
    expect(JSON.parse(String(await asked(cloud, '/api/v1/version', authority)))).toHaveProperty('version');
    const root = new X509Certificate(authority);
    const server = new X509Certificate(
      String(cloud.state.certificates.find(({ store }) => store === 'chain')?.pem),
    );
    expect([root.ca, server.ca, server.verify(root.publicKey), server.checkIssued(root)]).toEqual([
      true,
      false,
      true,
      true,
    ]);
    expect(server.checkHost('localhost')).toBe('localhost');
    expect([server.checkIP('127.0.0.1'), server.checkIP('::1')]).toEqual(['127.0.0.1', '::1']);
  });

  it('tells it as a root authority, also after a new beginning', async () => {
    const seed = { ...sampleData, certificates: [] };
    await using cloud = await startCloud({ tls: 'own-chain', seed, keyAllows: ['unauthenticated-requests'] });
    const reported = await asked(cloud, '/api/v1/certificate/root', cloud.authority);
    const [root] = JSON.parse(String(reported)) as { alias: string; body: string }[];
    const der = new X509Certificate(Buffer.from(root?.body ?? '', 'base64'));
    expect([root?.alias, der.toString()]).toEqual(['simulated-cloud', cloud.authority]);
    const roots = () => cloud.state.certificates.filter(({ store }) => store === 'root');
    expect(roots()).toMatchObject([{ alias: 'simulated-cloud', pem: cloud.authority }]);
    cloud.reset();
    expect(roots()).toMatchObject([{ alias: 'simulated-cloud', pem: cloud.authority }]);
  });
});
