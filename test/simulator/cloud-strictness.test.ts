/** Every way a client may deviate from the spec is refused as the spec says, and noticed. */
import { expect, test } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import type { Sent } from '../support/cloud/hand-client.ts';
import {
  api,
  enrol,
  fieldsOf,
  form,
  login,
  oauth,
  registration,
  signatureOf,
  unsigned,
} from '../support/cloud/hand-client.ts';

interface Tokens {
  readonly device: string;
  readonly user: string;
}

interface Case {
  readonly what: string;
  readonly call: (cloud: SimulatedCloud, tokens: Tokens) => Promise<Response>;
  readonly status: number;
  readonly noted: string;
}

const jsonBody = { 'content-type': 'application/json' };
const put = (body: unknown): Sent => ({ method: 'PUT', headers: jsonBody, body: JSON.stringify(body) });
const anyUuid = '/documents/b3b1d4a2-0000-4000-8000-000000000000';

const post = (fields: Record<string, string>, rest: Sent = {}): Sent => ({
  method: 'POST',
  body: form(fields),
  ...rest,
});
const byCard = { authtype: '1', userid: '04A1B2C3D4' };
const job = { jobtype: 'PRINT', username: 'alice', providerid: '3' };
const check = {
  uuid: 'x',
  userName: 'alice',
  providerId: 3,
  totalPages: 1,
  colorPages: 0,
  paperSize: 'A4',
  copies: 1,
};

const apiCase = (
  what: string,
  path: string,
  sent: Sent & { as?: keyof Tokens },
  status: number,
  noted: string,
): Case => ({
  what,
  call: (cloud, tokens) =>
    api(cloud, path, { ...sent, ...(sent.as === undefined ? {} : { token: tokens[sent.as] }) }),
  status,
  noted,
});

