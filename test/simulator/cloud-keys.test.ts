/** A simulated cloud that takes several API keys (spec, Authentication 3). */
import { describe, expect, it } from 'vitest';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import {
  api,
  arrive,
  fieldsOf,
  form,
  login,
  oauth,
  registration,
  unsigned,
} from '../support/cloud/hand-client.ts';

const second = { 'x-api-key': 'second-key' };
const startTwoKeys = () => startCloud({ furtherKeys: ['second-key'] });

describe('a simulated cloud with two API keys', () => {
  it('takes either for a call and for a registration, and no third one', async () => {
    await using cloud = await startTwoKeys();
    const status = async (key: string) =>
      (await api(cloud, '/version', { headers: { 'x-api-key': key } })).status;
    expect([await status('sample-api-key'), await status('second-key'), await status('third')]).toEqual([
      200, 200, 403,
    ]);
    const body = form({ ...registration(cloud), client_secret: 'second-key' });
    expect((await oauth(cloud, '/register', body, unsigned)).status).toBe(200);
    expect(cloud.deviations).toEqual([]);
  });

  it('takes a user token with the key of its login alone', async () => {
    await using cloud = await startTwoKeys();
    const { user } = await arrive(cloud);
    expect((await api(cloud, '/documents', { token: user })).status).toBe(200);
    expect((await api(cloud, '/documents', { token: user, headers: second })).status).toBe(403);
    expect(cloud.deviations).toEqual([
      'GET /api/v1/documents: another API key than that of the login (spec, Authentication)',
    ]);
  });

  it('refreshes a user token with the key of its login alone, and so goes the new one', async () => {
    await using cloud = await startTwoKeys();
    const { device } = await arrive(cloud);
    const body = form({ authtype: '1', userid: '04B5C6D7E8' });
    const bob = await fieldsOf(
      await api(cloud, '/login', { method: 'POST', token: device, body, headers: second }),
    );
    const refresh = async (client_secret: string) => {
      const refresh_token = String(Object(bob['token'])['refresh_token']);
      const fields = { client_id: 'api', client_secret, grant_type: 'refresh_token', refresh_token };
      return await oauth(cloud, '/token', form(fields), unsigned);
    };
    expect((await refresh('sample-api-key')).status).toBe(400);
    const { access_token } = await fieldsOf(await refresh('second-key'));
    const token = String(access_token);
    expect((await api(cloud, '/documents', { token, headers: second })).status).toBe(200);
    expect((await api(cloud, '/documents', { token })).status).toBe(403);
  });

  it('lets a device token go with either: a device signs in for all who use it', async () => {
    await using cloud = await startTwoKeys();
    const { device } = await arrive(cloud);
    expect((await api(cloud, '/outputports', { token: device, headers: second })).status).toBe(200);
    expect(await login(cloud, device)).not.toBe('undefined');
    expect(cloud.deviations).toEqual([]);
  });
});
