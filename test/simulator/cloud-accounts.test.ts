/** Accounts, containers and ports of the simulated cloud: where they stand, and what they are called by. */
import { expect, test } from 'vitest';
import { domainList } from '../../src/simulator/cloud/calls/account/domain-list.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import type { Permission } from '../../src/simulator/cloud/permissions.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { administratorOf } from './administrator.ts';
import { api, form } from '../support/cloud/hand-client.ts';

test.each([
  { before: [], given: {}, list: [] },
  { before: [], given: { domainname: ['a', 'b'] }, list: ['a', 'b'] },
  { before: [], given: { primarydomain: 'b', domainname: ['a', 'b'] }, list: ['b', 'a'] },
  { before: [], given: { primarydomain: 'c', domainname: ['a'] }, list: ['c', 'a'] },
  { before: ['a', 'b'], given: {}, list: ['a', 'b'] },
  { before: ['a', 'b'], given: { primarydomain: 'b' }, list: ['b', 'a'] },
  { before: ['a', 'b'], given: { domainname: ['c', 'a'] }, list: ['a', 'c'] },
  { before: ['a', 'b'], given: { domainname: ['c', 'd'] }, list: ['c', 'd'] },
])('of the domains $before a change by $given makes $list', ({ before, given, list }) => {
  expect(domainList(before, given)).toEqual(list);
});

const cellar = { parentdomain: 'example.org', accountname: 'Cellar', accounttype: '3' };

test('a container is made, renamed, filled, and goes with what stands in it only when that is asked for', async () => {
  await using at = await administratorOf();
  const made = await at.submit('PUT', '/account', {
    ...cellar,
    domainname: ['Cellar.example.org', 'b.example.org'],
  });
  expect(made.body).toEqual({ errorCode: 0, id: 6 });
  const changed = { containername: 'Vault', primarydomain: 'b.example.org', timezone: 'Europe/Paris' };
  await at.submit('PUT', '/account/container/6', changed);
  expect((await at.ask('GET', '/account?domainname=cellar.example.org')).body).toMatchObject({
    name: 'Vault',
    accountType: 3,
    timezone: 'Europe/Paris',
    primaryDomain: 'b.example.org',
    domainNames: ['b.example.org', 'cellar.example.org'],
  });
  const move = { domainname: 'example.org', destinationdomainname: 'b.example.org' };
  expect((await at.submit('PUT', '/outputports/7/move', move)).body).toEqual({ errorCode: 0, id: 7 });
  expect(at.cloud.state.outputPorts[0]).toMatchObject({
    containerName: 'Vault',
    accountId: 2,
    parentAccountOrContainerId: 6,
  });
  expect(await at.ask('DELETE', '/account/container/6')).toEqual({ status: 403, body: { errorCode: 1080 } });
  expect((await at.ask('DELETE', '/account/container/6?withsubnodes=true')).body).toEqual({
    errorCode: 0,
    id: 6,
  });
  expect((await at.ask('GET', '/outputports')).body).toMatchObject([{ id: 8 }]);
  expect(at.cloud.deviations).toEqual([]);
});

test('the account of the address is changed by who may change one of its type', async () => {
  await using at = await administratorOf();
  await at.submit('PATCH', '/account', {
    accountname: 'Sample',
    timezone: '',
    domainname: ['print.example.org'],
  });
  const account = (await at.ask('GET', '/account')).body;
  expect(account).toMatchObject({ name: 'Sample', domainNames: ['print.example.org'] });
  expect(account).not.toHaveProperty('timezone');
  const users = sampleData.users.map((one) => ({ ...one, permissions: ['ViewAccount' as const] }));
  await using without = await administratorOf({ seed: { ...sampleData, users } });
  expect((await without.submit('PATCH', '/account', { accountname: 'Sample' })).status).toBe(403);
  expect((await without.submit('PUT', '/account', cellar)).status).toBe(403);
});

