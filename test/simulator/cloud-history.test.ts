/** The recorded jobs as the simulated cloud lists them, and lists in pages. */
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { isoWithOffset, systemClock } from '../../src/core/clock.ts';
import { hours, minutes } from '../../src/core/duration.ts';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { adminCard, api, arrive, fieldsOf, form } from '../support/cloud/hand-client.ts';

const day = hours(24);
const instant = (wall: number) => encodeURIComponent(isoWithOffset(wall));

async function record(cloud: SimulatedCloud, device: string, fields: Record<string, string>): Promise<void> {
  const body = form({ jobtype: 'PRINT', username: 'alice', providerid: '3', ...fields });
  await api(cloud, '/documents/history', { method: 'POST', token: device, body });
}

/** A cloud with three jobs, and who may see them. */
async function recorded(cloud: SimulatedCloud): Promise<(query: string) => Promise<Response>> {
  const { device, user } = await arrive(cloud, adminCard);
  const now = systemClock.now();
  await record(cloud, device, {
    title: 'New',
    datetime: isoWithOffset(now - hours(1)),
    serialnumber: 'SN-0001',
  });
  await record(cloud, device, { title: 'Old', datetime: isoWithOffset(now - 3 * day), jobtype: 'COPY' });
  await record(cloud, device, { title: 'Bob', username: 'bob', totalpages: '2', colorpages: '0' });
  return (query) => api(cloud, `/documents/history${query}`, { token: user });
}

const titlesIn = async (answer: Response): Promise<readonly string[]> => {
  const { documents } = Object(await answer.json());
  return documents.map((one: { documentName: string }) => one.documentName);
};

const sinceMonday = `datestart=${instant(systemClock.now() - 6 * day)}`;

const filters: readonly (readonly [query: string, titles: readonly string[]])[] = [
  ['', ['New', 'Bob']],
  [`?${sinceMonday}`, ['New', 'Old', 'Bob']],
  [`?${sinceMonday}&dateend=${instant(systemClock.now() + hours(1))}`, ['New', 'Old', 'Bob']],
  [`?${sinceMonday}&jobtype=COPY`, ['Old']],
  ['?username=bob', ['Bob']],
  ['?portname=Lobby', ['New']],
  ['?status=4&status=8', []],
  ['?status=4,1', ['New', 'Bob']],
  ['?domainname=example.org&status=1', ['New', 'Bob']],
];

test.each(filters)('the history lists what is asked for by %s', async (query, titles) => {
  await using cloud = await startCloud();
  const ask = await recorded(cloud);
  expect(await titlesIn(await ask(query))).toEqual(titles);
  expect(cloud.deviations).toEqual([]);
});

test('a page tells of its range, and of the next page by a token that may come alone', async () => {
  await using cloud = await startCloud();
  const ask = await recorded(cloud);
  const first = await fieldsOf(await ask(`?${sinceMonday}&maxrecords=2`));
  expect(first).toMatchObject({
    documents: [{ outputPortName: 'Lobby', providerId: 3, status: 1 }, { jobType: 'COPY' }],
    recordsOnPage: 2,
    userName: '',
    portName: '',
    domainName: '',
  });
  expect(String(first['dateStart'])).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const token = encodeURIComponent(String(first['nextPageToken']));
  const last = await fieldsOf(await ask(`?pagetoken=${token}`));
  expect(last).toMatchObject({ documents: [{ documentName: 'Bob' }], recordsOnPage: 1 });
  expect(last).not.toHaveProperty('nextPageToken');
  const again = await ask(`?${sinceMonday}&maxrecords=2&pagetoken=${token}`);
  expect(await titlesIn(again)).toEqual(['Bob']);
  expect(cloud.deviations).toEqual([]);
});

