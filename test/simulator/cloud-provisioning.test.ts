/** Output ports and terminal configurations that are created and changed in the simulated cloud. */
import { expect, test } from 'vitest';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { adminCard, api, arrive, fieldsOf, form, login } from '../support/cloud/hand-client.ts';

const named = { domainname: 'example.org', portname: 'Attic', porttype: '1' };
const attic = { ...named, address: '10.0.0.9' };

test('an output port is created with its settings and a matching input port, and changed', async () => {
  await using cloud = await startCloud();
  const { user } = await arrive(cloud, adminCard);
  const details = {
    deviceserial: 'SN-0009',
    printprotocol: '1',
    monochromeprinter: 'true',
    sendusername: 'true',
  };
  const body = `${form({ ...attic, ...details, matchinginputport: 'true' })}&serviceid=1&serviceid=2`;
  const created = await api(cloud, '/outputports', { method: 'POST', token: user, body });
  expect(await fieldsOf(created)).toEqual({ errorCode: 0, id: 9 });
  expect(cloud.state.outputPorts.at(-1)).toMatchObject({
    id: 9,
    name: 'Attic',
    deviceSerial: 'SN-0009',
    printProtocol: 1,
    monochrome: true,
    accountId: 2,
    services: { PRINT: [1, 2] },
  });
  expect(cloud.state.inputPorts.at(-1)).toMatchObject({ name: 'Attic', portType: 1 });

  const change = form({ ...named, description: 'below the roof', active: 'false', groupNo: 'G7' });
  const changed = await api(cloud, '/outputports/9', { method: 'PATCH', token: user, body: change });
  expect(await fieldsOf(changed)).toEqual({ errorCode: 0, id: 9 });
  const list: unknown = await (await api(cloud, '/outputports', { token: user })).json();
  expect(list).toMatchObject([{}, {}, { description: 'below the roof', active: false, groupNo: 'G7' }]);
  expect(cloud.deviations).toEqual([]);
});

test('a port of the deprecated output type 2 in a container goes by the container’s own name', async () => {
  await using cloud = await startCloud();
  const { user } = await arrive(cloud, adminCard);
  const body = form({ ...attic, domainname: 'kitchen.example.org', outputtype: '2' });
  expect((await api(cloud, '/outputports', { method: 'POST', token: user, body })).status).toBe(200);
  const list: unknown = await (await api(cloud, '/outputports?enrichPorts=true', { token: user })).json();
  expect(list).toMatchObject([
    { containerName: '', accountId: 2, parentAccountOrContainerId: 2 },
    {},
    { containerName: 'Kitchen', accountId: 2, parentAccountOrContainerId: 5, outputType: 2 },
  ]);
  const containers: unknown = await (await api(cloud, '/account/containers', { token: user })).json();
  expect(containers).toEqual([{ id: 5, name: 'Kitchen', domainNames: ['kitchen.example.org'] }]);
  expect(cloud.deviations).toEqual([]);
});

test('ports without serial number do not stand in each other’s way', async () => {
  await using cloud = await startCloud();
  const { user } = await arrive(cloud, adminCard);
  for (const portname of ['Attic', 'Cellar']) {
    const body = form({ ...attic, portname, deviceserial: '' });
    expect((await api(cloud, '/outputports', { method: 'POST', token: user, body })).status).toBe(200);
  }
});

test('the license group is shown to who may view licenses', async () => {
  const outputPorts = sampleData.outputPorts.map((port) => ({ ...port, groupNo: 'G7' }));
  await using cloud = await startCloud({ seed: { ...sampleData, outputPorts } });
  const { device, user } = await arrive(cloud);
  const admin = await login(cloud, device, adminCard);
  const groupNo = async (token: string) => {
    const list: unknown = await (await api(cloud, '/outputports', { token })).json();
    return Array.isArray(list) ? list[0].groupNo : undefined;
  };
  expect([await groupNo(user), await groupNo(device), await groupNo(admin)]).toEqual(['', '', 'G7']);
});

interface Refused {
  readonly what: string;
  readonly call: readonly [method: string, path: string, fields: Record<string, string>];
  readonly status: number;
  readonly errorCode: number;
  readonly noted?: string;
}

const refusals: readonly Refused[] = [
  {
    what: 'a port of an unknown account',
    call: ['POST', '/outputports', { ...attic, domainname: 'elsewhere.org' }],
    status: 400,
    errorCode: 1006,
  },
  {
    what: 'a serial number that is taken',
    call: ['POST', '/outputports', { ...attic, deviceserial: 'SN-0001' }],
    status: 400,
    errorCode: 1009,
  },
  {
    what: 'a port without address',
    call: ['POST', '/outputports', named],
    status: 400,
    errorCode: 10000,
    noted: 'address',
  },
  {
    what: 'an output type there is not',
    call: ['POST', '/outputports', { ...attic, outputtype: '6' }],
    status: 400,
    errorCode: 10000,
    noted: 'outputtype',
  },
  {
    what: 'a port that is not there',
    call: ['PATCH', '/outputports/99', named],
    status: 404,
    errorCode: 10000,
  },
  {
    what: 'a change that does not say which port it is',
    call: ['PATCH', '/outputports/7', { portname: 'Lobby', porttype: '1' }],
    status: 400,
    errorCode: 10000,
    noted: 'domainname',
  },
  {
    what: 'a change that would move the port',
    call: ['PATCH', '/outputports/7', { ...named, domainname: 'kitchen.example.org' }],
    status: 400,
    errorCode: 1007,
  },
  {
    what: 'a terminal config of an unknown account',
    call: ['POST', '/terminalconfig', { domain: 'elsewhere.org', name: 'Attic', vendor: 'eop' }],
    status: 400,
    errorCode: 1070,
  },
  {
    what: 'a terminal config for a port that is not there',
    call: ['POST', '/terminalconfig', { domain: 'example.org', name: 'Attic', vendor: 'eop', devices: '99' }],
    status: 400,
    errorCode: 1070,
  },
  {
    what: 'a terminal config without vendor',
    call: ['POST', '/terminalconfig', { domain: 'example.org', name: 'Attic' }],
    status: 400,
    errorCode: 10000,
    noted: 'vendor',
  },
];

test.each(refusals)(
  '$what is refused',
  async ({ call: [method, path, fields], status, errorCode, noted }) => {
    await using cloud = await startCloud();
    const { user } = await arrive(cloud, adminCard);
    const answer = await api(cloud, path, { method, token: user, body: form(fields) });
    expect([answer.status, await fieldsOf(answer)]).toEqual([status, { errorCode }]);
    expect(cloud.deviations).toHaveLength(noted === undefined ? 0 : 1);
    expect(cloud.deviations.join('')).toContain(noted ?? '');
  },
);

test('a terminal config is created for its devices, and read by their serial numbers', async () => {
  await using cloud = await startCloud();
  const { device, user } = await arrive(cloud, adminCard);
  const body = `${form({ domain: 'example.org', name: 'Lobby', vendor: 'eop', applicationtype: '3' })}&devices=7`;
  const created = await api(cloud, '/terminalconfig', { method: 'POST', token: user, body });
  expect(await fieldsOf(created)).toEqual({ errorCode: 0, id: 32 });
  const config = await api(cloud, '/terminalconfig?serialnumber=SN-0001', { token: device });
  expect(await fieldsOf(config)).toMatchObject({ services: { print: { enabled: true } } });
  expect(cloud.deviations).toEqual([]);
});
