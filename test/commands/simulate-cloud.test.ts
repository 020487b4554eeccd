/** `platen simulate cloud`: its options, what each does, and what is said of each that is wrong. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { X509Certificate } from 'node:crypto';
import { request } from 'node:https';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { systemClock } from '../../src/core/clock.ts';
import { makeCertificate } from '../support/certificates.ts';
import { runCommandLine } from '../../src/commands/command-line.ts';
import { settingKeys } from '../../src/simulator/cloud/settings.ts';
import { commandHere } from '../support/command-here.ts';
import { withoutLimit } from '../support/patience.ts';

let folder: string;
const file = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-simulate-cloud-'));
  for (const name of ['one', 'two']) {
    const { pem, key } = makeCertificate({ commonName: 'localhost', hosts: ['localhost'] });
    await writeFile(file(`${name}.pem`), pem);
    await writeFile(file(`${name}.key`), String(key.export({ type: 'pkcs8', format: 'pem' })));
  }
  await writeFile(file('old.json'), '{"users":[]}');
  await writeFile(file('no.json'), 'none');
});
afterAll(() => rm(folder, { recursive: true }));

interface Running extends AsyncDisposable {
  /** What it says to write into a configuration. */
  readonly cloud: { readonly baseUrl: string; readonly authUrl: string; readonly apiKey: string };
  readonly text: () => string;
}

/** The command in this process, until it is disposed of. */
async function simulated(...options: readonly string[]): Promise<Running> {
  const stop = new AbortController();
  const lines: string[] = [];
  const { promise: greeted, resolve } = Promise.withResolvers<void>();
  const io = {
    out(text: string) {
      lines.push(text);
      if (text.startsWith('Type help')) resolve();
    },
    error: (text: string) => void lines.push(text),
    env: {},
    clock: systemClock,
    stop: stop.signal,
  };
  const ended = runCommandLine(['simulate', 'cloud', ...options], io);
  await Promise.race([greeted, ended]);
  return {
    cloud: parse(lines[0] ?? '').cloud,
    text: () => lines.join('\n'),
    async [Symbol.asyncDispose]() {
      stop.abort();
      expect(await ended).toBe(0);
    },
  };
}

const version = (origin: string, key: string) =>
  fetch(`${origin}/api/v1/version`, { headers: { 'x-api-key': key } });

