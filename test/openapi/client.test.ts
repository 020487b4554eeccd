/** Every call that the cloud client makes, those that the OpenAPI document marks as used: both sides keep to it. */
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/core/secret.ts';
import type { Cloud } from '../../src/cloud/client.ts';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import type { GuestCall, GuestService } from '../../src/domain/ports/guests.ts';
import type { HistoryRecord } from '../../src/domain/history.ts';
import type { Login } from '../../src/domain/user.ts';
import { virtualDefault } from '../../src/simulator/cloud/records/balance-records.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { asking } from '../support/cloud/cloud-under-test.ts';
import { authorizedClient, clientId } from './authorized-client.ts';
import { findOperation, operations } from '../support/cloud/description.ts';
import { complaintsAbout } from '../support/cloud/exchanges.ts';

const card = (number: string) => ({ kind: 'card', card: new CardNumber(number) }) as const;

async function logIn({ logins }: Cloud): Promise<{ alice: Login; admin: Login }> {
  await logins.login({ kind: 'password', userName: 'bob', password: new Secret('bob-secret') }, asking);
  await logins.login({ kind: 'short-id', shortId: new Secret('4713') }, asking);
  // Such logins need an API key that allows unauthenticated requests.
  await logins.login({ kind: 'name', userName: 'carol' }, asking);
  await logins.login({ kind: 'email', email: 'bob@example.org' }, asking);
  return {
    alice: await logins.login({ ...card('04A1B2C3D4'), password: new Secret('2580') }, asking),
    admin: await logins.login(card('04ADADADAD'), asking),
  };
}

/** What a release asks of the service. */
async function release(cloud: Cloud, { user, token }: Login): Promise<void> {
  const { balance, documents, history, reports } = cloud;
  const { documents: waiting } = await documents.ready(token, asking);
  const [first, second, third] = waiting;
  if (!first || !second || !third) throw new Error('alice has too few documents');
  await balance.own({ user, token }, asking);
  await balance.quote({ document: first, user, token, monochrome: false }, asking);
  await buffer((await documents.download(first.uuid, token, asking)).bytes);
  await documents.remove(first.uuid, token, asking);
  await documents.consume(second.uuid, token, asking);
  await documents.deliver(third.uuid, { port: 'SN-0001', retain: true }, token, asking);
  expect(await documents.statusOf(third.uuid, token, asking)).toBe('stored');
  const record: HistoryRecord = {
    jobType: 'PRINT',
    userName: user.userName,
    providerId: user.providerId,
    title: first.name,
    totalPages: 3,
    colorPages: 0,
    paperSize: 'A4',
    duplex: true,
    serialNumber: 'SN-0001',
    dateTime: new Date().toISOString().replace(/\.\d+Z$/, '+00:00'),
  };
  await history.post(record, asking);
  expect(await cloud.historyRecords.count(record, 7, asking)).toBe(1);
  const now = new Date().toISOString();
  await reports?.report(
    {
      deployStatus: { stage: 5, message: '', lastDate: now },
      terminalStatus: {
        terminalVersion: '0.1.0',
        installationSource: 1,
        cardReaderData: '',
        modelName: 'Platen',
        additionalModelInfo: '',
        firmwareVersion: '',
        status: 1,
        statusMessage: '',
        errorData: '',
        modifiedDate: now,
      },
    },
    { outputPortId: 7, serialNumber: 'SN-0001', terminalId: 'lobby' },
    asking,
  );
}

/** What a device asks about the place it stands in. */
async function lookAround(cloud: Cloud, { user, token }: Login): Promise<void> {
  const { accounts, authProviders, certificates, endpoints, inputPorts, locations, users } =
    cloud.directory();
  await cloud.version(asking);
  const { id } = await accounts.read({ ...asking, domainName: 'example.org' });
  await accounts.containers({ ...asking, token });
  expect(await accounts.exists({ ...asking, domainName: 'nowhere.example' })).toBe(false);
  await authProviders.list(id, asking);
  await cloud.outputPorts.list(asking);
  await cloud.outputPorts.list({ ...asking, token });
  await inputPorts.list({ user, locationIds: [21, 22] }, asking);
  const here = { type: 'GATEWAY_IP', value: '127.0.0.1' } as const;
  await locations.find([here, { type: 'WIFI_SSID', value: 'none & such' }], asking);
  expect(await cloud.terminalConfigs.read('SN-0002', asking)).toBeDefined();
  expect(await cloud.terminalConfigs.read('SN-0001', asking)).toBeUndefined();
  expect(await certificates.roots(asking)).toHaveLength(1);
  expect(await certificates.authorities(asking)).toHaveLength(1);
  expect(await endpoints.isAuthorized(clientId, asking)).toBe(true);
  await users.read(user, { ...asking, token });
  const { permittedPorts, ownAccount } = cloud.directory();
  expect(await permittedPorts.include(7, { user, token }, asking)).toBe(true);
  await ownAccount.transactions({ user, token }, asking);
  expect(await ownAccount.prices({ user, token }, asking)).toBeDefined();
  expect(await ownAccount.cards({ user, token }, asking)).not.toEqual([]);
}