const cases: readonly Case[] = [
  {
    what: 'no API key',
    call: (cloud) => fetch(`${cloud.baseUrl}/api/v1/version`),
    status: 403,
    noted: 'X-API-Key is missing',
  },
  apiCase('a user token at login', '/login', { ...post(byCard), as: 'user' }, 403, 'a user token where'),
  apiCase('no token at login', '/login', post(byCard), 403, 'no token where a device token belongs'),
  apiCase('a device token for documents', '/documents', { as: 'device' }, 403, 'a device token where a user'),
  apiCase(
    'a user token for the report',
    '/outputports/7/terminalinfo',
    { ...put({}), as: 'user' },
    403,
    'a user',
  ),
  apiCase(
    'a wrong content type',
    '/login',
    { ...post(byCard), headers: { 'content-type': 'text/plain' }, as: 'device' },
    400,
    'the content type is text/plain',
  ),
  apiCase(
    'a misspelt parameter',
    '/documents?maxrecords=5',
    { as: 'user' },
    400,
    'maxrecords is not known here; did you mean maxRecords?',
  ),
  apiCase('a doubled parameter', '/documents?maxRecords=5&maxRecords=6', { as: 'user' }, 400, 'comes twice'),
  apiCase(
    'a value out of range',
    '/documents?maxRecords=501',
    { as: 'user' },
    400,
    'maxRecords: expected 1 to 500',
  ),
  apiCase('a status that is none', '/documents?status=10', { as: 'user' }, 400, 'status: 0: expected 0 to 9'),
  apiCase('a boolean written otherwise', `${anyUuid}.content?retain=1`, { as: 'user' }, 400, 'retain'),
  apiCase('a broken escape', '/documents?status=%zz', { as: 'user' }, 400, 'not URL-encoded'),
  apiCase(
    'parameters in the URL of a form',
    '/login?authtype=1',
    { ...post(byCard), as: 'device' },
    400,
    'in the URL',
  ),
  apiCase(
    'a login without password',
    '/login',
    { ...post({ authtype: '0', userid: 'alice' }), as: 'device' },
    400,
    'without password',
  ),
  apiCase(
    'a login way there is not',
    '/login',
    { ...post({ ...byCard, authtype: '5' }), as: 'device' },
    400,
    'authtype',
  ),
  apiCase(
    'history without the user',
    '/documents/history',
    { ...post({ jobtype: 'PRINT' }), as: 'device' },
    400,
    'username and providerid',
  ),
  apiCase(
    'history of nobody',
    '/documents/history',
    { ...post({ ...job, providerid: '4' }), as: 'device' },
    400,
    'no user has',
  ),
  apiCase(
    'a datetime in UTC form',
    '/documents/history',
    { ...post({ ...job, datetime: '2026-11-21T12:00:00Z' }), as: 'device' },
    400,
    'datetime: expected YYYY-MM-DDTHH:mm:ss+HH:mm',
  ),
  apiCase(
    'more colour pages than pages',
    '/documents/history',
    { ...post({ ...job, totalpages: '1', colorpages: '2' }), as: 'device' },
    400,
    'colorpages above totalpages',
  ),
  apiCase(
    'an unknown field in JSON',
    '/balance/check',
    { method: 'POST', headers: jsonBody, body: JSON.stringify({ ...check, pages: 1 }), as: 'user' },
    400,
    'pages is not known here',
  ),
  apiCase(
    'a number written as text in JSON',
    '/balance/check',
    { method: 'POST', headers: jsonBody, body: JSON.stringify({ ...check, copies: '1' }), as: 'user' },
    400,
    'copies must be ',
  ),
  apiCase(
    'JSON that is a list where an object belongs',
    '/balance/check',
    { method: 'POST', headers: jsonBody, body: '[]', as: 'user' },
    400,
    'the body must be an object',
  ),
  apiCase(
    'a balance check of more colour than pages',
    '/balance/check',
    { method: 'POST', headers: jsonBody, body: JSON.stringify({ ...check, colorPages: 2 }), as: 'user' },
    400,
    'colorPages above totalPages',
  ),
  apiCase(
    'a missing field in JSON',
    '/balance/check',
    { method: 'POST', headers: jsonBody, body: JSON.stringify({ ...check, copies: undefined }), as: 'user' },
    400,
    'copies is missing',
  ),
  apiCase(
    'a balance check of a foreign document',
    '/balance/check',
    { method: 'POST', headers: jsonBody, body: JSON.stringify(check), as: 'user' },
    403,
    'not a document of this user',
  ),
  apiCase(
    'a terminal status there is not',
    '/outputports/7/terminalinfo',
    { ...put({ deployStatus: { stage: 9, message: '', lastDate: '2026-11-21T12:00:00Z' } }), as: 'device' },
    400,
    'deployStatus: stage',
  ),
  apiCase(
    'JSON that is none',
    '/outputports/7/terminalinfo',
    { ...put(0), body: '{', as: 'device' },
    400,
    'not JSON',
  ),
  apiCase(
    'a method not allowed',
    '/documents',
    { method: 'PATCH', as: 'user' },
    405,
    'PATCH is not a method of this path: GET, PUT',
  ),
  apiCase('a call that the spec has not', '/user/all', { as: 'user' }, 404, 'that the specification knows'),
  {
    what: "another user's document",
    call: (cloud, { user }) => {
      const foreign = cloud.addDocument({ owner: 'bob', name: 'Private.pdf' });
      return api(cloud, `/documents/${foreign.info.uuid}.content?retain=true`, { token: user });
    },
    status: 403,
    noted: "another user's document",
  },
];

test.each(cases)('$what is answered $status and noticed', async ({ call, status, noted }) => {
  await using cloud = await startCloud();
  const { device } = await enrol(cloud);
  const user = await login(cloud, device);
  expect(cloud.deviations).toEqual([]);
  const answer = await call(cloud, { device, user });
  expect(answer.status).toBe(status);
  expect(cloud.deviations).toEqual([expect.stringContaining(noted)]);
});