describe('platen simulate cloud', () => {
  it('listens where it is told, OAuth at a port of its own', async () => {
    await using running = await simulated('--listen', '127.0.0.1:0', '--oauth-port', '0');
    const { baseUrl, authUrl, apiKey } = running.cloud;
    expect(authUrl).not.toBe(baseUrl);
    expect((await version(baseUrl, apiKey)).status).toBe(200);
    expect((await fetch(`${authUrl}/oauth/v1/token`, { method: 'POST' })).status).toBe(400);
    expect((await version(authUrl, apiKey)).status).toBe(404);
  });

  it('takes each API key that it is given, and the sample no longer', async () => {
    await using running = await simulated('--port', '0', '--api-key', 'first', '--api-key', 'second');
    const { baseUrl, apiKey } = running.cloud;
    const answers = await Promise.all(
      ['first', 'second', 'sample-api-key'].map((key) => version(baseUrl, key)),
    );
    expect([apiKey, ...answers.map(({ status }) => status)]).toEqual(['first', 200, 200, 403]);
  });

  it('lets the API key do more where it is told so', async () => {
    const withoutToken = async (...options: readonly string[]) => {
      await using running = await simulated('--port', '0', ...options);
      const { baseUrl, apiKey } = running.cloud;
      return await fetch(`${baseUrl}/api/v1/login`, {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'authtype=0&userid=alice&password=alice-secret',
      });
    };
    expect((await withoutToken()).status).toBe(403);
    expect((await withoutToken('--key-allows', 'untrusted-endpoints')).status).toBe(200);
  });

  it('refuses reads with a device token that no terminal needs, where it is strict', async () => {
    const readUsers = async (...options: readonly string[]) => {
      await using running = await simulated('--port', '0', '--approve', 'at-once', ...options);
      const { baseUrl, apiKey } = running.cloud;
      const client = { client_id: 'strict', client_secret: apiKey };
      const ask = async (path: string, fields: Record<string, string>) => {
        const body = new URLSearchParams({ ...client, ...fields });
        const answer = await fetch(`${baseUrl}/oauth/v1${path}`, { method: 'POST', body });
        return Object(await answer.json());
      };
      const asked = { client_type: 'printer', response_type: 'device_code' };
      const { device_code } = await ask('/register', asked);
      const { access_token } = await ask('/token', { grant_type: 'device_code', device_code });
      const headers = { 'x-api-key': apiKey, authorization: `Bearer ${access_token}` };
      const statuses = ['/groups', '/outputports'].map(
        async (path) => (await fetch(`${baseUrl}/api/v1${path}`, { headers })).status,
      );
      const reported = await Promise.all(statuses);
      const deviations = await (await fetch(`${baseUrl}/simulator/deviations`)).text();
      return [...reported, deviations.includes('GET /api/v1/groups: a device token')];
    };
    expect(await readUsers()).toEqual([200, 200, true]);
    expect(await readUsers('--strict')).toEqual([403, 200, true]);
  });

  it('speaks TLS with the given certificate, and then listens beyond this machine too', async () => {
    const tls = ['--tls-cert', file('one.pem'), '--tls-key', file('one.key')];
    await using running = await simulated('--listen', '0.0.0.0:0', '--api-key', 'my-own-key', ...tls);
    expect(running.text()).toContain(`curl -f -H 'X-API-Key: my-own-key' -X POST`);
    const { port, protocol } = new URL(running.cloud.baseUrl);
    expect(protocol).toBe('https:');
    const asked = request({
      host: 'localhost',
      port,
      path: '/api/v1/version',
      agent: false,
      headers: { 'x-api-key': 'my-own-key' },
      ca: await readFile(file('one.pem')),
    });
    asked.end();
    const [answer] = await once(asked, 'response');
    answer.resume();
    expect(answer.statusCode).toBe(200);
  });

  it('speaks TLS with a certificate that it makes, whose authority it gives', async () => {
    await using running = await simulated('--port', '0', '--tls');
    const { baseUrl } = running.cloud;
    const ask = async (path: string, trust: object) => {
      const asked = request(`${baseUrl}${path}`, {
        agent: false,
        headers: { 'x-api-key': 'sample-api-key' },
        ...trust,
      });
      asked.end();
      const [answer] = await once(asked, 'response');
      return { status: answer.statusCode, body: Buffer.concat(await answer.toArray()).toString() };
    };
    const { body: ca } = await ask('/simulator/ca.pem', { rejectUnauthorized: false });
    const { fingerprint256 } = new X509Certificate(ca);
    expect(running.text()).toContain(
      `SHA-256 ${fingerprint256}: curl -fk ${baseUrl}/simulator/ca.pem -o ca.pem`,
    );
    expect(await ask('/api/v1/version', { ca })).toMatchObject({ status: 200 });
  });

  it('behaves as it is set, by an option and by its seed, the option first', async () => {
    const seed = file('seed.yaml');
    await writeFile(seed, 'settings: { userTokenLife: 60, listShape: paged }\n');
    const set = ['--set', 'userTokenLife=120', 'readsFor=users', '--set', 'pageSize=3', '--gateway'];
    await using running = await simulated('--port', '0', '--seed', seed, ...set);
    const answer = await fetch(`${running.cloud.baseUrl}/simulator/settings`);
    expect(await answer.json()).toMatchObject({
      settings: { userTokenLife: 120, listShape: 'paged', readsFor: 'users', pageSize: 3, role: 'gateway' },
    });
  });

  it('lists the settings with their values, defaults and sentences', async () => {
    const { code, out: output } = await commandHere(['simulate', 'cloud', '--set', 'list']);
    expect([code, output.split('\n').length]).toEqual([0, 2 * settingKeys().length]);
    expect(output).toMatch(/^userTokenLife=3600: a number from 0 to 31536000\n {2}Seconds that/m);
    expect(output).toMatch(/^listShape=bare: bare, paged\n {2}A list/m);
  });

  it('keeps its state in the file, from the start', async () => {
    const kept = file('kept.json');
    {
      await using running = await simulated('--port', '0', '--state', kept);
      expect(running.text()).toContain('card of alice');
    }
    await using again = await simulated('--port', '0', '--state', kept);
    expect(again.text()).toContain('card of alice');
  });

  it('goes on where the file cannot be written any more, and says so', async () => {
    const room = await mkdtemp(join(folder, 'room-'));
    await using running = await simulated('--port', '0', '--state', join(room, 'cloud.json'));
    await rm(room, { recursive: true });
    const { baseUrl, apiKey } = running.cloud;
    expect((await version(baseUrl, apiKey)).status).toBe(200);
    expect(running.text()).toContain('the state was not saved: ENOENT');
  });

  it('tells of a new beginning that a test has asked for', async () => {
    await using running = await simulated('--port', '0');
    const { baseUrl } = running.cloud;
    expect((await fetch(`${baseUrl}/simulator/reset`, { method: 'POST' })).status).toBe(204);
    expect(running.text()).toContain('reset: as at the beginning');
  });
});