const mistakes: readonly (readonly [query: string, noted: string])[] = [
  [`?datestart=${instant(systemClock.now() - 8 * day)}`, 'more than a week'],
  [
    `?datestart=${instant(systemClock.now() + 2 * day)}&dateend=${instant(systemClock.now() + day)}`,
    'not before dateend',
  ],
  [`?dateend=${instant(systemClock.now() - day)}`, 'dateend is not in the future'],
  ['?datestart=2026-02-30T10:00:00Z', 'no such day or time'],
  ['?datestart=2026-11-21', 'ISO 8601 instant'],
  ['?maxrecords=2001', 'expected 1 to 2000'],
  ['?pagetoken=nonsense', 'was not given out'],
  ['?maxRecords=5', 'did you mean maxrecords?'],
];

test.each(mistakes)('the history refuses %s, and notices', async (query, noted) => {
  await using cloud = await startCloud();
  const ask = await recorded(cloud);
  expect((await ask(query)).status).toBe(400);
  expect(cloud.deviations).toEqual([expect.stringContaining(noted)]);
});

const mistakenRecords: readonly (readonly [Record<string, string>, noted: string])[] = [
  [{ datetime: '2026-02-30T10:00:00+01:00' }, 'no such day or time'],
  [{ datetime: '2026-02-29T10:00:00+01:00' }, 'no such day or time'],
  [{ datetime: '2026-04-31T23:59:59-05:00' }, 'no such day or time'],
  [{ datetime: '2026-04-30T24:00:00+00:00' }, 'no such day or time'],
  [{ datetime: '2026-13-01T10:00:00+00:00' }, 'no such day or time'],
  [{ datetime: '2026-04-30T10:00:00+25:00' }, 'no such day or time'],
  [{ serialnumber: 'SN-9999' }, 'name no output port'],
  [{ address: '10.9.9.9' }, 'name no output port'],
  [{ serialnumber: 'SN-9999', address: '10.9.9.9' }, 'name no output port'],
  [{ username: 'bob' }, 'not those of the token'],
  [{ username: 'Admin' }, 'not those of the token'],
  [{ providerid: '4' }, 'not those of the token'],
];

test.each(mistakenRecords)(
  'a record of %o is refused, and kept where the settings say so',
  async (fields, noted) => {
    for (const wrongRecords of ['refused', 'kept'] as const) {
      await using cloud = await startCloud({ wrongRecords });
      const { user } = await arrive(cloud, adminCard);
      const body = form({ jobtype: 'PRINT', ...fields });
      const answer = await api(cloud, '/documents/history', { method: 'POST', token: user, body });
      expect(answer.status).toBe(wrongRecords === 'refused' ? 400 : 200);
      expect(cloud.state.history).toHaveLength(wrongRecords === 'refused' ? 0 : 1);
      expect(cloud.deviations).toEqual([expect.stringContaining(noted)]);
    }
  },
);

test.each(['refused', 'kept'] as const)(
  'a record of a device with an unknown user is %s as the settings say, and costs nobody anything',
  async (wrongRecords) => {
    await using cloud = await startCloud({ wrongRecords });
    cloud.setPrices({ bwNormalPage: 1, bwLargePage: 1, colorNormalPage: 1, colorLargePage: 1 });
    const { device } = await arrive(cloud, adminCard);
    const body = form({ jobtype: 'PRINT', totalpages: '3', username: 'nobody', providerid: '3' });
    const answer = await api(cloud, '/documents/history', { method: 'POST', token: device, body });
    expect(answer.status).toBe(wrongRecords === 'refused' ? 400 : 200);
    const kept = { userName: 'nobody', providerId: 3, totalPages: 3, recordedWith: 'device' };
    expect(cloud.state.history).toMatchObject(wrongRecords === 'refused' ? [] : [kept]);
    expect(cloud.state.balanceTransactions).toEqual([]);
    expect(cloud.deviations).toEqual([expect.stringContaining('no user has this username and providerid')]);
  },
);

