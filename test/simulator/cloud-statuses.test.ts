/** What the simulated cloud answers where there is no such thing: a status that the specification lists for the call. */
import { describe, expect, it } from 'vitest';
import { specifiedCalls } from '../support/cloud/specification.ts';
import { administratorOf } from './administrator.ts';

/** The fields without which a call is refused before it looks for the thing. */
const fields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'POST /documents/{}/{}': { copies: '1' },
  'POST /users/{}': { detailtype: '0', detaildata: 'x' },
  'POST /users/{}/cards': { cardid: '04' },
  'PUT /users/{}/groups': { groupid: '1' },
  'POST /users/{}/groups': { groupid: '1' },
  'DELETE /users/{}/groups': { groupid: '1' },
  'PUT /account/container/{}': { containername: 'x' },
};
const queries: Readonly<Record<string, string>> = {
  'DELETE /accesscontrols/{}': '?accountdomain=example.org',
};
const json: Readonly<Record<string, object>> = {
  'PUT /locations/{}': { name: 'x', sortOrder: 1, identifiers: [] },
  'PUT /scan/connectors/{}': { name: 'x', connectorType: 'EMAIL' },
  'PUT /scan/workflows/{}': { name: 'x', connectorId: 1, fileType: 'PDF' },
  'PUT /scan/access/{}': { workflowId: 1, identityId: 1, identityType: 'User' },
  'PUT /balance/policies/{}': { policyName: 'x', balanceType: 'free' },
};
const ofOneThing = specifiedCalls.filter(({ call, statuses }) => call.includes('{}') && statuses.length > 0);
const prices = { bwNormalPage: 0.05, bwLargePage: 0.1, colorNormalPage: 0.2, colorLargePage: 0.4 };

describe('a call for a thing that is not there', () => {
  it.each(ofOneThing)('$call is answered $statuses', async ({ call, statuses }) => {
    await using at = await administratorOf();
    await at.ask('PUT', '/balance/config', { enabled: true, ...prices });
    const [method = '', path = ''] = call.split(' ');
    const named = path.replaceAll('{}', '4711') + (queries[call] ?? '');
    const form = fields[call];
    const answer = await (form ? at.submit(method, named, form) : at.ask(method, named, json[call]));
    const listed = statuses.map(Number);
    // 403 is also what a lack of permission is.
    const expected = [404, 400, 403].find((status) => listed.includes(status));
    expect(answer.status).toBe(expected);
    expect(at.cloud.deviations.filter((one) => !one.includes('without reading the ids'))).toEqual([]);
  });

  it.each([
    ['DELETE', '/documents/none', 403, 1002],
    ['DELETE', '/outputports/99', 403, 1017],
    ['DELETE', '/inputports/99', 403, 1016],
    ['DELETE', '/users/nobody', 403, 1004],
    // Without a list of statuses.
    ['DELETE', '/groups/99', 404, 1044],
    ['DELETE', '/certificate/ca/none', 404, 1130],
  ])('%s %s says by its error code what failed', async (method, path, status, errorCode) => {
    await using at = await administratorOf();
    expect(await at.ask(method, path)).toEqual({ status, body: { errorCode } });
  });
});

describe('the default policy that nobody has changed', () => {
  const start = async () => {
    const at = await administratorOf();
    await at.ask('PUT', '/balance/config', { enabled: true, ...prices });
    return at;
  };

  it('is seen by the id 0 that the list gives it, and cannot be deleted', async () => {
    await using at = await start();
    const { body: list } = await at.ask('GET', '/balance/policies');
    expect(list).toMatchObject([{ id: 0, isDefault: true, balanceType: 'free' }]);
    expect((await at.ask('GET', '/balance/policies/0')).body).toEqual(Object(list)[0]);
    expect((await at.ask('DELETE', '/balance/policies/0')).status).toBe(400);
    expect(at.cloud.deviations).toEqual([]);
  });

  it('is kept from its first change on, under an id of its own', async () => {
    await using at = await start();
    const grouped = { policyName: 'All', balanceType: 'quota', groupIds: [1] };
    expect((await at.ask('PUT', '/balance/policies/0', grouped)).status).toBe(400);
    const changed = await at.ask('PUT', '/balance/policies/0', { ...grouped, groupIds: [] });
    expect(changed.body).toMatchObject({ isDefault: true, priority: 0, policyName: 'All' });
    const { id } = Object(changed.body);
    expect(id).toBeGreaterThan(0);
    expect((await at.ask('GET', '/balance/policies/0')).status).toBe(404);
    expect((await at.ask('GET', '/balance/policies/default')).body).toEqual(changed.body);
    expect((await at.ask('GET', `/balance/policies/${id}`)).body).toEqual(changed.body);
  });
});
