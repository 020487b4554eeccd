/** Users, groups, providers and roles of the simulated cloud: their details, their import, and who is in what. */
import { expect, test } from 'vitest';
import { administratorOf } from './administrator.ts';
import { api, fieldsOf, form } from '../support/cloud/hand-client.ts';

const user = (name: string) => `/users?username=${name}&providerid=3`;

test('a user has details, may log in with them, and each is changed or taken away for itself', async () => {
  await using at = await administratorOf();
  const details = { detailtype: ['0', '3', '4', '5'], detaildata: ['Dora Dent', 'secret', '04D0', '4720'] };
  expect((await at.submit('PUT', '/users', { username: 'dora', ...details })).body).toEqual({ errorCode: 0 });
  expect((await at.ask('GET', user('dora'))).body).toMatchObject({
    fullName: 'Dora Dent',
    cards: ['04D0'],
    shortId: '4720',
    groupIds: [],
  });
  const asked = form({ authtype: '0', userid: 'dora', password: 'secret' });
  const login = await api(at.cloud, '/login', { method: 'POST', token: at.device, body: asked });
  const { access_token: token } = Object((await fieldsOf(login))['token']);
  await at.submit('POST', '/users/dora', { detailtype: '4' });
  await at.submit('POST', '/users/dora', { detailtype: ['11', '0'], detaildata: ['Loft', 'Nobody'] });
  await at.submit('POST', '/users/dora', { detailtype: '14', detaildata: 'X-1' });
  expect((await at.ask('GET', user('dora'))).body).toMatchObject({
    fullName: 'Dora Dent',
    cards: [],
    department: 'Loft',
  });
  expect(at.cloud.state.users.at(-1)?.details).toEqual({ 14: 'X-1' });
  expect((await api(at.cloud, '/version', { token })).status).toBe(200);
  const ending = { detailtype: '3', detaildata: 'new', invalidatetokens: 'true' };
  await at.submit('POST', '/users/dora', ending);
  expect((await api(at.cloud, '/version', { token })).status).toBe(401);
  expect((await at.ask('DELETE', '/users/dora')).body).toEqual({ errorCode: 0 });
  expect(await at.ask('DELETE', '/users/dora')).toEqual({ status: 403, body: { errorCode: 1004 } });
  expect(at.cloud.deviations).toEqual([]);
});

test('the token of a user who is gone is nobody’s, not that of the next new user', async () => {
  await using at = await administratorOf();
  const details = { detailtype: '3', detaildata: 'secret' };
  await at.submit('PUT', '/users', { username: 'dora', ...details });
  const body = form({ authtype: '0', userid: 'dora', password: 'secret' });
  const login = await api(at.cloud, '/login', { method: 'POST', token: at.device, body });
  const { access_token: token } = Object((await fieldsOf(login))['token']);
  await at.ask('DELETE', '/users/dora');
  await at.submit('PUT', '/users', { username: 'eve', ...details });
  expect((await api(at.cloud, '/version', { token })).status).toBe(401);
});

test('of two users whose names differ in case alone each has the groups that it was given', async () => {
  await using at = await administratorOf();
  await at.submit('PUT', '/users', { username: 'Bob' });
  const groupsOf = async (name: string) => (await at.ask('GET', `/users/${name}/groups`)).body;
  const before = await groupsOf('bob');
  await at.submit('POST', '/users/Bob/groups', {});
  expect([await groupsOf('bob'), await groupsOf('Bob')]).toEqual([before, []]);
  expect(await groupsOf('BOB')).toEqual(before);
});

test.each([
  {
    what: 'a name that is taken',
    call: ['PUT', '/users', { username: 'bob' }],
    status: 400,
    errorCode: 1003,
  },
  {
    what: 'a card of another',
    call: ['POST', '/users/bob', { detailtype: '4', detaildata: '04A1B2C3D4' }],
    status: 400,
    errorCode: 1005,
  },
  {
    what: 'a short id of another',
    call: ['POST', '/users/bob', { detailtype: '5', detaildata: '4711' }],
    status: 400,
    errorCode: 1013,
  },
  {
    what: 'a user of another provider',
    call: ['POST', '/users/bob', { detailtype: '1', providerid: '4' }],
    status: 403,
    errorCode: 1013,
  },
  {
    what: 'a group there is',
    call: ['PUT', '/groups', { groupname: 'Upstairs' }],
    status: 400,
    errorCode: 1043,
  },
  {
    what: 'a group there is not',
    call: ['PUT', '/users/bob/groups', { groupid: '9' }],
    status: 400,
    errorCode: 10000,
  },
] as const)('$what is refused', async ({ call: [method, path, fields], status, errorCode }) => {
  await using at = await administratorOf();
  expect(await at.submit(method, path, fields)).toEqual({ status, body: { errorCode } });
  expect(at.cloud.deviations).toEqual([]);
});

