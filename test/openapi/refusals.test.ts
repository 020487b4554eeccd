/** What the embedded cloud says no with: each refusal is a described status with the body that belongs to it. */
import { describe, expect, it } from 'vitest';
import { minutes } from '../../src/core/duration.ts';
import type { CloudOptions, SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import {
  api,
  enrol,
  form,
  grant,
  login,
  oauth,
  registration,
  signatureOf,
  unsigned,
} from '../support/cloud/hand-client.ts';
import { complaintsAboutAnswer } from '../support/cloud/description.ts';

/** Complaints about the answer to one call, and its status. */
async function judged(method: string, path: string, answer: Response) {
  const { status, headers } = answer;
  const type = headers.get('content-type') ?? undefined;
  const complaints = complaintsAboutAnswer({ method, path }, { status, type, body: await answer.text() });
  return { status, complaints };
}

interface Tokens {
  readonly device: string;
  readonly user: string;
  readonly refresh: string;
}

interface Refusal {
  readonly what: string;
  readonly method?: string;
  readonly path: string;
  readonly status: number;
  readonly cloud?: CloudOptions;
  /** What is sent besides method and path. */
  sent(tokens: Tokens): { token?: string; headers?: Record<string, string>; body?: string };
}

const asUser = ({ user }: Tokens) => ({ token: user });
const asDevice = ({ device }: Tokens) => ({ token: device });

describe('the API of the embedded cloud', () => {
  it.each<Refusal>([
    {
      what: 'a token that nobody knows',
      path: '/documents',
      sent: () => ({ token: 'unknown' }),
      status: 401,
    },
    {
      what: 'the device token where a user belongs',
      path: '/documents',
      sent: asDevice,
      status: 403,
    },
    {
      what: 'a wrong API key',
      path: '/version',
      sent: () => ({ headers: { 'x-api-key': 'wrong' } }),
      status: 403,
    },
    {
      what: 'a wrong API key where none is needed',
      method: 'HEAD',
      path: '/account',
      sent: () => ({ headers: { 'x-api-key': 'wrong' } }),
      status: 403,
    },
    {
      what: 'a token that nobody knows where none is needed',
      method: 'HEAD',
      path: '/account',
      sent: () => ({ token: 'unknown' }),
      status: 401,
    },
    {
      what: 'a query that cannot be read',
      path: '/documents?maxrecords=5',
      sent: asUser,
      status: 400,
    },
    {
      what: 'an unknown card',
      method: 'POST',
      path: '/login',
      sent: ({ device }) => ({ token: device, body: form({ authtype: '1', userid: 'FFFF' }) }),
      status: 401,
    },
    {
      what: 'a name from anywhere',
      method: 'POST',
      path: '/login',
      cloud: { keyAllows: ['untrusted-endpoints'] },
      sent: () => ({ body: form({ authtype: '3', userid: 'alice' }) }),
      status: 403,
    },
    {
      what: 'the content of no document',
      path: '/documents/none.content?retain=true',
      sent: asUser,
      status: 404,
    },
    { what: 'the end of no document', method: 'DELETE', path: '/documents/none', sent: asUser, status: 403 },
    {
      what: 'a user that is none in a record',
      method: 'POST',
      path: '/documents/history',
      sent: ({ device }) => ({
        token: device,
        body: form({ jobtype: 'PRINT', username: 'nobody', providerid: '3' }),
      }),
      status: 400,
    },
    { what: 'a report where the user may not', path: '/documents/history', sent: asUser, status: 403 },
    {
      what: 'a report of no port',
      method: 'PUT',
      path: '/outputports/4711/terminalinfo',
      sent: ({ device }) => ({
        token: device,
        body: '{}',
        headers: { 'content-type': 'application/json' },
      }),
      status: 404,
    },
    { what: 'no terminal config', path: '/terminalconfig?serialnumber=SN-0001', sent: asDevice, status: 404 },
    { what: 'no account', path: '/account?domainname=nowhere.example', sent: asDevice, status: 404 },
    { what: 'no account for providers', path: '/authproviders?accountid=4711', sent: asDevice, status: 400 },
    { what: 'no location', path: '/locations/4711', sent: asDevice, status: 404 },
    { what: 'no group', path: '/groups/4711', sent: asUser, status: 404 },
    { what: 'no user', path: '/users?username=nobody&providerid=3', sent: asUser, status: 404 },
    { what: 'groups of nobody', path: '/users/nobody/groups', sent: asUser, status: 400 },
    { what: 'no endpoint', path: '/endpoints/none', sent: asDevice, status: 400 },
    {
      what: 'a badge that nobody has',
      path: '/card?cd=FFFF&Mac=00:80:A3:00:00:08',
      sent: asDevice,
      status: 400,
    },
    {
      what: 'a balance where there is none',
      path: '/balance?username=alice&providerid=3',
      sent: asUser,
      status: 405,
    },
    {
      what: 'certificates, on a gateway',
      cloud: { role: 'gateway' },
      path: '/certificate/root',
      sent: asDevice,
      status: 400,
    },
  ])('refuses as described: $what', async ({ method = 'GET', path, status, cloud, sent }) => {
    await using simulated = await startCloud(cloud);
    const { device, refresh } = await enrol(simulated);
    const user = await login(simulated, device);
    const answer = await api(simulated, path, { method, ...sent({ device, user, refresh }) });
    const [resource = ''] = path.split('?');
    expect(await judged(method, `/api/v1${resource}`, answer)).toEqual({ status, complaints: [] });
  });

  it('refuses a badge for being nobody’s, and not for the colons of the reader beside it (RFC 3986)', async () => {
    await using simulated = await startCloud();
    const { device } = await enrol(simulated);
    const relayed = async (cd: string) => {
      const answer = await api(simulated, `/card?cd=${cd}&Mac=00:80:A3:00:00:08`, { token: device });
      return answer.status;
    };
    expect([await relayed('FFFF'), await relayed('04A1B2C3D4')]).toEqual([400, 200]);
    expect(simulated.deviations).toEqual([]);
  });
});

interface OAuthRefusal {
  readonly what: string;
  readonly status: number;
  readonly cloud?: CloudOptions;
  ask(simulated: SimulatedCloud): Promise<Response>;
}

/** A registration in which some fields are others. */
const registering = (simulated: SimulatedCloud, fields: Record<string, string>, signature = unsigned) =>
  oauth(simulated, '/register', form({ ...registration(simulated), ...fields }), signature);

async function codeOf(simulated: SimulatedCloud): Promise<string> {
  const answer: unknown = await (await registering(simulated, {})).json();
  return String(Object(answer)['device_code']);
}

const asking = (simulated: SimulatedCloud, fields: Parameters<typeof grant>[1], signature?: string) =>
  oauth(simulated, '/token', form(grant(simulated, fields)), signature);

describe('the OAuth side of the embedded cloud', () => {
  it.each<OAuthRefusal>([
    { what: 'a wrong API key', status: 401, ask: (cloud) => registering(cloud, { client_secret: 'wrong' }) },
    {
      what: 'another response type',
      status: 400,
      ask: (cloud) => registering(cloud, { response_type: 'code' }),
    },
    { what: 'an unknown key type', status: 400, ask: (cloud) => registering(cloud, { key_type: 'dsa' }) },
    { what: 'a key of another type', status: 400, ask: (cloud) => registering(cloud, { key_type: 'rsa' }) },
    { what: 'no key at all', status: 400, ask: (cloud) => registering(cloud, { public_key: 'none' }) },
    { what: 'an unknown field', status: 400, ask: (cloud) => registering(cloud, { scope: 'all' }) },
    {
      what: 'a client that is known',
      status: 400,
      ask: async (cloud) => {
        await registering(cloud, {});
        return registering(cloud, {});
      },
    },
    {
      what: 'a signature that does not fit',
      status: 401,
      ask: async (cloud) => {
        await registering(cloud, {});
        return registering(cloud, {}, signatureOf('another body'));
      },
    },
    {
      what: 'a signature of nobody',
      status: 400,
      ask: (cloud) => registering(cloud, {}, signatureOf('any body')),
    },
    {
      what: 'a code before approval',
      status: 400,
      ask: async (cloud) => asking(cloud, { device_code: await codeOf(cloud) }),
    },
    {
      what: 'a code without signature',
      status: 401,
      ask: async (cloud) => asking(cloud, { device_code: await codeOf(cloud) }, unsigned),
    },
    {
      what: 'a code that was never given',
      status: 400,
      ask: async (cloud) => {
        await codeOf(cloud);
        return asking(cloud, { device_code: 'never' });
      },
    },
    {
      what: 'a grant that there is not',
      status: 400,
      ask: (cloud) =>
        oauth(cloud, '/token', form({ ...grant(cloud, { device_code: 'x' }), grant_type: 'password' })),
    },
    {
      what: 'a client that is unknown',
      status: 400,
      ask: (cloud) => asking(cloud, { device_code: 'never' }),
    },
    {
      what: 'a code that has expired',
      status: 400,
      cloud: { deviceCodeLife: minutes(-1) },
      ask: async (cloud) => asking(cloud, { device_code: await codeOf(cloud) }),
    },
    {
      what: 'a client that an administrator refused',
      status: 400,
      ask: async (cloud) => {
        const device_code = await codeOf(cloud);
        cloud.reject();
        return asking(cloud, { device_code });
      },
    },
    {
      what: 'a refresh token that was used',
      status: 400,
      ask: async (cloud) => {
        const { refresh } = await enrol(cloud);
        await asking(cloud, { refresh_token: refresh });
        return asking(cloud, { refresh_token: refresh });
      },
    },
    {
      what: 'a client that is trusted no longer',
      status: 400,
      ask: async (cloud) => {
        const { refresh } = await enrol(cloud);
        cloud.withdrawTrust();
        return asking(cloud, { refresh_token: refresh });
      },
    },
  ])('refuses as described: $what', async ({ status, cloud, ask }) => {
    await using simulated = await startCloud(cloud);
    const answer = await ask(simulated);
    const { pathname } = new URL(answer.url);
    expect(await judged('POST', pathname, answer)).toEqual({ status, complaints: [] });
  });
});
