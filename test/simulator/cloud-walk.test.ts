/** One whole day of a terminal with the simulated cloud, by hand. */
import { once } from 'node:events';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { milliseconds } from '../../src/core/duration.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { makeCertificate } from '../support/certificates.ts';
import {
  api,
  clientId,
  enrol,
  fieldsOf,
  form,
  grant,
  login,
  oauth,
  registration,
  textField,
  unsigned,
  waiting,
} from '../support/cloud/hand-client.ts';

const reportOf = (message: string) => ({
  deployStatus: { stage: 5, message: '', lastDate: '2026-11-21T12:00:00Z' },
  terminalStatus: {
    terminalVersion: '0.1.0',
    installationSource: 1,
    cardReaderData: 'serial',
    modelName: 'Platen',
    additionalModelInfo: '',
    firmwareVersion: '',
    status: 1,
    statusMessage: message,
    errorData: '',
    modifiedDate: '2026-11-21T12:00:00Z',
  },
});

test('a terminal registers, is approved by hand, releases a document, records it and reports itself', async () => {
  await using cloud = await startCloud();
  const heard: string[] = [];
  cloud.onEvent((sentence) => heard.push(sentence));

  expect((await api(cloud, '/version')).status).toBe(200);
  const registered = await oauth(cloud, '/register', form(registration(cloud)), unsigned);
  const { device_code, state, expires_in } = await fieldsOf(registered);
  expect({ state, expires_in }).toEqual({ state: 'nonce-1', expires_in: 259_200 });
  const poll = form(grant(cloud, { device_code: String(device_code) }));
  const pending = await oauth(cloud, '/token', poll);
  expect(pending.status).toBe(400);
  expect(await fieldsOf(pending)).toEqual({
    error: 'authorization_pending',
    error_description: 'Authorization pending',
    x_error_code: 'authorization_pending',
  });

  const approval = await fetch(`${cloud.baseUrl}/simulator/approve`, { method: 'POST' });
  expect(await approval.json()).toEqual({ approved: [clientId] });
  const granted = await fieldsOf(await oauth(cloud, '/token', poll));
  expect(granted).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
  const device = String(granted['access_token']);

  const loggedIn = await api(cloud, '/login', {
    method: 'POST',
    token: device,
    body: form({ authtype: '1', userid: '04A1B2C3D4' }),
  });
  const user = await fieldsOf(loggedIn);
  expect(user).toMatchObject({ userName: 'alice', providerId: 3, token: { expires_in: 3600 } });
  const token = String(Object(user['token'])['access_token']);

  const documents = await waiting(cloud, token);
  expect(documents).toHaveLength(2);
  const [first] = documents;
  expect(first).toMatchObject({ documentName: 'Welcome to Platen.pdf', status: 0, copies: 1 });

  const check = await api(cloud, '/balance/check', {
    method: 'POST',
    token,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      uuid: first?.uuid,
      userName: 'alice',
      providerId: 3,
      totalPages: 1,
      colorPages: 1,
      paperSize: 'A4',
      copies: 1,
    }),
  });
  expect(await check.json()).toMatchObject({ balanceEnabled: false, sufficientBalance: true });

  const content = await api(cloud, `/documents/${first?.uuid}.content?retain=true`, { token });
  const bytes = Buffer.from(await content.arrayBuffer());
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  expect(Number(content.headers.get('content-length'))).toBe(bytes.length);
  const deleted = await api(cloud, `/documents/${first?.uuid}`, { method: 'DELETE', token });
  expect(await deleted.json()).toEqual({ errorCode: 0 });
  expect(await waiting(cloud, token)).toHaveLength(1);

  const recorded = await api(cloud, '/documents/history', {
    method: 'POST',
    token: device,
    body: form({
      jobtype: 'PRINT',
      username: 'alice',
      providerid: '3',
      title: 'Welcome to Platen.pdf',
      totalpages: '1',
      colorpages: '1',
      papersize: 'A4',
      duplex: 'false',
      serialnumber: 'SN-0001',
      datetime: '2026-11-21T12:00:00+01:00',
    }),
  });
  expect(recorded.status).toBe(200);
  expect(cloud.state.history).toMatchObject([{ userName: 'alice', outputPortId: 7, recordedWith: 'device' }]);

  const ports: unknown = await (await api(cloud, '/outputports?enrichPorts=true', { token: device })).json();
  expect(ports).toMatchObject([{ id: 7, deviceSerial: 'SN-0001', accountId: 2 }, { id: 8 }]);
  const reported = await api(cloud, '/outputports/7/terminalinfo', {
    method: 'PUT',
    token: device,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(reportOf('Ready')),
  });
  expect(reported.status).toBe(200);
  expect(cloud.state.statusReports).toHaveLength(1);
  const config = await api(cloud, '/terminalconfig?serialnumber=SN-0001', { token: device });
  expect(config.status).toBe(404);

  expect(cloud.deviations).toEqual([]);
  expect(cloud.calls.filter((call) => call.path.endsWith('/documents')).map((call) => call.bearer)).toEqual([
    'user',
    'user',
  ]);
  expect(heard).toContain('history: alice, “Welcome to Platen.pdf”, pages: 1, at Lobby');
});

