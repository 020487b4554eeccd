/**
 * Every resource beside the release, against the embedded cloud, which was written from the spec without the client;
 * with lists bare, and in pages of one. The strict cloud must find nothing to complain of.
 */
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { milliseconds } from '../../src/core/duration.ts';
import { describe, expect, it } from 'vitest';
import { isoWithOffset } from '../../src/core/clock.ts';
import { Secret } from '../../src/core/secret.ts';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import type { HistoryRecord } from '../../src/domain/history.ts';
import type { CallerOptions } from '../../src/domain/ports/call.ts';
import type { Credentials } from '../../src/domain/user.ts';
import type { CloudOptions, SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { asking, cloudAt, problemOf } from '../support/cloud/cloud-under-test.ts';

const device = { clientId: 'c-0001', seed: new Secret(randomBytes(32).toString('base64')) };
const adminCard = { kind: 'card', card: new CardNumber('04ADADADAD') } as const;
const aliceCard = { kind: 'card', card: new CardNumber('04A1B2C3D4') } as const;

/** A client whose device is approved, and a caller for each who logs in. */
async function clientOf(simulated: SimulatedCloud) {
  let token = new Secret('none');
  const { baseUrl, authUrl, apiKey } = simulated;
  const deviceTokens = { current: async () => token, refused: () => undefined, denied: () => undefined };
  const under = cloudAt(baseUrl, { authUrl, apiKey: new Secret(apiKey), deviceTokens });
  const { authorization, logins } = under.cloud;
  const { deviceCode } = await authorization.register(device, 'first', asking);
  token = (await authorization.requestToken(device, deviceCode, asking)).accessToken;
  const as = async (credentials: Credentials): Promise<CallerOptions> => ({
    ...asking,
    token: (await logins.login(credentials, asking)).token,
  });
  return { ...under, as };
}

type Client = Awaited<ReturnType<typeof clientOf>>;
const start = (options: CloudOptions = {}) =>
  startCloud({ approval: 'at-once', conversionTime: milliseconds(0), ...options });

describe.each<[string, CloudOptions]>([
  ['bare lists', { listShape: 'bare' }],
  ['lists in pages of one', { listShape: 'paged', pageSize: 1 }],
])('the embedded cloud with %s', (_, options) => {
  /** A test with a client of its own, at the end of which the cloud has nothing to complain of. */
  const withClient = (body: (client: Client) => Promise<void>) => async () => {
    await using simulated = await start(options);
    await using client = await clientOf(simulated);
    await body(client);
    expect(simulated.deviations).toEqual([]);
  };

  it(
    'tells the account, with the key or without',
    withClient(async (client) => {
      const { accounts } = client.cloud.directory();
      expect(await accounts.read(asking)).toMatchObject({
        type: 'customer',
        primaryDomain: 'example.org',
        timezone: 'Europe/Berlin',
      });
      expect(await accounts.read({ ...asking, domainName: 'kitchen.example.org' })).toMatchObject({
        type: 'container',
      });
      expect(await accounts.containers(await client.as(aliceCard))).toEqual([
        { id: 5, name: 'Kitchen', domainNames: ['kitchen.example.org'] },
      ]);
      expect(await accounts.exists(asking)).toBe(true);
      expect(await accounts.exists({ ...asking, domainName: 'nobody.example' })).toBe(false);
    }),
  );

  it(
    'lists queues and locations',
    withClient(async (client) => {
      const { inputPorts, locations } = client.cloud.directory();
      expect((await inputPorts.list({}, asking)).map(({ kind }) => kind)).toEqual(['pull', 'push']);
      expect(await inputPorts.list({ locationIds: [21, 22] }, asking)).toMatchObject([{ id: 12 }]);
      const here = [
        { type: 'GATEWAY_IP', value: '127.0.0.1' },
        { type: 'WIFI_SSID', value: 'Example back house' },
      ] as const;
      const found = await locations.find(here, asking);
      expect(found.map(({ id }) => id)).toEqual([21, 22]);
    }),
  );

  it(
    'lists authentication providers',
    withClient(async (client) => {
      const { authProviders } = client.cloud.directory();
      const providers = await authProviders.list(2, asking);
      expect(providers.map(({ id }) => id)).toEqual([3, 4]);
    }),
  );

  it(
    'lets people in by password and short id, and enrols a card',
    withClient(async (client) => {
      const { logins, directory } = client.cloud;
      await client.as({ kind: 'short-id', shortId: new Secret('4713') });
      const password = new Secret('carol-secret');
      const { user, token } = await logins.login({ kind: 'password', userName: 'carol', password }, asking);
      const { users } = directory(token);
      expect(await users.read(user, { ...asking, token })).toEqual(user);

      const card = new CardNumber('04FFFFFF01');
      await users.enrolCard(user, card, { ...asking, token });
      expect((await logins.login({ kind: 'card', card }, asking)).user).toEqual(user);
      const taken = users.enrolCard(user, aliceCard.card, { ...asking, token });
      expect(await problemOf(taken)).toMatchObject({ reasons: ['enroll-card-error'] });
    }),
  );

  it(
    'lets people in by name or email from a trusted device, and gives them their documents (row 45)',
    withClient(async (client) => {
      const { documents, logins } = client.cloud;
      for (const credentials of [
        { kind: 'name', userName: 'bob' },
        { kind: 'email', email: 'bob@example.org' },
      ] as const) {
        const { user, token } = await logins.login(credentials, asking);
        expect(user.userName).toBe('bob');
        const [document] = (await documents.ready(token, asking)).documents;
        const { bytes } = await documents.download(document?.uuid ?? '', token, asking);
        expect((await buffer(bytes)).subarray(0, 5).toString()).toBe('%PDF-');
      }
    }),
  );

  it(
    'releases by a relayed card, and refuses an unknown one',
    withClient(async (client) => {
      const { cardRelay } = client.cloud.directory();
      const { documents } = client.cloud;
      const { token } = await client.cloud.logins.login(aliceCard, asking);
      expect((await documents.ready(token, asking)).documents).not.toEqual([]);
      const readerMac = '0080a3000008';
      await cardRelay.release({ card: aliceCard.card, readerMac }, asking);
      expect((await documents.ready(token, asking)).documents).toEqual([]);
      const unknown = cardRelay.release({ card: new CardNumber('FFFF'), readerMac }, asking);
      expect((await problemOf(unknown)).code).toBe('cloud-rejected');
    }),
  );

  it(
    'shows whether the device is trusted',
    withClient(async (client) => {
      const { endpoints } = client.cloud.directory();
      expect(await endpoints.isAuthorized(device.clientId, asking)).toBe(true);
      const known = { endpointId: device.clientId, endpointType: 'Printer', authorized: true };
      expect(await endpoints.read(device.clientId, asking)).toMatchObject(known);
      const admin = await client.as(adminCard);
      expect((await problemOf(endpoints.isAuthorized('c-2', admin))).code).toBe('cloud-rejected');
    }),
  );

  it(
    'offers its certificates',
    withClient(async (client) => {
      const { certificates } = client.cloud.directory();
      const roots = await certificates.roots(asking);
      expect(roots).toMatchObject([{ alias: 'example-root', notAfter: '2049-12-31T23:59:59.000Z' }]);
      expect(await certificates.authorities(await client.as(adminCard))).toEqual(roots);
    }),
  );

  it(
    'takes a new output port, its changes, and a terminal config for it',
    withClient(async (client) => {
      const admin = await client.as(adminCard);
      const { outputPortProvisioning: provisioning, createTerminalConfig } = client.cloud.directory(
        admin.token,
      );
      const place = { domainName: 'example.org', portName: 'Attic', address: '10.0.0.9' };
      const attic = { ...place, kind: 'printer' } as const;
      const id = await provisioning.create(
        {
          ...attic,
          deviceSerial: 'SN-9',
          printProtocol: 'ipp',
          outputType: 'pdf',
          serviceIds: [1, 2],
          matchingInputPort: true,
          deviceAdmin: { userName: 'admin', password: new Secret('s&cret') },
        },
        admin,
      );
      const loft = { ...attic, portName: 'Loft', monochrome: true, active: true };
      await provisioning.update(id, loft, admin);
      const ports = await client.cloud.outputPorts.list(admin);
      expect(ports.find((port) => port.id === id)).toMatchObject({
        name: 'Loft',
        kind: 'printer',
        parentId: 2,
        deviceSerial: 'SN-9',
        printProtocol: 'ipp',
        outputType: 'pdf',
        monochrome: true,
      });

      const { terminalConfigs } = client.cloud;
      expect(await terminalConfigs.read('SN-9', asking)).toBeUndefined();
      const config = { domainName: 'example.org', name: 'Attic', vendor: 'unknown', devices: [id] };
      expect(await createTerminalConfig(config, admin)).toEqual(expect.any(Number));
      expect(await terminalConfigs.read('SN-9', asking)).toEqual({
        printEnabled: true,
        oneTimePasswordEnrollment: true,
        cardOnlyAuthentication: false,
        shortIdAuthentication: true,
        developerLogEnabled: false,
      });
    }),
  );

  it(
    'takes an upload, which then waits',
    withClient(async (client) => {
      const alice = await client.as(aliceCard);
      if (!alice.token) throw new Error('alice has no token');
      const uuid = await client.cloud.directory(alice.token).upload(
        {
          file: { name: 'Entwürfe.docx', bytes: randomBytes(1000) },
          title: 'Entwürfe',
          userName: 'alice',
          providerId: 3,
          portName: 'Secure',
          copies: 2,
          grayscale: true,
          sides: 'two-sided-long-edge',
          collate: true,
        },
        alice,
      );
      const { documents } = await client.cloud.documents.ready(alice.token, asking);
      expect(documents.find((one) => one.uuid === uuid)).toMatchObject({
        name: 'Entwürfe.docx',
        copies: 2,
        grayscale: true,
        sides: 'two-sided-long-edge',
      });
    }),
  );

  it(
    'shows which history records arrived',
    withClient(async (client) => {
      const { history, historyRecords } = client.cloud;
      const record: HistoryRecord = {
        jobType: 'PRINT',
        userName: 'alice',
        providerId: 3,
        title: 'Größe & Maß.pdf',
        totalPages: 6,
        serialNumber: 'SN-0001',
        dateTime: isoWithOffset(Date.now() - 60_000),
      };
      const port = 7;
      expect(await historyRecords.count(record, port, asking)).toBe(0);
      await history.post(record, asking);
      expect(await historyRecords.count(record, port, asking)).toBe(1);
      expect(await historyRecords.count({ ...record, totalPages: 7 }, port, asking)).toBe(0);
      expect(await historyRecords.count(record, 8, asking), "at another gateway's printer").toBe(0);
      expect(await historyRecords.count(record, port, await client.as(adminCard))).toBe(1);
      const everyday = historyRecords.count(record, port, await client.as(aliceCard));
      expect((await problemOf(everyday)).code).toBe('cloud-denied');
    }),
  );
});

it('a gateway offers no certificates, and that is no fault', async () => {
  await using simulated = await start({ role: 'gateway' });
  await using client = await clientOf(simulated);
  expect(await client.cloud.directory().certificates.roots(asking)).toBeUndefined();
  expect(simulated.deviations).toEqual([]);
});

it('a key that allows it lets people in by name or email', async () => {
  await using simulated = await start({ keyAllows: ['unauthenticated-requests'] });
  await using client = await clientOf(simulated);
  const { logins } = client.cloud;
  expect((await logins.login({ kind: 'name', userName: 'carol' }, asking)).user.id).toBe(103);
  expect((await logins.login({ kind: 'email', email: 'carol@example.org' }, asking)).user.id).toBe(103);
  expect(simulated.deviations).toEqual([]);
});

it.each(['either', 'repeated'] as const)(
  'tells what became of a document where it takes several status as %s (row 46)',
  async (statusLists) => {
    await using simulated = await start({ statusLists });
    await using client = await clientOf(simulated);
    const { documents, logins } = client.cloud;
    const { token } = await logins.login(aliceCard, asking);
    const [document] = (await documents.ready(token, asking)).documents;
    expect(await documents.statusOf(document?.uuid ?? '', token, asking)).toBe('ready');
    expect(await documents.statusOf('gone', token, asking)).toBeUndefined();
    expect(simulated.deviations).toEqual([]);
  },
);
