/** What a terminal reads of the account, call by call, and who may read it. */
import { expect, test } from 'vitest';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { apiRoutes } from '../../src/simulator/cloud/routes.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { adminCard, api, arrive, clientId, enrol, fieldsOf, login } from '../support/cloud/hand-client.ts';

const bodyOf = async (answer: Response): Promise<unknown> => answer.json();

interface Reading {
  readonly path: string;
  readonly status?: number;
  readonly answer: unknown;
}

const readings: readonly Reading[] = [
  {
    path: '/account',
    answer: { id: 2, domainNames: ['example.org', 'print.example.org'], primaryDomain: 'example.org' },
  },
  { path: '/account?domainname=Kitchen.example.org', answer: { id: 5, accountType: 3 } },
  { path: '/account?domainname=elsewhere.org', status: 404, answer: { errorCode: 1006 } },
  { path: '/users?username=alice&providerid=3', answer: { id: 101, cards: ['04A1B2C3D4'], token: null } },
  { path: '/users?username=alice&providerid=4', status: 404, answer: { errorCode: 10000 } },
  { path: '/users/ALICE/groups', answer: [{ id: 1, groupName: 'Everybody' }] },
  { path: '/users/nobody/groups', status: 400, answer: { errorCode: 10000 } },
  { path: '/groups', answer: [{ id: 1 }, { id: 2 }] },
  { path: '/groups/2', answer: { groupName: 'Upstairs' } },
  { path: `/groups/${encodeURIComponent('cn=upstairs,dc=example,dc=org')}`, answer: { id: 2 } },
  { path: '/groups/3', status: 404, answer: { errorCode: 10000 } },
  {
    path: '/inputports',
    answer: [
      { id: 11, portType: 0 },
      { id: 12, outputPort: 'Lobby' },
    ],
  },
  {
    path: '/inputports?locationids=21&locationids=22&enrichPorts=true',
    answer: [{ id: 12, locationId: 21 }],
  },
  { path: '/locations?locationtype=1&locationdata=127.0.0.1', answer: [{ id: 21, name: 'Front house' }] },
  {
    path: '/locations?locationtype=2&locationdata=10.1.0.0%2F16&locationtype=3&locationdata=10.2.0.1-10.2.0.99',
    answer: [{ id: 21 }, { id: 22 }],
  },
  { path: '/locations?locationtype=4&locationdata=nowhere', answer: [] },
  { path: '/locations/22', answer: { name: 'Back house' } },
  { path: '/locations?locationId=21', answer: { name: 'Front house' } },
  { path: '/locations/23', status: 404, answer: { errorCode: 10000 } },
  { path: '/authproviders?accountid=2', answer: [{ id: 3 }, { id: 4, providerType: 2 }] },
  { path: '/authproviders?accountid=9', status: 400, answer: { errorCode: 1006 } },
  { path: '/certificate/root', answer: [{ alias: 'example-root' }] },
  { path: '/certificate/ca?subject=print%20service&expiresin=100000', answer: [{ alias: 'example-root' }] },
  { path: '/certificate/ca?subject=print%20service&expiresin=1', answer: [] },
  { path: '/certificate/ca?issuer=Nobody', answer: [] },
  { path: '/certificate/chain', answer: [] },
  { path: `/endpoints/${clientId}`, answer: { endpointType: 'Printer', authorized: true } },
  { path: '/endpoints/nobody', status: 400, answer: { errorCode: 10000 } },
  { path: '/endpoints?withVersion=false', answer: { items: [{ endpointId: clientId }], recordsOnPage: 1 } },
  { path: '/endpoints?withVersion=true', answer: { items: [], recordsOnPage: 0 } },
  {
    path: '/terminalconfig?serialnumber=SN-0002',
    answer: {
      services: { print: { serviceId: 'PRINT', enabled: true } },
      'authentication-way': { shortIdAuthentication: true },
    },
  },
  { path: '/terminalconfig?serialnumber=SN-0001', status: 404, answer: { errorCode: 10000 } },
];

test.each(readings)('GET $path, by a device and by an administrator', async ({ path, status, answer }) => {
  await using cloud = await startCloud({ readsFor: 'devices-and-users' });
  const { device, user } = await arrive(cloud, adminCard);
  for (const token of [device, user]) {
    const given = await api(cloud, path, { token });
    expect(given.status).toBe(status ?? 200);
    expect(await bodyOf(given)).toMatchObject(Object(answer));
  }
  expect(cloud.deviations).toEqual([]);
});