test('documents consumed by a client that forgot retain=true are remembered as consumed', async () => {
  await using cloud = await startCloud();
  const token = await login(cloud, (await enrol(cloud)).device);
  const [first] = await waiting(cloud, token);
  await (await api(cloud, `/documents/${first?.uuid}.content`, { token })).arrayBuffer();
  expect(cloud.state.documents.filter((one) => one.consumed).map((one) => one.info.status)).toEqual([1]);
  expect((await api(cloud, `/documents/${first?.uuid}.content`, { token })).status).toBe(404);
});

test('a restart with a state file keeps registrations, tokens and documents', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'platen-cloud-'));
  const stateFile = join(folder.path, 'cloud.json');
  const before = await startCloud({ stateFile });
  const { device } = await enrol(before);
  const token = await login(before, device);
  const documents = await waiting(before, token);
  await before[Symbol.asyncDispose]();

  await using after = await startCloud({ stateFile });
  expect(await waiting(after, token)).toEqual(documents);
  const content = await api(after, `/documents/${documents[0]?.uuid}.content?retain=true`, { token });
  expect(Buffer.from(await content.arrayBuffer())).toEqual(after.state.documents[0]?.bytes);
  expect(await readFile(stateFile, 'utf8')).toContain(clientId);
  expect(after.deviations).toEqual([]);
});

test('a restart keeps what was set and added, and a file of another version is refused', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'platen-cloud-'));
  const stateFile = join(folder.path, 'cloud.json');
  const before = await startCloud({ stateFile });
  before.addUser({ userName: 'dora', cards: ['D0'] });
  before.setPrices({ bwNormalPage: 0.05, bwLargePage: 0.1, colorNormalPage: 0.2, colorLargePage: 0.4 });
  before.setUserBalance('dora', { quota: 12.5 });
  const kept = JSON.stringify(before.state);
  await before[Symbol.asyncDispose]();
  const after = await startCloud({ stateFile });
  expect(JSON.stringify(after.state)).toBe(kept);
  await after[Symbol.asyncDispose]();
  await writeFile(stateFile, JSON.stringify({ users: [] }));
  await expect(startCloud({ stateFile })).rejects.toThrow('another version');
});

test('the cloud can speak TLS, and break off inside it', async () => {
  const { pem, key } = makeCertificate({ commonName: 'localhost', hosts: ['localhost'] });
  const tls = { cert: pem, key: String(key.export({ type: 'pkcs8', format: 'pem' })) };
  await using cloud = await startCloud({ tls });
  expect(cloud.baseUrl).toMatch(/^https:\/\/localhost:\d+$/);
  const asked = () =>
    get(`${cloud.baseUrl}/api/v1/version`, { ca: pem, headers: { 'x-api-key': cloud.apiKey } });
  const [answer]: { statusCode?: number; resume(): void }[] = await once(asked(), 'response');
  answer?.resume();
  expect(answer?.statusCode).toBe(200);
  cloud.answerNext({ path: '/version' }, { kind: 'reset' });
  await expect(once(asked(), 'response')).rejects.toThrow('socket hang up');
});

test('the OAuth side can have a port of its own', async () => {
  await using cloud = await startCloud({ oauthPort: 0 });
  expect(cloud.authUrl).not.toBe(cloud.baseUrl);
  expect((await enrol(cloud)).device).not.toBe('undefined');
  expect(cloud.deviations).toEqual([]);
  expect((await fetch(`${cloud.baseUrl}/oauth/v1/token`, { method: 'POST' })).status).toBe(404);
});

test('lists come in the envelope asked for', async () => {
  await using cloud = await startCloud({ listShape: 'paged' });
  const token = await login(cloud, (await enrol(cloud)).device);
  const list = await fieldsOf(await api(cloud, '/documents', { token }));
  expect(list).toMatchObject({ items: [{}, {}], recordsOnPage: 2 });
  expect(list).not.toHaveProperty('nextPageToken');
});

test('the balance answer is the one that was set', async () => {
  await using cloud = await startCloud();
  const token = await login(cloud, (await enrol(cloud)).device);
  cloud.setBalance({
    balanceEnabled: true,
    sufficientBalance: false,
    currentBalance: 0.5,
    calculatedCost: 2,
  });
  const [document] = cloud.state.documents;
  const { uuid, totalPages, colorPages, paperSize, copies } = Object(document?.info);
  const answer = await api(cloud, '/balance/check', {
    method: 'POST',
    token,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      uuid,
      totalPages,
      colorPages,
      paperSize,
      copies,
      userName: 'alice',
      providerId: 3,
    }),
  });
  expect(await textField(answer, 'sufficientBalance')).toBe('false');
});

test('a wait ends with the change it waits for, and with a timeout when there is none', async () => {
  await using cloud = await startCloud();
  const waited = cloud.waitFor(() => cloud.state.endpoints.length === 1);
  await enrol(cloud);
  await waited;
  const never = cloud.waitFor(() => false, { timeout: milliseconds(20) });
  await expect(never).rejects.toMatchObject({ name: 'TimeoutError' });
});