test('users of a provider come in pages', async () => {
  await using at = await administratorOf();
  const first = Object((await at.ask('GET', '/users/all?providerid=3&maxrecords=3')).body);
  expect(first).toMatchObject({ recordsOnPage: 3, items: [{ userName: 'alice' }, {}, {}] });
  const second = (await at.ask('GET', `/users/all?pagetoken=${first.nextPageToken}`)).body;
  expect(second).toEqual({ recordsOnPage: 1, items: [expect.objectContaining({ userName: 'admin' })] });
});

test('an import makes and renames people, puts them into groups, and deactivates who is no longer named', async () => {
  await using at = await administratorOf();
  const send = async (text: string, mapping = 'userName:0,firstName:1,lastName:2,email:3,group:4') => {
    const body = new FormData();
    body.append('data', new File([text], 'people.csv'));
    const fields = { group: 'Imported', mapping, separator: ';', hasheader: 'true' };
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    return fetch(`${at.cloud.baseUrl}/api/v1/users/import`, {
      method: 'POST',
      body,
      headers: { 'x-api-key': at.cloud.apiKey, authorization: `Bearer ${at.token}` },
    });
  };
  const head = 'username;firstname;lastname;mail;usergroup\r\n';
  await send(`${head}emil;Emil;"End;e ""Jr"""; emil@example.org;Upstairs\r\nbob;Bob;Best;;\r\n`);
  expect((await at.ask('GET', user('emil'))).body).toMatchObject({
    fullName: 'Emil End;e "Jr"',
    email: 'emil@example.org',
    groupIds: [3, 2],
  });
  expect((await at.ask('GET', user('bob'))).body).toMatchObject({
    fullName: 'Bob Best',
    email: 'bob@example.org',
  });
  await send(`${head}emil;Emil;Ende;;\n`);
  expect(at.cloud.state.users.filter((one) => one.isDeactivated).map((one) => one.userName)).toEqual(['bob']);
  await send(`${head};fred;Frost\n`, 'firstName:0,userName:1,lastName:2');
  expect((await at.ask('GET', user('fred'))).body).toMatchObject({ fullName: 'Frost' });
  const document = at.cloud.state.documents.find(({ owner }) => owner === 'bob');
  const badge = `/card?cd=04B5C6D7E8&Mac=00:80:A3:00:00:08`;
  expect((await api(at.cloud, badge, { token: at.device })).status).toBe(400);
  expect(document?.info.status).toBe(0);
  const refused = await send(`${head};Nobody;;;\n`);
  expect([refused.status, await refused.json()]).toEqual([400, { errorCode: 1060 }]);
  expect(at.cloud.deviations).toEqual([]);
  expect((await send(head, 'firstName:0')).status).toBe(400);
  expect(at.cloud.deviations).toEqual([expect.stringContaining('no userName')]);
});

test('an import reads a list whose first column is empty, and refuses one that is not UTF-8', async () => {
  await using at = await administratorOf();
  const send = async (list: string | Uint8Array<ArrayBuffer>) => {
    const body = new FormData();
    body.append('data', new File([list], 'people.csv'));
    body.append('group', 'Imported');
    body.append('mapping', 'email:0,userName:1,firstName:2');
    const answer = await fetch(`${at.cloud.baseUrl}/api/v1/users/import`, {
      method: 'POST',
      body,
      headers: { 'x-api-key': at.cloud.apiKey, authorization: `Bearer ${at.token}` },
    });
    return [answer.status, await answer.json()];
  };
  expect(await send(',emil,Emil')).toEqual([200, { errorCode: 0 }]);
  expect((await at.ask('GET', user('emil'))).body).toMatchObject({ fullName: 'Emil', email: '' });
  expect(at.cloud.deviations).toEqual([]);
  expect(await send(Uint8Array.from(Buffer.from(',j\xfcrg,J\xfcrg', 'latin1')))).toEqual([
    400,
    { errorCode: 1060 },
  ]);
  expect(at.cloud.deviations).toEqual([expect.stringContaining('the list is not UTF-8')]);
});

test('a user of a directory has no groups of the API, and a group that there is not is told as such', async () => {
  await using at = await administratorOf();
  at.cloud.addUser({ userName: 'dirk', providerId: 4 });
  expect((await at.ask('GET', '/users/dirk/groups')).status).toBe(400);
  expect((await at.submit('PUT', '/users/dirk/groups', { groupid: '2' })).status).toBe(400);
  expect(await at.ask('DELETE', '/groups/9')).toEqual({ status: 404, body: { errorCode: 1044 } });
  expect(at.cloud.deviations).toEqual([]);
});