const misuses: readonly (readonly [path: string, noted: string])[] = [
  ['/account?domain=example.org', 'domain is not known here'],
  ['/users?username=alice', 'providerid'],
  ['/locations', 'locationtype'],
  ['/locations?locationtype=1&locationdata=10.1.0.0%2F16', 'no GATEWAY_IP'],
  ['/locations?locationtype=2&locationdata=10.1.0.0%2F33', 'no SUBNET'],
  ['/locations?locationtype=3&locationdata=10.2.0.1', 'no IP_RANGE'],
  ['/locations?locationtype=3&locationdata=10.2.0.99-10.2.0.1', 'no IP_RANGE'],
  ['/locations?locationtype=3&locationdata=10.10.0.1-10.9.255.255', 'no IP_RANGE'],
  ['/locations?locationtype=3&locationdata=200.0.0.1-100.0.0.1', 'no IP_RANGE'],
  ['/locations?locationtype=1', 'locationdata'],
  ['/locations?locationtype=4&locationdata=a&locationdata=b', 'without its locationtype'],
  ['/authproviders', 'accountid'],
  ['/certificate/ca?serial=0x1F', 'whole number'],
  ['/endpoints?withVersion=false&maxrecords=2001', 'expected 1 to 2000'],
  ['/endpoints?maxrecords=50', 'withVersion'],
  ['/groups?pagetoken=x', 'pagetoken is not known here'],
  ['/token?refresh_token=unknown', 'a deprecated call'],
];

test.each(misuses)('GET %s is answered 400 and noticed', async (path, noted) => {
  await using cloud = await startCloud();
  const { user } = await arrive(cloud, adminCard);
  expect((await api(cloud, path, { token: user })).status).toBe(400);
  expect(cloud.deviations).toEqual([expect.stringContaining(noted)]);
});

const guarded = apiRoutes.filter(({ permissions }) => permissions.length > 0);

test.each(guarded)('$method $path is refused to who may not', async ({ method, path }) => {
  const users = sampleData.users.map((one) => ({ ...one, permissions: [] }));
  await using cloud = await startCloud({ seed: { ...sampleData, users } });
  const { user } = await arrive(cloud);
  const answer = await api(cloud, path.replace('/api/v1', '').replaceAll(/<\w+>/g, '1'), {
    method,
    token: user,
  });
  expect(answer.status).toBe(403);
  expect(cloud.deviations).toEqual([]);
});

const read = apiRoutes.filter(({ takes }) => takes === 'reading' || takes === 'terminal-reading');

test.each(read)('$method $path can be kept from devices', async ({ path }) => {
  await using cloud = await startCloud({ readsFor: 'users' });
  const { device } = await enrol(cloud);
  const answer = await api(cloud, path.replace('/api/v1', '').replaceAll(/<\w+>/g, '1'), { token: device });
  expect(answer.status).toBe(403);
  expect(cloud.deviations).toEqual([]);
});

test('a device may look at itself, also where nothing else is for devices', async () => {
  await using cloud = await startCloud({ readsFor: 'users' });
  const { device } = await enrol(cloud);
  expect((await api(cloud, `/endpoints/${clientId}`, { token: device })).status).toBe(200);
  expect((await api(cloud, '/endpoints/another', { token: device })).status).toBe(403);
});

test('without an API key, HEAD /account tells whether there is such an account', async () => {
  await using cloud = await startCloud();
  const head = (query: string) => fetch(`${cloud.baseUrl}/api/v1/account${query}`, { method: 'HEAD' });
  expect([(await head('')).status, (await head('?domainname=elsewhere.org')).status]).toEqual([200, 404]);
  expect(cloud.deviations).toEqual([]);
});

test('the secrets of authentication providers are for users who may see them, and for a key that is enough for all', async () => {
  const path = '/authproviders?accountid=2';
  await using cloud = await startCloud();
  const { device, user } = await arrive(cloud, adminCard);
  await using open = await startCloud({ keyAllows: ['unauthenticated-requests'] });
  const answers = await Promise.all([
    fetch(`${cloud.baseUrl}/api/v1${path}`),
    api(cloud, path),
    api(cloud, path, { token: device }),
    api(cloud, path, { token: user }),
    api(open, path),
  ]);
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  expect(texts.map((text) => text.includes('example-secret'))).toEqual([false, false, false, true, true]);
  expect(texts.every((text) => text.includes('example-client'))).toBe(true);
  expect([...cloud.deviations, ...open.deviations]).toEqual([]);
});