test('the word before a token counts in any case (RFC 9110 section 11.1)', async () => {
  await using cloud = await startCloud();
  const { device } = await enrol(cloud);
  for (const scheme of ['bearer', 'BEARER']) {
    const headers = { authorization: `${scheme} ${device}` };
    expect((await api(cloud, '/version', { headers })).status).toBe(200);
  }
  expect((await api(cloud, '/version', { headers: { authorization: `Basic ${device}` } })).status).toBe(401);
});

test('a method that a path has not is answered with those it has (RFC 9110 section 15.5.6)', async () => {
  await using cloud = await startCloud();
  const answer = await api(cloud, '/account/container/9', { method: 'POST' });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'PUT, DELETE']);
});

interface RegisterCase {
  readonly what: string;
  readonly change: Record<string, string>;
  readonly code: string;
  /** Absent: the service may say no to a client without fault. */
  readonly noted?: string;
}

const registerCases: readonly RegisterCase[] = [
  { what: 'an unknown field', change: { user_code: 'x' }, code: 'invalid_parameters', noted: 'user_code' },
  {
    what: 'a client_type there is not',
    change: { client_type: 'toaster' },
    code: 'invalid_parameters',
    noted: 'client_type',
  },
  {
    what: 'another response_type',
    change: { response_type: 'code' },
    code: 'invalid_response_type',
    noted: 'code',
  },
  { what: 'a key_type there is not', change: { key_type: 'dsa' }, code: 'invalid_key_type', noted: 'dsa' },
  {
    what: 'a key that is none',
    change: { public_key: 'AAAA' },
    code: 'invalid_parameters',
    noted: 'public_key',
  },
  { what: 'a wrong API key', change: { client_secret: 'wrong' }, code: 'invalid_client_secret' },
];

test.each(registerCases)('register with $what answers $code', async ({ change, code, noted }) => {
  await using cloud = await startCloud();
  const answer = await oauth(cloud, '/register', form({ ...registration(cloud), ...change }), unsigned);
  expect(await fieldsOf(answer)).toMatchObject({ x_error_code: code });
  expect(cloud.deviations).toHaveLength(noted === undefined ? 0 : 1);
  expect(cloud.deviations.join('')).toContain(noted ?? '');
});

test('a base64 key sent without URL-encoding is noticed', async () => {
  await using cloud = await startCloud();
  const body = form(registration(cloud)).replaceAll('%2F', '/');
  const answer = await oauth(cloud, '/register', body, unsigned);
  expect(answer.status).toBe(400);
  expect(cloud.deviations).toEqual([expect.stringContaining('not URL-encoded')]);
});

test('ordinary refusals are no deviations: wrong key, unknown card, expired token', async () => {
  await using cloud = await startCloud({ userTokenLife: seconds(0) });
  const { device } = await enrol(cloud);
  expect((await api(cloud, '/version', { headers: { 'x-api-key': 'wrong' } })).status).toBe(403);
  const unknownCard = post({ authtype: '1', userid: 'FFFFFFFF' }, { token: device });
  expect((await api(cloud, '/login', unknownCard)).status).toBe(401);
  expect((await api(cloud, '/documents', { token: await login(cloud, device) })).status).toBe(401);
  expect(cloud.deviations).toEqual([]);
});

test('the signature is judged over the exact bytes of the body', async () => {
  await using cloud = await startCloud({ approval: 'at-once' });
  await oauth(cloud, '/register', form(registration(cloud)), unsigned);
  const body = form(registration(cloud));
  const [one, two] = [`${body}&`, body.replace('Lobby', 'lobby')];
  for (const other of [one, two]) {
    const answer = await oauth(cloud, '/register', other, signatureOf(body));
    expect(answer.ok).toBe(false);
  }
  expect((await oauth(cloud, '/register', body, signatureOf(body))).status).toBe(200);
  expect(cloud.deviations).toHaveLength(2);
});
