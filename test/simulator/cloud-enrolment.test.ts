/** Registration, approval and the one-time refresh token of the simulated cloud (src/cloud/README.md 1 to 4). */
import { expect, test } from 'vitest';
import { hours, seconds } from '../../src/core/duration.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
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
} from '../support/cloud/hand-client.ts';

async function registerFirst(cloud: SimulatedCloud): Promise<string> {
  return textField(await oauth(cloud, '/register', form(registration(cloud)), unsigned), 'device_code');
}

async function poll(cloud: SimulatedCloud, device_code: string): Promise<string> {
  const answer = await fieldsOf(await oauth(cloud, '/token', form(grant(cloud, { device_code }))));
  return 'access_token' in answer ? 'granted' : String(answer['x_error_code']);
}

async function refresh(cloud: SimulatedCloud, refresh_token: string): Promise<Record<string, unknown>> {
  return fieldsOf(await oauth(cloud, '/token', form(grant(cloud, { refresh_token }))));
}

test('the published test vector fits', async () => {
  await using cloud = await startCloud({ apiKey: 'mykey', approval: 'at-once' });
  await registerFirst(cloud);
  const body = `client_id=${clientId}&client_secret=mykey&grant_type=device_code&device_code=wVgzOcLwemGJPfY_d01E3PA8H3k`;
  const published =
    'MKS1dCmgp4rLbZ2oaQeFb9pultWjI0zU7si5lb3oLCJWH8t8jgps4LLz/isPSa5OWfQAtFB3NAu04axirmF9CA==';
  const answer = await oauth(cloud, '/token', body, published);
  expect(await textField(answer, 'x_error_code')).toBe('invalid_device_code');
  expect(cloud.deviations).toEqual([]);
});

test('approval after so many polls', async () => {
  await using cloud = await startCloud({ approval: { afterPolls: 2 } });
  const code = await registerFirst(cloud);
  const answers = [await poll(cloud, code), await poll(cloud, code), await poll(cloud, code)];
  expect(answers).toEqual(['authorization_pending', 'authorization_pending', 'granted']);
  expect(await poll(cloud, code)).toBe('invalid_device_code');
});

test('a device code expires', async () => {
  await using cloud = await startCloud({ deviceCodeLife: seconds(0) });
  expect(await poll(cloud, await registerFirst(cloud))).toBe('expired_device_code');
});

test('a rejected client is told so', async () => {
  await using cloud = await startCloud();
  const code = await registerFirst(cloud);
  expect(cloud.reject()).toEqual([clientId]);
  expect(await poll(cloud, code)).toBe('access_denied');
});

test('an unsigned second registration is a duplicate, a signed one needs no approval', async () => {
  await using cloud = await startCloud();
  await enrol(cloud);
  const again = form(registration(cloud));
  expect(await textField(await oauth(cloud, '/register', again, unsigned), 'x_error_code')).toBe(
    'duplicate_client_id',
  );
  const code = await textField(await oauth(cloud, '/register', again), 'device_code');
  expect(await poll(cloud, code)).toBe('granted');
  expect(cloud.deviations).toEqual([]);
});

test('a deleted client is not found and may register anew', async () => {
  await using cloud = await startCloud();
  const { device, refresh: token } = await enrol(cloud);
  cloud.deleteEndpoint(clientId);
  expect(await refresh(cloud, token)).toMatchObject({ x_error_code: 'invalid_endpoint' });
  expect((await api(cloud, '/outputports', { token: device })).status).toBe(401);
  const signed = await oauth(cloud, '/register', form(registration(cloud)));
  expect(await textField(signed, 'x_error_code')).toBe('invalid_endpoint');
  expect(await poll(cloud, await registerFirst(cloud))).toBe('authorization_pending');
});

test('token calls of a client with a key must be signed', async () => {
  await using cloud = await startCloud({ approval: 'at-once' });
  const body = form(grant(cloud, { device_code: await registerFirst(cloud) }));
  expect(await textField(await oauth(cloud, '/token', body, unsigned), 'x_error_code')).toBe(
    'missing_signature',
  );
  expect(await textField(await oauth(cloud, '/token', body, 'AAAA'), 'x_error_code')).toBe(
    'invalid_signature',
  );
  expect(cloud.deviations).toHaveLength(2);
});

test('when trust is withdrawn, the device token and its refresh are worth nothing', async () => {
  await using cloud = await startCloud();
  const { device, refresh: token } = await enrol(cloud);
  cloud.withdrawTrust();
  expect((await api(cloud, '/outputports', { token: device })).status).toBe(403);
  expect(await refresh(cloud, token)).toMatchObject({
    x_error_code: 'endpoint_not_authorized_for_device_token_refresh',
  });
  expect(cloud.deviations).toEqual([]);
});

test('I6: a refresh token works once; its second use is noticed and ends the whole family', async () => {
  await using cloud = await startCloud();
  const { refresh: first } = await enrol(cloud);
  const second = await refresh(cloud, first);
  expect(second).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
  expect(await refresh(cloud, first)).toMatchObject({ x_error_code: 'token_refresh_error' });
  expect(cloud.deviations).toEqual([expect.stringContaining('a refresh token was used again')]);
  expect(await refresh(cloud, String(second['refresh_token']))).toMatchObject({ error: 'invalid_grant' });
  expect((await api(cloud, '/outputports', { token: String(second['access_token']) })).status).toBe(401);
});

const lostAnswers = [
  { kind: 'answer-lost' },
  { kind: 'cut-body', afterBytes: 10 },
  { kind: 'malformed-json' },
  { kind: 'empty' },
] as const;

test.each(lostAnswers)('after $kind one recovery try is no deviation, a second one is', async (fault) => {
  await using cloud = await startCloud();
  const { refresh: token } = await enrol(cloud);
  cloud.answerNext({ path: '/token' }, fault);
  await refresh(cloud, token).catch(() => undefined);
  expect(await refresh(cloud, token)).toMatchObject({ x_error_code: 'token_refresh_error' });
  expect(cloud.deviations).toEqual([]);
  await refresh(cloud, token);
  expect(cloud.deviations).toHaveLength(1);
});

test('within the grace the recovery try succeeds', async () => {
  await using cloud = await startCloud({ refreshGrace: hours(1) });
  const { refresh: token } = await enrol(cloud);
  cloud.answerNext({ path: '/token' }, { kind: 'answer-lost' });
  await refresh(cloud, token).catch(() => undefined);
  expect(await refresh(cloud, token)).toHaveProperty('access_token');
  expect(cloud.deviations).toEqual([]);
});

test('the recovery try of a client that was killed can be forgiven', async () => {
  await using cloud = await startCloud();
  const { refresh: token } = await enrol(cloud);
  await refresh(cloud, token);
  cloud.forgiveReuse();
  expect(await refresh(cloud, token)).toMatchObject({ x_error_code: 'token_refresh_error' });
  expect(cloud.deviations).toEqual([]);
});

test('expired tokens are answered 401, and a new login works', async () => {
  await using cloud = await startCloud();
  const { device } = await enrol(cloud);
  const token = await login(cloud, device);
  cloud.expireTokens('user');
  expect((await api(cloud, '/documents', { token })).status).toBe(401);
  expect((await api(cloud, '/documents', { token: await login(cloud, device) })).status).toBe(200);
});