test('the text id of a group is never the key of another one, whichever came first', async () => {
  await using at = await administratorOf();
  expect(await at.submit('PUT', '/groups', { groupname: 'Second', groupdn: '2' })).toEqual({
    status: 400,
    body: { errorCode: 1043 },
  });
  const later = await at.submit('PUT', '/groups', { groupname: 'Of numbers', groupdn: '5' });
  expect(later.body).toMatchObject({ id: 4 });
  expect((await at.submit('PUT', '/groups', { groupname: 'Next' })).body).toMatchObject({ id: 6 });
  expect((await at.ask('GET', '/groups/5')).body).toMatchObject({ id: 4, groupName: 'Of numbers' });
});

test('memberships are added to, replaced and taken away; a group that goes takes them along', async () => {
  await using at = await administratorOf();
  const made = await at.submit('PUT', '/groups', { groupname: 'Night shift', groupdn: 'night' });
  expect(made.body).toEqual({ errorCode: 0, id: 3 });
  const groupsOfAlice = () => at.cloud.state.users[0]?.groupIds;
  await at.submit('PUT', '/users/ALICE/groups', { groupid: ['night', '2'] });
  expect(groupsOfAlice()).toEqual([1, 3, 2]);
  await at.submit('DELETE', '/users/alice/groups', { groupid: ['2'] });
  expect((await at.ask('GET', '/groups/night/members')).body).toMatchObject([{ userName: 'alice' }]);
  await at.ask('DELETE', '/groups/night');
  expect(await at.ask('DELETE', '/groups/night')).toMatchObject({ status: 404, body: { errorCode: 1044 } });
  expect(groupsOfAlice()).toEqual([1]);
  await at.submit('POST', '/users/alice/groups', {});
  expect(groupsOfAlice()).toEqual([]);
  await at.submit('PUT', '/users/alice/groups', { groupid: ['2'] });
  expect((await at.ask('POST', '/users/alice/groups')).body).toEqual({ errorCode: 0 });
  expect(groupsOfAlice()).toEqual([]);
  expect(at.cloud.deviations).toEqual([]);
});

test('a provider is saved with the configuration of its type, changed by its id, and goes', async () => {
  await using at = await administratorOf();
  const local = {
    name: 'Two',
    providerType: 0,
    accountId: 2,
    active: true,
    domainNames: [],
    typeConfiguration: '{}',
  };
  expect((await at.ask('PUT', '/authproviders', local)).body).toEqual({ errorCode: 0 });
  const ldap = { ...local, id: 5, providerType: 1, typeConfiguration: '{"port":636,"password":"p"}' };
  await at.ask('PUT', '/authproviders', ldap);
  const list = Object((await at.ask('GET', '/authproviders?accountid=2')).body);
  expect(list.at(-1)).toMatchObject({
    id: 5,
    providerType: 1,
    typeConfiguration: '{"port":636,"password":"p"}',
  });
  for (const wrong of [
    { ...local, typeConfiguration: '{"port":1}' },
    { ...ldap, typeConfiguration: '{"prot":1}' },
  ]) {
    expect(await at.ask('PUT', '/authproviders', wrong)).toEqual({ status: 400, body: { errorCode: 1031 } });
  }
  expect(at.cloud.deviations).toHaveLength(2);
  expect((await at.ask('DELETE', '/authproviders/5')).body).toEqual({ errorCode: 0 });
  expect(await at.ask('DELETE', '/authproviders/5')).toEqual({ status: 400, body: { errorCode: 1030 } });
});

const roles = '/accesscontrols?accountdomain=example.org';

test('the ids of access controls sort anew after a delete, and who does not read them again is noticed', async () => {
  await using at = await administratorOf();
  for (const given of [
    { roleName: 'Users', groupName: 'Upstairs' },
    { roleName: 'Support', userName: 'bob' },
    { roleName: 'Administrators', userName: 'admin' },
  ]) {
    expect((await at.ask('PUT', roles, { authProviderId: 3, ...given })).body).toEqual({ errorCode: 0 });
  }
  expect((await at.ask('GET', roles)).body).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]);
  await at.ask('DELETE', '/accesscontrols/2?accountdomain=example.org');
  expect(at.cloud.state.accessControls).toMatchObject([
    { id: 1, roleName: 'Administrators' },
    { id: 2, roleName: 'Users' },
  ]);
  expect(at.cloud.deviations).toEqual([]);
  await at.ask('DELETE', '/accesscontrols/1?accountdomain=example.org');
  expect(at.cloud.deviations).toEqual([expect.stringContaining('without reading the ids')]);
});

test.each(['secondary', 'gateway'] as const)('a %s server has no access controls', async (role) => {
  await using at = await administratorOf({ role });
  expect((await at.ask('GET', roles)).status).toBe(400);
  expect(at.cloud.deviations).toEqual([]);
});
