/** Documents that the simulated cloud prints by itself, is given, and lets out by a card reader of its own. */
import { expect, test } from 'vitest';
import { hours, milliseconds } from '../../src/core/duration.ts';
import type { CloudDocument } from '../../src/simulator/cloud/state.ts';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import type { Sent } from '../support/cloud/hand-client.ts';
import { api, arrive, fieldsOf, login, waiting } from '../support/cloud/hand-client.ts';

const asForm = { 'content-type': 'application/x-www-form-urlencoded' };

async function release(
  cloud: SimulatedCloud,
  options: { token: string; port?: string; body?: string },
): Promise<{ document: CloudDocument; status: number; errorCode: unknown }> {
  const { token, port = 'SN-0001', body } = options;
  const document = cloud.addDocument({ owner: 'alice', name: 'Plan.pdf' });
  const sent: Sent = { method: 'POST', token, headers: asForm, ...(body === undefined ? {} : { body }) };
  const answer = await api(cloud, `/documents/${document.info.uuid}/${port}`, sent);
  return { document, status: answer.status, errorCode: (await fieldsOf(answer))['errorCode'] };
}

test('the service prints at a port, by serial number or address, and records it itself', async () => {
  await using cloud = await startCloud();
  const { user } = await arrive(cloud);
  for (const port of ['SN-0002', '127.0.0.1']) {
    const { document, errorCode } = await release(cloud, { token: user, port });
    expect([errorCode, document.info.status]).toEqual([0, documentStatus.PRINTED]);
  }
  expect(cloud.state.history).toMatchObject([
    { title: 'Plan.pdf', outputPortId: 8, recordedWith: 'service' },
    { title: 'Plan.pdf', outputPortId: 7, recordedWith: 'service' },
  ]);
  expect(cloud.deviations).toEqual([]);
});

test('what is released otherwise than it was sent is recorded as it was released', async () => {
  await using cloud = await startCloud();
  const { user } = await arrive(cloud);
  await release(cloud, { token: user, body: 'copies=2&grayscale=true&duplex=1' });
  const { info } = cloud.addDocument({ owner: 'alice', name: 'Minutes.pdf', pages: 3 });
  await api(cloud, `/documents/${info.uuid}.content?retain=false&copies=2`, { token: user });
  expect(cloud.state.history).toMatchObject([
    { title: 'Plan.pdf', totalPages: 2, colorPages: 0, duplex: 1 },
    { title: 'Minutes.pdf', totalPages: 6, colorPages: 6, duplex: 0 },
  ]);
  expect(cloud.deviations).toEqual([]);
});

test('what is retained is stored, and may be let out again', async () => {
  await using cloud = await startCloud();
  const { user } = await arrive(cloud);
  const body = 'copies=2&grayscale=true&retain=true&duplex=1';
  const { document } = await release(cloud, { token: user, body });
  expect(document.info).toMatchObject({ status: documentStatus.STORED, outputPortName: 'Lobby' });
  const path = `/documents/${document.info.uuid}/SN-0001`;
  await api(cloud, path, { method: 'POST', token: user, headers: asForm });
  expect(document).toMatchObject({ deliveries: [7, 7], info: { status: documentStatus.PRINTED } });
  const third = await api(cloud, path, { method: 'POST', token: user, headers: asForm });
  expect([third.status, await fieldsOf(third)]).toEqual([400, { errorCode: 1001 }]);
});

test('a port that is not ready answers 1042, and the document waits on', async () => {
  await using cloud = await startCloud();
  const { user } = await arrive(cloud);
  cloud.setDelivery(7, { printer: 'not-ready' });
  const { document, status, errorCode } = await release(cloud, { token: user });
  expect([status, errorCode, document.info.status, document.deliveries]).toEqual([200, 1042, 0, []]);
});

test('a document leaves READY after the wait, as it was set', async () => {
  await using cloud = await startCloud();
  const { user } = await arrive(cloud);
  cloud.setDelivery(7, { after: milliseconds(20), ends: 'failed' });
  const { document } = await release(cloud, { token: user });
  expect(document.info.status).toBe(documentStatus.READY);
  await cloud.waitFor(() => document.info.status === documentStatus.FAILED);
  expect(cloud.state.history).toEqual([]);
  cloud.setDelivery(7, { ends: 'never' });
  expect((await release(cloud, { token: user })).document.info.status).toBe(documentStatus.READY);
});

test('a cloud that is closed waits for no printer', async () => {
  const cloud = await startCloud();
  const { user } = await arrive(cloud);
  cloud.setDelivery(7, { after: hours(1) });
  const { document } = await release(cloud, { token: user });
  await cloud[Symbol.asyncDispose]();
  expect(document.info.status).toBe(documentStatus.READY);
});

test('an unknown port, or a form without its content type, is refused', async () => {
  await using cloud = await startCloud();
  const { user } = await arrive(cloud);
  expect(await release(cloud, { token: user, port: 'SN-9' })).toMatchObject({ status: 400, errorCode: 1001 });
  expect(cloud.deviations).toEqual([]);
  const { info } = cloud.addDocument({ owner: 'alice', name: 'Bare.pdf' });
  const bare = await api(cloud, `/documents/${info.uuid}/SN-0001`, { method: 'POST', token: user });
  expect(bare.status).toBe(400);
  expect(cloud.deviations).toEqual([expect.stringContaining('the content type is missing')]);
});

