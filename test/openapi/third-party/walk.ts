/**
 * What somebody else writes who has read the OpenAPI document only: a walk through every call of the service, with a
 * client that `openapi-typescript` and `openapi-fetch` make of it. The types of `service.ts` are made when it is tested.
 */
import createClient from 'openapi-fetch';
import type { paths } from './service.ts';

type Client = ReturnType<typeof createClient<paths>>;
type Fields = Readonly<Record<string, unknown>>;

interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** An administrator lets the new device in. */
  approve(): void;
}

/** One value for each name, or several. */
const form = {
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  bodySerializer: (fields: Fields = {}) =>
    new URLSearchParams(
      Object.entries(fields).flatMap(([name, value]) =>
        [value].flat().map((one): [string, string] => [name, String(one)]),
      ),
    ),
};

const parts = {
  bodySerializer(fields: Fields) {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) {
      if (value instanceof File) data.append(name, value);
      else data.append(name, String(value));
    }
    return data;
  },
};

/** The answer; a refusal ends the walk. */
function got<Data>({ data, error, response }: { data?: Data; error?: unknown; response: Response }): Data {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${JSON.stringify(error)}`);
  return data as Data;
}

const listOf = <Item>(answer: readonly Item[] | { items: readonly Item[] }): readonly Item[] =>
  'items' in answer ? answer.items : answer;

const domain = { accountdomain: 'example.org' };

export async function walk(service: Service, files: { authority: File; chain: File; password: string }) {
  const headers = { 'x-api-key': service.apiKey };
  const device = createClient<paths>({ baseUrl: `${service.baseUrl}/api/v1`, headers });
  const oauth = createClient<paths>({ baseUrl: service.baseUrl });
  const enrolled = await enrol(oauth, service);
  device.use(bearer(enrolled.access_token));
  const { token } = got(
    await device.POST('/login', {
      body: { authtype: 0, userid: 'admin', password: 'admin-secret' },
      ...form,
    }),
  );
  const admin = createClient<paths>({ baseUrl: `${service.baseUrl}/api/v1`, headers });
  admin.use(bearer(String(token?.access_token)));
  await accounts(admin);
  await ports(admin, device);
  await people(admin);
  await roles(admin);
  await places(admin);
  await documents(admin, device);
  await scanning(admin);
  await certificates(admin, files);
  await balances(admin);
  await traces(admin);
  got(await admin.GET('/token', { params: { query: { refresh_token: String(token?.refresh_token) } } }));
}

const bearer = (token: string) => ({
  onRequest({ request }: { request: Request }) {
    request.headers.set('authorization', `Bearer ${token}`);
    return request;
  },
});

/** By both forms of the OAuth side, and a person by a code. */
async function enrol(oauth: Client, { apiKey, approve }: Service) {
  const client = { client_id: 'third-party', client_secret: apiKey };
  const asked = { ...client, client_type: 'server', response_type: 'device_code' } as const;
  const { device_code } = got(await oauth.POST('/oauth/v1/register', { body: asked, ...form }));
  approve();
  const first = got(
    await oauth.POST('/oauth/v1/token', {
      body: { ...client, grant_type: 'device_code', device_code },
      ...form,
    }),
  );
  const older = { ...asked, client_id: 'older-third-party' };
  got(await oauth.GET('/oauth/v1/register', { params: { query: older } }));
  const refreshed = { ...client, grant_type: 'refresh_token', refresh_token: first.refresh_token } as const;
  const tokens = got(await oauth.GET('/oauth/v1/token', { params: { query: refreshed } }));

  got(await oauth.GET('/oauth/v1/.well-known/openid-configuration'));
  const redirect_uri = 'http://127.0.0.1/signed-in';
  const { response } = await oauth.GET('/oauth/v1/authorize', {
    redirect: 'manual',
    params: {
      query: {
        response_type: 'code',
        client_id: 'third-party',
        redirect_uri,
        login_hint: 'alice',
        state: 's',
        // Of the verifier in RFC 7636, appendix B.
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      },
    },
  });
  const code = new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const redeemed = {
    ...client,
    grant_type: 'authorization_code' as const,
    code,
    redirect_uri,
    code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  } as const;
  got(await oauth.POST('/oauth/v1/token', { body: redeemed, ...form }));
  return tokens;
}

async function accounts(admin: Client) {
  got(await admin.GET('/version'));
  const { id } = got(await admin.GET('/account'));
  got(await admin.HEAD('/account'));
  got(await admin.PATCH('/account', { body: { timezone: 'Europe/Vienna', locale: 'de' }, ...form }));
  const made = got(
    await admin.PUT('/account', {
      body: {
        parentdomain: 'example.org',
        accountname: 'Cellar',
        accounttype: 3 as const,
        domainname: ['cellar.example.org', 'below.example.org'],
      },
      ...form,
    }),
  );
  got(await admin.GET('/account/containers'));
  const named = { params: { path: { id: made.id } } };
  const changed = { containername: 'Vault', primarydomain: 'vault.example.org' };
  got(await admin.PUT('/account/container/{id}', { ...named, body: changed, ...form }));
  got(
    await admin.DELETE('/account/container/{id}', {
      params: { ...named.params, query: { withsubnodes: true } },
    }),
  );
  got(await admin.GET('/authproviders', { params: { query: { accountid: id } } }));
}

async function ports(admin: Client, device: Client) {
  const attic = { domainname: 'example.org', portname: 'Attic', address: '10.0.0.9', porttype: 1 as const };
  const made = got(await admin.POST('/outputports', { body: { ...attic, serviceid: [1, 2] }, ...form }));
  const named = { params: { path: { id: made.id } } };
  got(
    await admin.PATCH('/outputports/{id}', { ...named, body: { ...attic, description: 'above' }, ...form }),
  );
  got(
    await admin.PUT('/outputports', { body: { ...attic, portname: 'Loft', address: '10.0.0.10' }, ...form }),
  );
  got(await admin.PUT('/outputports', { body: { ...attic, id: made.id }, ...form }));
  const move = { domainname: 'example.org', destinationdomainname: 'kitchen.example.org' };
  got(await admin.PUT('/outputports/{id}/move', { ...named, body: move, ...form }));
  got(await admin.GET('/outputports', { params: { query: { enrichPorts: true } } }));
  const terminalInfo = { deployStatus: null, terminalStatus: null };
  got(await device.PUT('/outputports/{id}/terminalinfo', { ...named, body: terminalInfo }));
  got(await admin.DELETE('/outputports/{id}', named));

  const queue = { domainname: 'example.org', portname: 'Direct', porttype: 1 as const, outputportid: 7 };
  const { id } = got(await admin.PUT('/inputports', { body: queue, ...form }));
  got(await admin.PUT('/inputports', { body: { ...queue, id, portFlags: 1 }, ...form }));
  got(await admin.GET('/inputports', { params: { query: { locationids: [21] } } }));
  got(await admin.DELETE('/inputports/{id}', { params: { path: { id } } }));

  const terminal = { domain: 'example.org', name: 'Lobby', vendor: 'eop', devices: [7] };
  got(await admin.POST('/terminalconfig', { body: terminal, ...form }));
  got(await device.GET('/terminalconfig', { params: { query: { serialnumber: 'SN-0001' } } }));
  const badge = { params: { query: { cd: '04B5C6D7E8', Mac: '00:80:A3:00:00:08' } } };
  got(await device.GET('/card', badge));
  got(await device.POST('/card', badge));
}

async function people(admin: Client) {
  const dora = { params: { path: { username: 'dora' } } };
  const details = { detailtype: [0 as const, 5 as const], detaildata: ['Dora Dent', '4720'] };
  got(await admin.PUT('/users', { body: { username: 'dora', ...details }, ...form }));
  got(
    await admin.POST('/users/{username}', {
      ...dora,
      body: { detailtype: [11], detaildata: ['Loft'] },
      ...form,
    }),
  );
  got(await admin.POST('/users/{username}/cards', { ...dora, body: { cardid: '04D0D0' }, ...form }));
  got(await admin.GET('/users', { params: { query: { username: 'dora', providerid: 3 } } }));
  got(await admin.GET('/users/all', { params: { query: { providerid: 3, maxrecords: 2 } } }));
  got(await admin.PUT('/groups', { body: { groupname: 'Night shift', groupdn: 'night' }, ...form }));
  const night = { params: { path: { id: 'night' } } };
  const ids = { body: { groupid: ['night', '1'] }, ...form };
  got(await admin.PUT('/users/{username}/groups', { ...dora, ...ids }));
  got(await admin.GET('/users/{username}/groups', dora));
  got(await admin.GET('/groups'));
  got(await admin.GET('/groups/{id}', night));
  got(await admin.GET('/groups/{id}/members', night));
  got(await admin.DELETE('/users/{username}/groups', { ...dora, body: { groupid: ['1'] }, ...form }));
  got(await admin.POST('/users/{username}/groups', { ...dora, body: {}, ...form }));
  const list = new File(['emil;Emil;Ende;emil@example.org;Night shift\n'], 'people.csv', {
    type: 'application/octet-stream',
  });
  const mapping = 'userName:0,firstName:1,lastName:2,email:3,group:4';
  const given = { data: list as unknown as string, group: 'Imported', mapping, separator: ';' };
  got(await admin.POST('/users/import', { body: given, ...parts }));
  got(await admin.DELETE('/groups/{id}', night));
  got(await admin.DELETE('/users/{username}', { params: { ...dora.params, query: { providerid: 3 } } }));
}

async function roles(admin: Client) {
  const query = { params: { query: domain } };
  const give = { authProviderId: 3, roleName: 'Support', userName: 'alice' } as const;
  got(await admin.PUT('/accesscontrols', { ...query, body: give }));
  const [control] = listOf(got(await admin.GET('/accesscontrols', query)));
  const params = { path: { id: control?.id ?? 0 }, query: domain };
  got(await admin.DELETE('/accesscontrols/{id}', { params }));
  const ldap = { address: 'ldap.example.org', port: 636, ssl: true, baseDN: 'dc=example,dc=org' };
  const provider = {
    name: 'LDAP',
    providerType: 1 as const,
    accountId: 2,
    active: true,
    domainNames: [],
    typeConfiguration: JSON.stringify(ldap),
  };
  got(await admin.PUT('/authproviders', { body: provider }));
  got(await admin.DELETE('/authproviders/{id}', { params: { path: { id: 5 } } }));
}

async function places(admin: Client) {
  const annex = {
    name: 'Annex',
    sortOrder: 3,
    identifiers: [{ locationType: 2 as const, stringData: ['10.9.0.0/16'] }],
  };
  const { id } = got(await admin.POST('/locations', { body: annex }));
  const named = { params: { path: { id } } };
  got(await admin.PUT('/locations/{id}', { ...named, body: { ...annex, name: 'Old annex' } }));
  got(await admin.GET('/locations/{id}', named));
  const found = { locationtype: [2 as const], locationdata: ['10.9.0.0/16'] };
  got(await admin.GET('/locations', { params: { query: found } }));
  got(await admin.DELETE('/locations/{id}', named));
}

async function documents(admin: Client, device: Client) {
  const upload = async (title: string) => {
    const file = new File(['%PDF-1.7\n'], title, { type: 'application/octet-stream' });
    const fields = { data: file as unknown as string, username: 'admin', portname: 'Secure', title };
    return got(await admin.PUT('/documents', { body: fields, ...parts })).uuid;
  };
  const [kept, printed] = [await upload('Kept.pdf'), await upload('Printed.pdf')];
  got(await admin.GET('/documents', { params: { query: { status: [0, 9] } } }));
  const content = { params: { path: { uuid: kept }, query: { retain: true } }, parseAs: 'text' } as const;
  got(await admin.GET('/documents/{uuid}.content', content));
  const to = { params: { path: { uuid: printed, port: 'SN-0001' } } };
  got(await admin.POST('/documents/{uuid}/{port}', { ...to, body: { copies: 2 }, ...form }));
  got(await admin.DELETE('/documents/{uuid}', { params: { path: { uuid: kept } } }));
  const job = { jobtype: 'COPY', username: 'bob', providerid: 3, totalpages: '4' } as const;
  got(await device.POST('/documents/history', { body: job, ...form }));
  got(await admin.GET('/documents/history', { params: { query: { jobtype: 'COPY' } } }));
}

async function scanning(admin: Client) {
  const mail = { name: 'Mail', connectorType: 'EMAIL', retryAttemptsCount: 2 } as const;
  const connector = got(await admin.POST('/scan/connectors', { body: mail }));
  const atConnector = { params: { path: { id: connector.id } } };
  got(await admin.GET('/scan/connectors'));
  got(await admin.GET('/scan/connectors/{id}', atConnector));
  got(await admin.PUT('/scan/connectors/{id}', { ...atConnector, body: { ...mail, name: 'Post' } }));
  const toMe = {
    name: 'To me',
    connectorId: connector.id,
    fileType: 'PDF',
    ocrOptions: { enabled: true },
  } as const;
  const workflow = got(await admin.POST('/scan/workflows', { body: toMe }));
  const atWorkflow = { params: { path: { id: workflow.id } } };
  got(await admin.GET('/scan/workflows'));
  got(await admin.GET('/scan/workflows/{id}', atWorkflow));
  got(await admin.PUT('/scan/workflows/{id}', { ...atWorkflow, body: { ...toMe, active: false } }));
  const rule = { workflowId: workflow.id, identityId: 1, identityType: 'Group' } as const;
  const access = got(await admin.POST('/scan/access', { body: rule }));
  const atAccess = { params: { path: { id: access.id } } };
  got(await admin.GET('/scan/access'));
  got(await admin.GET('/scan/access/{id}', atAccess));
  got(await admin.PUT('/scan/access/{id}', { ...atAccess, body: { ...rule, allowAccess: false } }));
  got(await admin.DELETE('/scan/access/{id}', atAccess));
  got(await admin.DELETE('/scan/workflows/{id}', atWorkflow));
  got(await admin.DELETE('/scan/connectors/{id}', atConnector));
}

async function certificates(admin: Client, files: { authority: File; chain: File; password: string }) {
  const bytes = {
    headers: { 'content-type': 'application/octet-stream' },
    bodySerializer: (file: unknown) => file as File,
  };
  const authority = got(await admin.POST('/certificate/ca', { body: files.authority, ...bytes }));
  const keystore = { data: files.chain as unknown as string, password: files.password };
  const [leaf] = listOf(got(await admin.POST('/certificate/chain', { body: keystore, ...parts })));
  got(await admin.GET('/certificate/ca', { params: { query: { alias: authority.alias } } }));
  got(await admin.GET('/certificate/chain'));
  got(await admin.GET('/certificate/root'));
  got(await admin.DELETE('/certificate/ca/{alias}', { params: { path: { alias: authority.alias } } }));
  got(await admin.DELETE('/certificate/chain/{alias}', { params: { path: { alias: leaf?.alias ?? '' } } }));
}

async function balances(admin: Client) {
  const prices = { bwNormalPage: 0.05, bwLargePage: 0.1, colorNormalPage: 0.2, colorLargePage: 0.4 };
  got(await admin.PUT('/balance/config', { body: { enabled: true, ...prices } }));
  got(await admin.GET('/balance/config'));
  const owner = { userName: 'bob', providerId: 3 };
  const gift = { ...owner, operation: 'add', balanceType: 'wallet', amount: 12.5 } as const;
  got(await admin.POST('/balance/transactions', { body: gift }));
  const query = { username: 'bob', providerid: 3 };
  got(await admin.GET('/balance/transactions', { params: { query } }));
  got(await admin.GET('/balance', { params: { query } }));
  const waiting = listOf(got(await admin.GET('/documents', { params: { query: { status: [1] } } })));
  const priced = {
    uuid: waiting[0]?.uuid ?? '',
    userName: 'admin',
    providerId: 3,
    totalPages: 3,
    colorPages: 1,
    paperSize: 'A4',
    copies: 1,
  };
  got(await admin.POST('/balance/check', { body: priced }));

  const policy = { policyName: 'Everybody', balanceType: 'quota', initialBalance: 5, groupIds: [1] } as const;
  const { id } = got(await admin.POST('/balance/policies', { body: { ...policy, groupIds: [1] } }));
  const at = { params: { path: { id } } };
  got(await admin.GET('/balance/policies'));
  got(await admin.GET('/balance/policies/{id}', at));
  const schedule = {
    frequency: 'monthly',
    scheduledTime: '2100-01-31T06:00:00+01:00',
    targetAmount: 5,
  } as const;
  got(await admin.PUT('/balance/policies/{id}', { ...at, body: { ...policy, groupIds: [1], schedule } }));
  got(await admin.PUT('/balance/policies/order', { body: { orderedPolicyIds: [id] } }));
  got(await admin.PUT('/balance/policies/default', { body: { policyName: 'All', balanceType: 'free' } }));
  got(await admin.GET('/balance/policies/default'));
  got(await admin.DELETE('/balance/policies/{id}', at));
}

async function traces(admin: Client) {
  const query = { datefrom: '2000-01-01T00:00:00Z', dateto: '2100-01-01T00:00:00Z', category: 'scan' };
  got(await admin.GET('/logs/auditlogs', { params: { query } }));
  const { items } = got(await admin.GET('/endpoints', { params: { query: { withVersion: false } } }));
  got(await admin.GET('/endpoints/{id}', { params: { path: { id: items[0]?.endpointId ?? '' } } }));
}