test('a record may name its own user, the last day of a February, and its port by address alone', async () => {
  const [port] = sampleData.outputPorts;
  const outputPorts = port ? [{ ...port, address: '10.0.0.7', deviceSerial: '' }] : [];
  await using cloud = await startCloud({ seed: { ...sampleData, outputPorts } });
  const { user } = await arrive(cloud, adminCard);
  const of = {
    username: 'admin',
    providerid: String(cloud.state.users.find(({ userName }) => userName === 'admin')?.providerId),
  };
  const at = { serialnumber: 'SN-9999', address: '10.0.0.7', datetime: '2028-02-29T23:59:59+13:45' };
  const body = form({ jobtype: 'PRINT', ...of, ...at });
  const answer = await api(cloud, '/documents/history', { method: 'POST', token: user, body });
  expect(answer.status).toBe(200);
  expect(cloud.state.history).toMatchObject([{ userName: 'admin', outputPortId: port?.id }]);
  expect(cloud.deviations).toEqual([]);
});

test('only customer accounts have a history', async () => {
  await using cloud = await startCloud();
  const ask = await recorded(cloud);
  expect((await ask('?domainname=kitchen.example.org')).status).toBe(400);
  expect((await ask('?domainname=elsewhere.org')).status).toBe(400);
  expect(cloud.deviations).toEqual([]);
});

