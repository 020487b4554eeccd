/** What the simulated cloud keeps of what was done, its certificates, and the ways of its OAuth side that no device takes. */
import { expect, test } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { administratorOf } from './administrator.ts';
import {
  api,
  clientId,
  fieldsOf,
  form,
  grant,
  oauth,
  registration,
  signatureOf,
  unsigned,
} from '../support/cloud/hand-client.ts';

const ever = 'datefrom=2000-01-01T00:00:00Z&dateto=2100-01-01T00:00:00Z';

test('the audit log has each change with who made it and how it ended, and no reading', async () => {
  await using at = await administratorOf();
  await at.ask('GET', '/groups');
  await at.submit('PUT', '/groups', { groupname: 'Night shift' });
  await at.ask('DELETE', '/groups/99');
  const { items } = Object((await at.ask('GET', `/logs/auditlogs?${ever}`)).body);
  expect(items).toMatchObject([
    {
      category: 'login',
      type: 'LoggedIn',
      result: 'Success',
      eventContext: {
        request: { UnauthenticatedRequest: { requestingUser: { theType: 'device', userId: clientId } } },
      },
    },
    {
      category: 'groups',
      type: 'Saved',
      operation: { op: 'PUT', text: 'PUT /api/v1/groups' },
      eventContext: {
        accountId: 2,
        request: { AuthenticatedRequest: { executingUser: { user: { name: 'admin', id: 104 } } } },
      },
    },
    {
      category: 'groups',
      type: 'Deleted',
      id: '99',
      result: 'Failure',
      error: { errCode: 1044, errMsg: 'HTTP 404' },
    },
  ]);
  const first = Object((await at.ask('GET', `/logs/auditlogs?${ever}&category=groups&maxRecords=1`)).body);
  const next = `/logs/auditlogs?${ever}&category=groups&maxRecords=1&pagetoken=${first.nextPageToken}`;
  expect((await at.ask('GET', next)).body).toMatchObject({ items: [{ type: 'Deleted' }], recordsOnPage: 1 });
  expect((await at.ask('GET', `/logs/auditlogs?${ever}&filter=Night`)).body).toMatchObject({
    recordsOnPage: 0,
  });
  expect(at.cloud.deviations).toEqual([]);
  expect((await at.ask('GET', `/logs/auditlogs?pagetoken=${first.nextPageToken}`)).status).toBe(400);
  expect(at.cloud.deviations).toEqual([expect.stringContaining('datefrom')]);
});

const [root] = sampleData.certificates;

test('an authority is taken in PEM or DER, under a name of its own, and goes by it', async () => {
  await using at = await administratorOf();
  const send = async (body: string | Uint8Array<ArrayBuffer>) => {
    const answer = await fetch(`${at.cloud.baseUrl}/api/v1/certificate/ca`, {
      method: 'POST',
      body,
      headers: {
        'x-api-key': at.cloud.apiKey,
        authorization: `Bearer ${at.token}`,
        'content-type': 'application/octet-stream',
      },
    });
    return [answer.status, (await fieldsOf(answer))['alias']];
  };
  const pem = root?.pem ?? '';
  const der = new Uint8Array(Buffer.from(pem.replaceAll(/-----.*-----|\n/g, ''), 'base64'));
  expect(await send(pem)).toEqual([200, 'Example print service root']);
  expect(await send(der)).toEqual([200, 'Example print service root 2']);
  expect((await send('no certificate'))[0]).toBe(400);
  const named = `/certificate/ca/${encodeURIComponent('Example print service root 2')}`;
  expect(await at.ask('DELETE', named)).toEqual({ status: 200, body: undefined });
  expect(await at.ask('DELETE', named)).toEqual({ status: 404, body: { errorCode: 1130 } });
  expect(await at.ask('DELETE', '/certificate/chain/none')).toEqual({
    status: 404,
    body: { errorCode: 1131 },
  });
});

test.each(['no keystore at all', ''])('a chain that is no PKCS#12 is refused: “%s”', async (text) => {
  await using at = await administratorOf();
  const body = new FormData();
  body.append('password', 'keystore');
  body.append('data', new File([text], 'chain.p12'));
  const headers = { 'x-api-key': at.cloud.apiKey, authorization: `Bearer ${at.token}` };
  const answer = await fetch(`${at.cloud.baseUrl}/api/v1/certificate/chain`, {
    method: 'POST',
    body,
    headers,
  });
  expect(answer.status).toBe(400);
});

// Of RFC 7636, appendix B.
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const asked = {
  response_type: 'code',
  client_id: 'app',
  redirect_uri: 'https://app.example/in',
  login_hint: 'alice',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  state: 's',
};