test('a root certificate is base64 DER, an authority PEM; a gateway has none', async () => {
  const bodies = async (cloud: SimulatedCloud, token: string) =>
    Promise.all(
      ['root', 'ca'].map(async (store) => {
        const answer = await api(cloud, `/certificate/${store}`, { token });
        const list = await bodyOf(answer);
        return Array.isArray(list) ? String(list[0].body) : answer.status;
      }),
    );
  await using primary = await startCloud();
  const [root, authority] = await bodies(primary, (await enrol(primary)).device);
  expect(root).toMatch(/^MII[A-Za-z0-9+/]+=*$/);
  expect(authority).toMatch(/^-----BEGIN CERTIFICATE-----\n/);
  await using gateway = await startCloud({ role: 'gateway' });
  expect(await bodies(gateway, (await enrol(gateway)).device)).toEqual([400, 400]);
});

test('a card is enrolled for its owner only, and above five the oldest goes', async () => {
  await using cloud = await startCloud();
  const { user, device } = await arrive(cloud);
  const enrolCard = (card: string) =>
    api(cloud, '/users/alice/cards', { method: 'POST', token: user, body: `cardid=${card}` });
  for (const card of ['C1', 'C2', 'C3', 'C4', 'C4', 'C5']) {
    expect(await fieldsOf(await enrolCard(card))).toEqual({ errorCode: 0 });
  }
  expect(cloud.state.users[0]?.cards).toEqual(['C1', 'C2', 'C3', 'C4', 'C5']);
  expect((await api(cloud, '/documents', { token: await login(cloud, device, 'C5') })).status).toBe(200);
  const bobs = await enrolCard('04B5C6D7E8');
  expect([bobs.status, await fieldsOf(bobs)]).toEqual([400, { errorCode: 1005 }]);
  expect(cloud.deviations).toEqual([]);
});

test.each([
  ['application/xml', 'application/xml'],
  ['application/json;q=0.5, application/xml', 'application/xml'],
  ['application/xml;q=0.5, */*;q=0.1', 'application/xml'],
  ['application/xml, application/json', 'application/json'],
  ['application/xml;q=0.1, */*', 'application/json'],
  ['*/*', 'application/json'],
])('who accepts %s gets %s', async (accept, type) => {
  await using cloud = await startCloud();
  const answer = await api(cloud, '/version', { headers: { accept } });
  expect(answer.headers.get('content-type')).toBe(type);
  expect(cloud.deviations).toEqual([]);
});

test('XML tells every field, whatever its name and text, also of a refusal', async () => {
  const [port] = sampleData.outputPorts;
  const odd = port && [
    {
      ...port,
      name: 'A & B <"C">\u0007',
      properties: { 'two words': 'x' },
      terminalInfo: { deployStatus: null },
    },
  ];
  await using cloud = await startCloud({ seed: { ...sampleData, outputPorts: odd ?? [] } });
  const { device } = await enrol(cloud);
  const asXml = { headers: { accept: 'application/xml' }, token: device };
  const ports = await (await api(cloud, '/outputports', asXml)).text();
  expect(ports).toMatch(
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<response><item>.*<\/item><\/response>\n$/,
  );
  expect(ports).toContain('<id>7</id>');
  expect(ports).toContain('<name>A &amp; B &lt;&quot;C&quot;&gt;\ufffd</name>');
  expect(ports).toContain('<properties><entry key="two words">x</entry></properties>');
  expect(ports).toContain('<services><PRINT><item>1</item></PRINT></services>');
  expect(ports).toContain('<terminalInfo><deployStatus/></terminalInfo>');
  const refused = await api(cloud, '/account?domainname=elsewhere.org', asXml);
  expect([refused.status, await refused.text()]).toEqual([
    404,
    expect.stringContaining('<response><errorCode>1006</errorCode></response>'),
  ]);
});

const namedUsers: readonly (readonly [query: string, ports: number])[] = [
  ['username=alice', 2],
  ['username=alice&providerid=3', 2],
  ['username=alice&providerid=0', 2],
  ['username=alice&providerid=4', 0],
  ['username=nobody', 0],
  ['providerid=3', 2],
  ['providerid=9', 0],
];

test.each(namedUsers)('ports for %s are %i', async (query, ports) => {
  await using cloud = await startCloud();
  const { device } = await enrol(cloud);
  for (const path of ['/outputports', '/inputports']) {
    expect(await bodyOf(await api(cloud, `${path}?${query}`, { token: device }))).toHaveLength(ports);
  }
  expect(cloud.deviations).toEqual([]);
});