test('a key that takes unauthenticated requests makes an account without a user, where its advanced permissions let it', async () => {
  const statusWith = async (advancedPermissions: Permission[]) => {
    await using cloud = await startCloud({ keyAllows: ['unauthenticated-requests'], advancedPermissions });
    return (await api(cloud, '/account', { method: 'PUT', body: form(cellar) })).status;
  };
  expect(await statusWith(['ViewAccount'])).toBe(403);
  expect(await statusWith(['ViewAccount', 'CreateContainer'])).toBe(200);
});

test.each([
  { what: 'a customer in a customer', fields: { ...cellar, accounttype: '2' }, errorCode: 1007 },
  { what: 'nowhere', fields: { ...cellar, parentdomain: 'elsewhere.org' }, errorCode: 1006 },
  {
    what: 'with a domain that is taken',
    fields: { ...cellar, domainname: 'kitchen.example.org' },
    errorCode: 1008,
  },
])('no account is made $what', async ({ fields, errorCode }) => {
  await using at = await administratorOf();
  expect(await at.submit('PUT', '/account', fields)).toEqual({ status: 400, body: { errorCode } });
  expect(at.cloud.deviations).toEqual([]);
});

test('a port moves inside its hierarchy only, and from where it stands', async () => {
  const another = {
    id: 9,
    name: 'Another',
    accountType: 2,
    domainNames: ['another.org'],
    uuid: 'u',
  } as const;
  await using at = await administratorOf({
    seed: { ...sampleData, accounts: [...sampleData.accounts, another] },
  });
  for (const [domainname, destinationdomainname] of [
    ['example.org', 'another.org'],
    ['kitchen.example.org', 'example.org'],
  ] as const) {
    const move = { domainname, destinationdomainname };
    expect(await at.submit('PUT', '/outputports/7/move', move)).toEqual({
      status: 400,
      body: { errorCode: 1007 },
    });
  }
});

test('the older forms make and change a printer, and are noticed', async () => {
  await using at = await administratorOf();
  const attic = { domainname: 'example.org', portname: 'Attic', address: '10.0.0.9', porttype: '1' };
  expect((await at.submit('PUT', '/outputports', attic)).body).toEqual({ errorCode: 0, id: 9 });
  await at.submit('PUT', '/outputports', { ...attic, id: '9', description: 'above' });
  expect(at.cloud.state.outputPorts.at(-1)).toMatchObject({ id: 9, description: 'above' });
  expect(at.cloud.deviations).toHaveLength(2);
  expect(at.cloud.deviations.every((one) => one.includes('a deprecated call'))).toBe(true);
  expect((await at.ask('DELETE', '/outputports/9')).body).toEqual({ errorCode: 0 });
  expect(await at.ask('DELETE', '/outputports/9')).toEqual({ status: 403, body: { errorCode: 1017 } });
});

test('a queue is made by name, changed by its id, and goes', async () => {
  await using at = await administratorOf();
  const queue = { domainname: 'kitchen.example.org', portname: 'Direct', porttype: '1' };
  expect((await at.submit('PUT', '/inputports', { ...queue, outputportid: '8' })).body).toEqual({
    errorCode: 0,
    id: 13,
  });
  await at.submit('PUT', '/inputports', { ...queue, id: '13', outputportid: '7', locationid: '22' });
  const [, , port] = Object((await at.ask('GET', '/inputports?enrichPorts=true')).body);
  expect(port).toEqual({
    id: 13,
    name: 'Direct',
    portType: 1,
    outputPort: 'Lobby',
    locationId: 22,
    containerName: 'Kitchen',
  });
  expect((await at.submit('PUT', '/inputports', { ...queue, locationid: '99' })).body).toEqual({
    errorCode: 1015,
  });
  expect((await at.ask('DELETE', '/inputports/13')).body).toEqual({ errorCode: 0 });
  expect(await at.ask('DELETE', '/inputports/13')).toEqual({ status: 403, body: { errorCode: 1016 } });
  expect(at.cloud.deviations).toEqual([]);
});

