/** The five ways to log in at the simulated cloud, and what the API key has to allow for them. */
import { expect, test } from 'vitest';
import type { CloudOptions } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import {
  api,
  arrive,
  enrol,
  fieldsOf,
  form,
  grant,
  oauth,
  registration,
  textField,
  unsigned,
} from '../support/cloud/hand-client.ts';

const open: CloudOptions = { keyAllows: ['unauthenticated-requests'] };

interface Way {
  readonly what: string;
  readonly fields: Record<string, string>;
  readonly status: number;
}

const ways: readonly Way[] = [
  { what: 'a password', fields: { authtype: '0', userid: 'alice', password: 'alice-secret' }, status: 200 },
  { what: 'a wrong password', fields: { authtype: '0', userid: 'alice', password: 'no' }, status: 401 },
  { what: 'a card', fields: { authtype: '1', userid: '04A1B2C3D4' }, status: 200 },
  { what: 'a short id', fields: { authtype: '2', userid: '4711' }, status: 200 },
  { what: 'an unknown short id', fields: { authtype: '2', userid: '0000' }, status: 401 },
  { what: 'a name', fields: { authtype: '3', userid: 'alice' }, status: 200 },
  { what: 'an email', fields: { authtype: '4', userid: 'alice@example.org' }, status: 200 },
  { what: 'the name of nobody', fields: { authtype: '3', userid: 'zoe' }, status: 401 },
];

test.each(ways)('$what is answered $status', async ({ fields, status }) => {
  await using cloud = await startCloud();
  const { device } = await enrol(cloud);
  const answer = await api(cloud, '/login', { method: 'POST', token: device, body: form(fields) });
  expect(answer.status).toBe(status);
  expect(await fieldsOf(answer)).toMatchObject(
    status === 200 ? { userName: 'alice', token: {} } : { errorCode: 10_000 },
  );
  expect(cloud.deviations).toEqual([]);
});

test('all but a password needs, without a trusted device, a key that allows it', async () => {
  for (const fields of [
    { authtype: '1', userid: '04A1B2C3D4' },
    { authtype: '2', userid: '4711' },
    { authtype: '3', userid: 'alice' },
    { authtype: '4', userid: 'alice@example.org' },
  ]) {
    for (const [keyAllows, status] of [
      [['untrusted-endpoints'], 403],
      [['untrusted-endpoints', 'unauthenticated-requests'], 200],
    ] as const) {
      await using cloud = await startCloud({ keyAllows });
      const answer = await api(cloud, '/login', { method: 'POST', body: form(fields) });
      expect(answer.status).toBe(status);
      expect(cloud.deviations).toEqual([]);
    }
  }
});

test('a card is refused with a wrong PIN; alone, as a terminal sends it that asks for none, it is enough', async () => {
  const users = sampleData.users.map((one) => ({ ...one, cards: [...one.cards], pin: '9999' }));
  await using cloud = await startCloud({ seed: { ...sampleData, users } });
  const { device } = await enrol(cloud);
  const statuses = [];
  for (const pin of [{}, { password: '1111' }, { password: '9999' }]) {
    const body = form({ authtype: '1', userid: '04A1B2C3D4', ...pin });
    statuses.push((await api(cloud, '/login', { method: 'POST', token: device, body })).status);
  }
  expect(statuses).toEqual([200, 401, 200]);
});

test('a one-time password opens the account once', async () => {
  await using cloud = await startCloud();
  cloud.addUser({ userName: 'dora', password: 'long', oneTimePassword: '123456' });
  const { device } = await enrol(cloud);
  const body = form({ authtype: '0', userid: 'dora', password: '123456' });
  const once = async () => (await api(cloud, '/login', { method: 'POST', token: device, body })).status;
  expect([await once(), await once()]).toEqual([200, 401]);
});

test('an expired user is told of as expired', async () => {
  await using cloud = await startCloud();
  cloud.addUser({ userName: 'dora', cards: ['D0'], isExpired: true });
  const { device } = await enrol(cloud);
  const body = form({ authtype: '1', userid: 'D0' });
  const answer = await api(cloud, '/login', { method: 'POST', token: device, body });
  expect(await fieldsOf(answer)).toMatchObject({ userName: 'dora', isExpired: true });
});

test('a key that allows untrusted endpoints lets a device in that has no token', async () => {
  await using cloud = await startCloud({ keyAllows: ['untrusted-endpoints'] });
  const body = form({ authtype: '0', userid: 'alice', password: 'alice-secret' });
  expect((await api(cloud, '/login', { method: 'POST', body })).status).toBe(200);
  expect((await api(cloud, '/terminalconfig?serialnumber=SN-0002')).status).toBe(200);
  expect(cloud.deviations).toEqual([]);
});

test('a key that allows unauthenticated requests alone does not stand for a trusted device', async () => {
  await using cloud = await startCloud(open);
  const body = form({ authtype: '1', userid: '04A1B2C3D4' });
  const job = form({ jobtype: 'PRINT', username: 'alice', providerid: '3' });
  const answers = await Promise.all([
    api(cloud, '/login', { method: 'POST', body }),
    api(cloud, '/terminalconfig?serialnumber=SN-0002'),
    api(cloud, '/documents/history', { method: 'POST', body: job }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  expect(cloud.deviations).toHaveLength(3);
  expect(cloud.deviations.join()).toContain('no token where a device token belongs');
});

test('a key that allows unauthenticated requests is too insecure for documents', async () => {
  await using cloud = await startCloud(open);
  const { user } = await arrive(cloud);
  expect((await api(cloud, '/documents', { token: user })).status).toBe(403);
  expect((await api(cloud, '/inputports')).status).toBe(200);
  expect(cloud.deviations).toEqual([]);
});

test('no answer with a token may be kept by a cache', async () => {
  await using cloud = await startCloud({ approval: 'at-once' });
  const registered = await oauth(cloud, '/register', form(registration(cloud)), unsigned);
  const device_code = await textField(registered, 'device_code');
  const given = await oauth(cloud, '/token', form(grant(cloud, { device_code })));
  const { access_token, refresh_token } = await fieldsOf(given.clone());
  const body = form({ authtype: '1', userid: '04A1B2C3D4' });
  const loggedIn = await api(cloud, '/login', { method: 'POST', token: String(access_token), body });
  const { token } = await fieldsOf(loggedIn.clone());
  const again = form(grant(cloud, { refresh_token: String(refresh_token) }));
  const answers = [
    given,
    loggedIn,
    await oauth(cloud, '/token', again),
    await api(cloud, `/token?refresh_token=${Object(token)['refresh_token']}`),
  ];
  for (const { status, headers } of answers) {
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  }
});

test('the deprecated refresh is answered, and noticed', async () => {
  await using cloud = await startCloud();
  const { device } = await enrol(cloud);
  const body = form({ authtype: '1', userid: '04A1B2C3D4' });
  const login = await fieldsOf(await api(cloud, '/login', { method: 'POST', token: device, body }));
  const { refresh_token } = Object(login['token']);
  const answer = await api(cloud, `/token?refresh_token=${refresh_token}`);
  expect(Object.keys(await fieldsOf(answer)).toSorted()).toEqual([
    'access_token',
    'expires_in',
    'refresh_token',
  ]);
  expect(cloud.deviations).toEqual([expect.stringContaining('deprecated')]);
});