describe('an option of platen simulate cloud that is wrong is a mistake of use, said in a sentence', () => {
  it.each([
    [['--port', '70000'], 'must be a port number'],
    [['--listen', 'http://127.0.0.1:7300'], 'must be HOST or HOST:PORT, IPv6 in brackets'],
    [['--listen', '::1'], 'must be HOST or HOST:PORT, IPv6 in brackets'],
    [['--listen', '127.0.0.1:70000'], 'must be a port number'],
    [['--listen', '127.0.0.1:0', '--port', '0'], "cannot be used with option '--port <number>'"],
    [
      ['--listen', '0.0.0.0:0'],
      'is reachable from other machines, and clients send keys and passwords to it. Give --tls-cert',
    ],
    [
      ['--listen', '0.0.0.0:0', '--tls'],
      'everybody knows the usual API key. Give --api-key KEY with a key of your own',
    ],
    [['--listen', '127.0.0.1:0', '--oauth-port', 'x'], 'must be a port number'],
    [['--port', '7311', '--oauth-port', '7311'], 'Leave it out: one port serves both'],
    [['--api-key', ''], 'must be ASCII without blanks'],
    [['--api-key', 'my key'], 'must be ASCII without blanks'],
    [['--api-key', 'one', '--api-key', 'one'], 'is given twice'],
    [['--key-allows', 'everything'], 'Allowed choices are unauthenticated-requests, untrusted-endpoints'],
    [['--set', 'userTokenLive=5'], '--set userTokenLive is no setting; did you mean userTokenLife?'],
    [['--set', 'userTokenLife=soon'], '--set userTokenLife must be a number from 0 to 31536000'],
    [['--set', 'listShape=flat'], '--set listShape must be bare, paged'],
    [['--set', 'pageSize=2', '--set', 'pageSize=3'], '--set pageSize is given twice'],
    [['--set', 'pageSize'], '--set pageSize: write it as NAME=VALUE'],
    [['--gateway', '--set', 'role=secondary'], 'role is given twice. --gateway sets it too'],
    [['--strict', '--set', 'readsFor=users'], 'readsFor is given twice. --strict sets it too'],
    [['--set', 'advancedPermissions=ViewJop,AddJob'], 'did you mean ViewJob?'],
    [['--tls', '--tls-cert', 'one.pem', '--tls-key', 'one.key'], "cannot be used with option '--tls-"],
    [['--approve', 'never'], 'must be a whole number above 0'],
    [['--tls-cert', 'one.pem'], 'give --tls-cert and --tls-key together'],
    [['--tls-key', 'one.key'], 'give --tls-cert and --tls-key together'],
    [['--tls-cert', 'none.pem', '--tls-key', 'one.key'], 'none.pem cannot be read (ENOENT)'],
    [['--tls-cert', 'one.pem', '--tls-key', 'two.key'], 'two.key do not belong together, or are not PEM'],
    [['--tls-cert', 'no.json', '--tls-key', 'one.key'], 'do not belong together, or are not PEM'],
    [['--port', '0', '--state', 'old.json'], 'is the state of another version of the simulated cloud'],
    [['--port', '0', '--state', 'no.json'], '--state: '],
    [['--port', '0', '--state', 'missing/state.json'], 'cannot be read and written (ENOENT)'],
    [
      ['--listen', '192.0.2.1:0', '--api-key', 'own', '--tls-cert', 'one.pem', '--tls-key', 'one.key'],
      'Give an address of this machine',
    ],
  ])('%j: %s', async (options, reported) => {
    const isFile = (option: string | undefined) =>
      ['--tls-cert', '--tls-key', '--state'].includes(option ?? '');
    const args = options.map((one, at) => (isFile(options[at - 1]) ? file(one) : one));
    const { code, error } = await commandHere(['simulate', 'cloud', ...args], withoutLimit().signal);
    expect([code, error]).toEqual([64, expect.stringContaining(reported)]);
  });
});