/** With a group and pages that are counted, and out again: twice, for an answer may be lost. */
async function letGuestIn(guests: GuestService, call: GuestCall): Promise<void> {
  const guest = { userName: 'guest-abc234', shortId: new Secret('87654321') };
  const plan = await guests.plan({ userName: guest.userName, pages: 20, group: 'Upstairs' }, call);
  await guests.make(guest, plan, call);
  // Whoever is half made is deleted by the name: so nobody else may have it.
  await expect(guests.plan({ userName: guest.userName }, call)).rejects.toThrow(
    'There is already a user guest-abc234',
  );
  for (const _ of ['once', 'again']) {
    await guests.remove({ ...guest, providerId: plan.providerId }, call);
  }
}

/** What changes something there. */
async function change(cloud: Cloud, { alice, admin }: { alice: Login; admin: Login }): Promise<void> {
  const directory = cloud.directory();
  const asAdmin = { ...asking, token: admin.token };
  await directory.users.enrolCard(alice.user, new CardNumber('04FFFF'), { ...asking, token: alice.token });
  await directory.ownAccount.giveShortId(new Secret('480215'), admin, asking);
  await directory.ownAccount.dropCards(admin, asking);
  await directory.upload(
    {
      file: { name: 'scan “1”.tiff', bytes: Buffer.from([0, 255, 13, 10, 13, 10, 45, 45]) },
      title: 'Scan',
      userName: 'alice',
      portName: 'Secure',
      providerId: 3,
      copies: 2,
      grayscale: true,
      sides: 'two-sided-long-edge',
      collate: true,
      push: { outputPageSize: 'A4', orientation: 'landscape', scale: 50 },
    },
    { ...asking, token: alice.token },
  );
  const place = {
    domainName: 'example.org',
    portName: 'Cellar',
    address: '10.0.0.9',
    kind: 'printer',
  } as const;
  const provisioning = directory.outputPortProvisioning;
  const settings = {
    serviceIds: [1, 2],
    printProtocol: 'ipp',
    outputType: 'pdf',
    sendUsername: true,
    active: true,
    deviceSerial: 'SN-0009',
    matchingInputPort: true,
  } as const;
  const id = await provisioning.create({ ...place, ...settings }, asAdmin);
  await provisioning.update(id, { ...place, monochrome: true, description: 'Beside the coal' }, asAdmin);
  await directory.createTerminalConfig(
    { domainName: 'example.org', name: 'Cellar', vendor: 'eop', applicationType: 'other', devices: [7, id] },
    asAdmin,
  );
  const cellar = { parentDomain: 'example.org', name: 'Cellar', domainName: 'cellar.example.org' };
  await directory.containers.create(cellar, asAdmin);
  await provisioning.move(id, { from: 'example.org', to: 'cellar.example.org' }, asAdmin);
  const now = Date.now();
  const events = await directory.auditLogs.read({ from: now - 60_000, to: now, most: 5000 }, asAdmin);
  expect(events.at(-1)).toMatchObject({
    category: 'outputports',
    type: 'Saved',
    result: 'Success',
    operation: 'PUT',
    user: { name: 'admin', userId: '104', providerId: 3 },
  });
  await letGuestIn(directory.guests, asAdmin);
  await directory.cardRelay.release(
    { card: new CardNumber('04A1B2C3D4'), readerMac: '0080a3000008' },
    asking,
  );
}

describe('client and embedded cloud', () => {
  it.each(['bare', 'paged'] as const)('keep to the document in every call, lists %s', async (listShape) => {
    await using simulated = await startCloud({ listShape, pageSize: 1 });
    simulated.addDocument({ owner: 'alice', name: 'Änderungen & more.pdf' });
    simulated.setPrices({
      bwNormalPage: 0.05,
      bwLargePage: 0.09,
      colorNormalPage: 0.2,
      colorLargePage: 0.35,
    });
    simulated.state.balancePolicies = [{ ...virtualDefault, id: 1, balanceType: 'quota' }];
    await using cloud = await authorizedClient(simulated);
    const logins = await logIn(cloud);
    await lookAround(cloud, logins.alice);
    await release(cloud, logins.alice);
    await change(cloud, logins);

    expect(complaintsAbout(simulated.calls)).toEqual([]);
    expect(simulated.deviations).toEqual([]);
    const called = simulated.calls.map((call) => findOperation(call)?.operationId);
    const marked = operations.filter((one) => one['x-platen-used-by'].length > 0);
    expect(new Set(called)).toEqual(new Set(marked.map(({ operationId }) => operationId)));
  });
});