test('a code stands for a person once, for a minute, and for who has the verifier', async () => {
  const clock = createSteeredClock();
  await using cloud = await startCloud({ clock });
  const codeFor = async (fields: Record<string, string> = {}) => {
    const answer = await fetch(`${cloud.authUrl}/oauth/v1/authorize?${form({ ...asked, ...fields })}`, {
      redirect: 'manual',
    });
    return new URL(answer.headers.get('location') ?? '').searchParams;
  };
  const redeem = async (code: string, code_verifier = verifier) => {
    const { client_id, redirect_uri } = asked;
    const fields = { client_id, client_secret: cloud.apiKey, redirect_uri, code, code_verifier };
    return fieldsOf(
      await oauth(cloud, '/token', form({ ...fields, grant_type: 'authorization_code' }), unsigned),
    );
  };
  const given = await codeFor();
  expect(given.get('state')).toBe('s');
  const { access_token } = await redeem(given.get('code') ?? '');
  expect((await api(cloud, '/documents', { token: String(access_token) })).status).toBe(200);
  const failed = { error: 'invalid_grant', x_error_code: 'token_create_error' };
  expect(await redeem(given.get('code') ?? '')).toMatchObject(failed);
  expect((await api(cloud, '/documents', { token: String(access_token) })).status).toBe(401);
  const late = (await codeFor()).get('code') ?? '';
  await clock.advance(seconds(61));
  expect(await redeem(late)).toMatchObject(failed);
  expect((await codeFor({ login_hint: 'nobody' })).get('error')).toBe('access_denied');
  expect(cloud.deviations).toEqual([expect.stringContaining('a code was used again')]);
  expect(await redeem((await codeFor()).get('code') ?? '', 'another')).toMatchObject(failed);
  expect(cloud.deviations.at(-1)).toContain('not what the code was given for');
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///x', 'https://app.example/back#here'])(
  'no code goes to %s',
  async (redirect_uri) => {
    await using cloud = await startCloud();
    const place = `${cloud.authUrl}/oauth/v1/authorize?${form({ ...asked, redirect_uri })}`;
    expect((await fetch(place, { redirect: 'manual' })).status).toBe(400);
  },
);

test('a code is redeemed without a secret too, and its tokens go with the default key alone', async () => {
  await using cloud = await startCloud({ furtherKeys: ['second-key'] });
  const redeem = async (secret: Record<string, string>) => {
    const { headers } = await fetch(`${cloud.authUrl}/oauth/v1/authorize?${form(asked)}`, {
      redirect: 'manual',
    });
    const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
    const { client_id, redirect_uri } = asked;
    const fields = { client_id, redirect_uri, code, code_verifier: verifier, ...secret };
    const body = form({ ...fields, grant_type: 'authorization_code' });
    return fieldsOf(await oauth(cloud, '/token', body, unsigned));
  };
  const { access_token } = await redeem({});
  const listed = async (key: string) =>
    (
      await fetch(`${cloud.baseUrl}/api/v1/documents`, {
        headers: { 'x-api-key': key, authorization: `Bearer ${String(access_token)}` },
      })
    ).status;
  expect([await listed(cloud.apiKey), cloud.deviations]).toEqual([200, []]);
  expect(await redeem({ client_secret: 'second-key' })).toMatchObject({
    x_error_code: 'invalid_client_secret',
  });
  expect([await listed('second-key'), cloud.deviations]).toEqual([
    403,
    [expect.stringContaining('than the first'), expect.stringContaining('than that of the login')],
  ]);
});

test('a grant that there is not is told as such', async () => {
  await using cloud = await startCloud();
  const fields = { ...grant(cloud, { device_code: 'x' }), grant_type: 'password' };
  expect(await fieldsOf(await oauth(cloud, '/token', form(fields)))).toEqual({
    error: 'unsupported_grant_type',
    error_description: 'Unsupported grant type',
    x_error_code: 'invalid_grant',
  });
});

test('the authorization code flow is announced by a primary server, and by no other', async () => {
  const path = '/oauth/v1/.well-known/openid-configuration';
  await using cloud = await startCloud();
  expect(await fieldsOf(await fetch(`${cloud.authUrl}${path}`))).toMatchObject({
    authorization_endpoint: `${cloud.authUrl}/oauth/v1/authorize`,
    token_endpoint: `${cloud.authUrl}/oauth/v1/token`,
  });
  await using secondary = await startCloud({ role: 'secondary' });
  expect((await fetch(`${secondary.authUrl}${path}`)).status).toBe(404);
});

test('the older form goes by GET, and what stands after the question mark is signed', async () => {
  await using cloud = await startCloud({ approval: 'at-once' });
  const ask = async (path: string, query: string, signature?: string) =>
    fieldsOf(
      await fetch(`${cloud.authUrl}/oauth/v1${path}?${query}`, {
        headers: signature === undefined ? {} : { 'HCP-Request-Signature': signature },
      }),
    );
  const { device_code } = await ask('/register', form(registration(cloud)));
  const query = form(grant(cloud, { device_code: String(device_code) }));
  expect(await ask('/token', query, signatureOf('another'))).toMatchObject({
    x_error_code: 'invalid_signature',
  });
  expect(await ask('/token', query, signatureOf(query))).toMatchObject({ token_type: 'Bearer' });
  await using newer = await startCloud({ oauthForms: 'newer' });
  const refused = await fetch(`${newer.authUrl}/oauth/v1/register?${query}`);
  expect([refused.status, await fieldsOf(refused)]).toMatchObject([
    400,
    { x_error_code: 'invalid_parameters' },
  ]);
});