/** As the service is reached by another name: fetch sends its own Host. */
const asHost = (cloud: SimulatedCloud, host: string, path: string, token: string, body?: string) =>
  new Promise<{ status?: number; name: unknown }>((resolve, reject) => {
    const headers = {
      host,
      'x-api-key': cloud.apiKey,
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const method = body === undefined ? 'GET' : 'PATCH';
    const asked = request(`${cloud.baseUrl}/api/v1${path}`, { method, headers }, (answer) => {
      void json(answer).then((reported) =>
        resolve({ status: answer.statusCode ?? 0, name: Object(reported).name }),
      );
    });
    asked.once('error', reject);
    asked.end(body);
  });

const hosts = [
  { host: 'example.org', account: 200, history: 200, name: 'Example' },
  { host: 'EXAMPLE.ORG:7300', account: 200, history: 200, name: 'Example' },
  { host: 'kitchen.example.org', account: 200, history: 400, name: 'Kitchen' },
  { host: '127.0.0.1:7300', account: 200, history: 200, name: 'Example' },
  { host: '[::1]:7300', account: 200, history: 200, name: 'Example' },
  { host: 'localhost', account: 200, history: 200, name: 'Example' },
  { host: 'cloud:7300', account: 200, history: 200, name: 'Example' },
  { host: 'elsewhere.org', account: 404, history: 400, name: undefined },
];

test.each(hosts)('the request address $host chooses the account, unless a domain is named', async (one) => {
  await using cloud = await startCloud();
  const { user } = await arrive(cloud, adminCard);
  const { host, account, name } = one;
  const ask = (path: string, body?: string) => asHost(cloud, host, path, user, body);
  expect(await ask('/account')).toEqual({ status: account, name });
  expect(await ask('/account?domainname=kitchen.example.org')).toEqual({ status: 200, name: 'Kitchen' });
  expect((await ask('/documents/history')).status).toBe(one.history);
  expect((await ask('/documents/history?domainname=example.org')).status).toBe(200);
  expect((await ask('/account', form({ accountname: 'Renamed' }))).status).toBe(account);
  expect((await ask('/account')).name).toBe(name === undefined ? undefined : 'Renamed');
  expect(cloud.deviations).toEqual([]);
});

test('pages go on where they began, also when the end of their range is past by then', async () => {
  const clock = createSteeredClock();
  await using cloud = await startCloud({ clock });
  const { device, user } = await arrive(cloud, adminCard);
  const ask = (query: string) => api(cloud, `/documents/history${query}`, { token: user });
  const datetime = isoWithOffset(clock.now() - day + hours(0.5));
  for (const title of ['Of yesterday', 'Now']) {
    await record(cloud, device, { title, ...(title === 'Now' ? {} : { datetime }) });
  }
  await clock.advance(minutes(1));
  const firsts = [`?dateend=${instant(clock.now() + minutes(1))}&maxrecords=1`, '?maxrecords=1'];
  const tokens = [];
  for (const query of firsts) tokens.push((await fieldsOf(await ask(query)))['nextPageToken']);
  await clock.advance(minutes(40));
  for (const token of tokens)
    expect(await titlesIn(await ask(`?pagetoken=${String(token)}`))).toEqual(['Now']);
  expect(cloud.deviations).toEqual([]);
});

test('the history is that of the account that is asked for, and of those below it', async () => {
  const another = {
    id: 9,
    name: 'Another',
    accountType: 2,
    domainNames: ['another.org'],
    uuid: 'u',
  } as const;
  await using cloud = await startCloud({
    seed: { ...sampleData, accounts: [...sampleData.accounts, another] },
  });
  cloud.addUser({ userName: 'zoe', accountId: 9 });
  const { device, user } = await arrive(cloud, adminCard);
  const ask = (query: string) => api(cloud, `/documents/history${query}`, { token: user });
  for (const username of ['alice', 'zoe']) await record(cloud, device, { title: `Of ${username}`, username });
  expect(await titlesIn(await ask(''))).toEqual(['Of alice']);
  expect(await titlesIn(await ask('?domainname=another.org'))).toEqual(['Of zoe']);
});

test('what the service let out on one side is told so', async () => {
  await using cloud = await startCloud();
  const { user } = await arrive(cloud, adminCard);
  for (const duplex of [0, 1, 2] as const) {
    const { uuid } = cloud.addDocument({ owner: 'admin', name: 'Own.pdf', info: { duplex } }).info;
    await (await api(cloud, `/documents/${uuid}.content`, { token: user })).arrayBuffer();
  }
  const { documents } = await fieldsOf(await api(cloud, '/documents/history', { token: user }));
  expect(documents).toMatchObject([{ duplex: 0 }, { duplex: 1 }, { duplex: 2 }]);
});

test('lists come in pages of their own size where the settings say so', async () => {
  const [port] = sampleData.outputPorts;
  const outputPorts = [1, 2, 3, 4, 5].flatMap((id) => (port ? [{ ...port, id }] : []));
  await using cloud = await startCloud({
    listShape: 'paged',
    pageSize: 2,
    seed: { ...sampleData, outputPorts },
  });
  const { device } = await arrive(cloud);
  const list = async (query: string) =>
    fieldsOf(await api(cloud, `/outputports?${query}`, { token: device }));
  const pages = [await list('enrichPorts=true')];
  for (let page = pages[0]; page && 'nextPageToken' in page; page = pages.at(-1)) {
    pages.push(await list(`pagetoken=${String(page['nextPageToken'])}`));
  }
  expect(pages).toMatchObject([
    { items: [{ id: 1, accountId: 2 }, { id: 2 }], recordsOnPage: 2 },
    { items: [{ id: 3, accountId: 2 }, { id: 4 }], recordsOnPage: 2 },
    { items: [{ id: 5, accountId: 2 }], recordsOnPage: 1 },
  ]);
  expect(await list('maxrecords=1')).toMatchObject({ items: [{ id: 1 }], recordsOnPage: 1 });
  expect(cloud.deviations).toEqual([]);
});

test('the history tells which sides the service itself printed on: one, or two along either edge', async () => {
  await using cloud = await startCloud();
  const { user } = await arrive(cloud, adminCard);
  for (const duplex of [0, 1, 2]) {
    const { info } = cloud.addDocument({ owner: 'admin', name: `${duplex}.pdf` });
    const body = form({ duplex: String(duplex) });
    await api(cloud, `/documents/${info.uuid}/SN-0001`, { method: 'POST', token: user, body });
  }
  const { documents } = Object(await fieldsOf(await api(cloud, '/documents/history', { token: user })));
  expect(documents).toMatchObject([{ duplex: 0 }, { duplex: 1 }, { duplex: 2 }]);
  expect(cloud.deviations).toEqual([]);
});