test.each(['GET', 'POST'])('a card at a network reader lets all out at its port, by %s', async (method) => {
  await using cloud = await startCloud();
  const { device, user } = await arrive(cloud);
  const card = (query: string) => api(cloud, `/card?${query}`, { method, token: device });
  const answer = await card('cd=04A1B2C3D4&Mac=0080a3000008');
  expect([answer.status, await answer.text()]).toEqual([200, '']);
  expect(await waiting(cloud, user)).toEqual([]);
  expect(cloud.state.documents.map(({ deliveries }) => deliveries)).toEqual([[8], [8], []]);
  const unknown = ['cd=FFFF&Mac=00-80-A3-00-00-08', 'cd=04A1B2C3D4&Mac=00%3A80%3AA3%3A00%3A00%3A09'];
  for (const query of unknown) expect((await card(query)).status).toBe(400);
  expect(cloud.deviations).toEqual([]);
  expect((await card('cd=04A1B2C3D4&Mac=8')).status).toBe(400);
  expect(cloud.deviations).toHaveLength(1);
});

const upload = (
  cloud: SimulatedCloud,
  token: string,
  parts: Record<string, string>,
  file = new File([new Uint8Array(samplePdf({ title: 'Scan', pages: 3 }))], 'scan.pdf'),
) => {
  const body = new FormData();
  const fields = { username: 'alice', portname: 'Secure', title: 'Scan.pdf', ...parts };
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append('data', file);
  return fetch(`${cloud.baseUrl}/api/v1/documents`, {
    method: 'PUT',
    headers: { 'x-api-key': cloud.apiKey, authorization: `Bearer ${token}` },
    body,
  });
};

test.each(['user', 'device'] as const)('a document is uploaded with a %s token', async (kind) => {
  await using cloud = await startCloud();
  const tokens = await arrive(cloud);
  const answer = await upload(cloud, tokens[kind], {
    copies: '2',
    grayscale: 'true',
    duplex: '1',
    scale: '50',
    outputpagesize: '595.28x841.89',
  });
  expect(await fieldsOf(answer)).toMatchObject({
    documentName: 'Scan.pdf',
    userName: 'alice',
    totalPages: 3,
    colorPages: 0,
    copies: 2,
    grayscale: true,
    duplex: 1,
    status: 0,
  });
  expect(await waiting(cloud, tokens.user)).toHaveLength(3);
  expect(cloud.deviations).toEqual([]);
});

test('of two people of one name each has their own documents, and an upload is for the one its provider names', async () => {
  await using cloud = await startCloud();
  const { device, user } = await arrive(cloud);
  const [alice] = sampleData.users;
  if (alice) cloud.state.users.push({ ...alice, id: 900, providerId: 4, cards: ['04FE'] });
  const other = await login(cloud, device, '04FE');
  expect(await waiting(cloud, other)).toEqual([]);
  const [first] = await waiting(cloud, user);
  expect((await api(cloud, `/documents/${first?.uuid}.content?retain=true`, { token: other })).status).toBe(
    403,
  );
  expect((await upload(cloud, device, { providerid: '4' })).status).toBe(200);
  expect((await upload(cloud, device, { providerid: '5' })).status).toBe(400);
  expect((await upload(cloud, other, {})).status).toBe(200);
  expect([(await waiting(cloud, user)).length, (await waiting(cloud, other)).length]).toEqual([2, 2]);
  expect(cloud.deviations).toEqual([expect.stringContaining("another user's document")]);
});

test('what is uploaded to a push queue goes to its printer at once', async () => {
  await using cloud = await startCloud();
  const { user } = await arrive(cloud);
  const answer = await upload(cloud, user, { portname: 'Lobby direct' });
  expect(await fieldsOf(answer)).toMatchObject({ status: 1, outputPortName: 'Lobby' });
});

const badUploads: readonly (readonly [
  what: string,
  parts: Record<string, string>,
  status: number,
  noted: string,
])[] = [
  ['an unknown input port', { portname: 'Nowhere' }, 400, ''],
  ['another user', { username: 'bob' }, 403, 'for another user'],
  ['a scale out of range', { scale: '101' }, 400, 'scale: expected 1 to 100'],
  ['a page size there is not', { outputpagesize: 'A7' }, 400, 'outputpagesize: expected a size'],
  ['a page size that is none', { outputpagesize: '1.2.3x4' }, 400, 'outputpagesize'],
  ['a part there is not', { pages: '1' }, 400, 'pages is not known here'],
];

test.each(badUploads)('an upload with %s is refused', async (_what, parts, status, noted) => {
  await using cloud = await startCloud();
  const { user } = await arrive(cloud);
  expect((await upload(cloud, user, parts)).status).toBe(status);
  expect(cloud.deviations.join('')).toContain(noted);
  expect(cloud.deviations).toHaveLength(noted === '' ? 0 : 1);
});

test('a title has to carry the extension of a file that is no PDF', async () => {
  await using cloud = await startCloud();
  const { user } = await arrive(cloud);
  const file = new File(['text'], 'notes.txt');
  expect((await upload(cloud, user, { title: 'Notes' }, file)).status).toBe(400);
  expect((await upload(cloud, user, { title: 'Notes.txt' }, file)).status).toBe(200);
  expect(cloud.deviations).toEqual([expect.stringContaining('.txt')]);
});

test('an upload that is no multipart/form-data is noticed', async () => {
  await using cloud = await startCloud();
  const { user } = await arrive(cloud);
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const answer = await api(cloud, '/documents', { method: 'PUT', token: user, headers, body: 'nonsense' });
  expect(answer.status).toBe(400);
  expect(cloud.deviations).toEqual([expect.stringContaining('no multipart/form-data')]);
});