test('ports and queues tell the new name of what they stand in and print at, and nothing of what is gone', async () => {
  await using at = await administratorOf();
  const kitchen = { domainname: 'kitchen.example.org' };
  await at.submit('PUT', '/outputports/8/move', {
    domainname: 'example.org',
    destinationdomainname: kitchen.domainname,
  });
  const queue = { ...kitchen, portname: 'Direct', porttype: '1', outputportid: '8', locationid: '22' };
  await at.submit('PUT', '/inputports', queue);
  await at.submit('PUT', '/account/container/5', { containername: 'Canteen' });
  await at.submit('PATCH', '/outputports/8', { ...kitchen, portname: 'Counter', porttype: '1' });
  expect(at.cloud.state.outputPorts[1]).toMatchObject({ name: 'Counter', containerName: 'Canteen' });
  const direct = { id: 13, name: 'Direct', portType: 1, containerName: 'Canteen' };
  expect(at.cloud.state.inputPorts[2]).toEqual({ ...direct, outputPort: 'Counter', locationId: 22 });
  await at.ask('DELETE', '/outputports/8');
  await at.ask('DELETE', '/locations/22');
  expect(at.cloud.state.inputPorts[2]).toEqual(direct);
  expect((await at.ask('DELETE', '/account/container/5')).body).toEqual({ errorCode: 1080 });
  await at.ask('DELETE', '/account/container/5?withsubnodes=true');
  expect(at.cloud.state.inputPorts.map(({ id }) => id)).toEqual([11, 12]);
  expect(at.cloud.deviations).toEqual([]);
});

test('the serial number of a printer is no other’s, also after a change', async () => {
  await using at = await administratorOf();
  const lobby = { domainname: 'example.org', portname: 'Lobby', porttype: '1' };
  const patch = (deviceserial: string) => at.submit('PATCH', '/outputports/7', { ...lobby, deviceserial });
  expect(await patch('SN-0002')).toEqual({ status: 400, body: { errorCode: 1009 } });
  expect((await patch('SN-0001')).status).toBe(200);
});

test('a location is made of numbered identifiers, and found by each of them', async () => {
  await using at = await administratorOf();
  const annex = {
    name: 'Annex',
    sortOrder: 0,
    identifiers: [{ locationType: 1, stringData: ['10.9.0.1', '10.9.0.2'] }],
  };
  expect((await at.ask('POST', '/locations', annex)).body).toEqual({ errorCode: 0, id: 23 });
  const found = await at.ask('GET', '/locations?locationtype=1&locationdata=10.9.0.2');
  expect(found.body).toMatchObject([
    { id: 23, sortOrder: 0, identifiers: [{}, { locationType: 'GATEWAY_IP' }] },
  ]);
  expect((await at.ask('PUT', '/locations/23', { ...annex, id: 23, identifiers: [] })).body).toEqual({
    id: 23,
    name: 'Annex',
    sortOrder: 0,
    identifiers: [],
  });
  const odd = { name: 'Odd', sortOrder: 1, identifiers: [{ locationType: 3, stringData: ['10.9.0.1'] }] };
  expect((await at.ask('POST', '/locations', odd)).status).toBe(400);
  expect(at.cloud.deviations).toEqual([expect.stringContaining('no IP_RANGE')]);
});

test('a time zone there is not is told with the one that was meant, not with all there are', async () => {
  await using at = await administratorOf();
  expect((await at.submit('PATCH', '/account', { timezone: 'Europe/Pariss' })).status).toBe(400);
  expect(at.cloud.deviations).toEqual([
    expect.stringMatching(
      /: timezone is none of the \d+ values there are; did you mean Europe\/Paris\? \(spec/,
    ),
  ]);
});
