/** The administrators' page: its files hold no data, and what it asks for is told only to whom it is for. */
import { writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ConnectionOptions } from 'node:tls';
import { connect } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { Secret } from '../../src/core/secret.ts';
import type { OperationsDeps } from '../../src/operations/operations-server.ts';
import { startOperations } from '../../src/operations/operations-server.ts';
import type { Certificate } from '../support/certificates.ts';
import { makeCertificate } from '../support/certificates.ts';
import { exchange, statusOf } from '../kiosk/kiosk-stage.ts';
import { samplePages } from '../support/operations/sample-pages.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { recordLog } from '../support/recorded-log.ts';

const token = 'a-token-of-the-monitoring';
const data = ['/fleet', '/status', '/metrics', '/releases/7f3a9c21', '/codes/7f3a9c21', '/unsettled'];

async function start(changes: Partial<OperationsDeps> = {}): Promise<number> {
  const operations = await startOperations({
    listen: { host: '127.0.0.1', port: 0 },
    pages: samplePages(),
    log: recordLog().log,
    ...changes,
  });
  onTestFinished(() => operations[Symbol.asyncDispose]());
  return operations.address.port;
}

async function statusFor(port: number, path: string, ...headers: readonly string[]): Promise<number> {
  const lines = [`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...headers, 'Connection: close', '', ''];
  return statusOf(await exchange(port, lines.join('\r\n')));
}

describe('with a token', () => {
  it('the page comes without it, and nothing of what it asks for', async () => {
    const port = await start({ token: new Secret(token) });
    expect(await statusFor(port, '/ui/')).toBe(200);
    for (const path of data) expect([path, await statusFor(port, path)]).toEqual([path, 401]);
    const authorization = `Authorization: Bearer ${token}`;
    expect(await statusFor(port, '/fleet', authorization)).toBe(200);
    expect(await statusFor(port, '/releases/7f3a9c21', authorization)).toBe(404);
  });

  it.each(['/ui/../status', '/ui/%2e%2e/fleet', '/ui//fleet', '/ui?x=/status', '//ui/../fleet', '/UI/'])(
    'no spelling of its address leads to data: %s',
    async (path) => {
      const port = await start({ token: new Secret(token) });
      expect([308, 401, 404]).toContain(await statusFor(port, path));
    },
  );
});

describe('a page of somebody else', () => {
  const followed = ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document'];

  it('may lead to the page by a link, and to nothing else (T02)', async () => {
    const port = await start();
    expect(await statusFor(port, '/ui/', ...followed)).toBe(200);
    for (const path of data) expect([path, await statusFor(port, path, ...followed)]).toEqual([path, 403]);
  });

  it.each([
    ['Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: script'],
    ['Sec-Fetch-Mode: cors', 'Sec-Fetch-Dest: empty'],
    ['Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: iframe'],
  ])('reads and frames not even the page: %s, %s (T02)', async (mode, destination) => {
    const port = await start();
    expect(await statusFor(port, '/ui/', 'Sec-Fetch-Site: cross-site', mode, destination)).toBe(403);
  });

  it('that has its own name lead here is told nothing, link or not (T01)', async () => {
    const port = await start();
    const lines = ['GET /ui/ HTTP/1.1', 'Host: evil.example', ...followed, 'Connection: close', '', ''];
    expect(statusOf(await exchange(port, lines.join('\r\n')))).toBe(421);
  });
});

const pemOf = ({ key }: Certificate): string => String(key.export({ type: 'pkcs8', format: 'pem' }));

describe('with an authority for the certificates of callers', () => {
  const own = makeCertificate({ commonName: 'gateway', hosts: ['127.0.0.1'] });
  const authority = makeCertificate({ commonName: 'administrators' });
  const stranger = makeCertificate({ commonName: 'administrators' });
  const admin = makeCertificate({ commonName: 'desk', hosts: ['desk.example'], issuer: authority });
  const other = makeCertificate({ commonName: 'desk', hosts: ['desk.example'], issuer: stranger });
  const past = makeCertificate({
    commonName: 'desk',
    hosts: ['desk.example'],
    issuer: authority,
    notBefore: new Date('2020-01-01'),
    notAfter: new Date('2020-02-01'),
  });
  const tls = { certificate: own.pem, key: new Secret(pemOf(own)), clientCa: authority.pem };

  async function asked(
    port: number,
    { shown, path = '/status', sent }: { shown?: Certificate; path?: string; sent?: string } = {},
  ): Promise<number | undefined> {
    const asking = request({
      port,
      path,
      host: '127.0.0.1',
      ca: own.pem,
      agent: false,
      ...(shown ? { cert: shown.pem, key: pemOf(shown) } : {}),
      ...(sent === undefined ? {} : { headers: { authorization: `Bearer ${sent}` } }),
    });
    const [answer] = await once(asking.end(), 'response');
    await text(answer);
    return answer.statusCode;
  }

  it('tells whoever shows one of it, and nobody else', async () => {
    const port = await start({ tls });
    expect(await asked(port, { shown: admin })).toBe(200);
    expect(await asked(port)).toBe(403);
    expect(await asked(port, { shown: other })).toBe(403);
    expect(await asked(port, { shown: past })).toBe(403);
    expect(await asked(port, { shown: own })).toBe(403);
    // Which says what is missing.
    expect(await asked(port, { path: '/ui/' })).toBe(200);
  });

  it('takes the token in its place where there is one, and wants no other of who shows a certificate', async () => {
    const port = await start({ tls, token: new Secret(token) });
    expect(await asked(port, { shown: admin })).toBe(200);
    expect(await asked(port, { sent: token })).toBe(200);
    expect(await asked(port, { shown: other, sent: token })).toBe(200);
    expect(await asked(port, { shown: other })).toBe(401);
    expect(await asked(port)).toBe(401);
  });

  it.each(['TLSv1.3', 'TLSv1.2'] as const)(
    'tells nobody who resumes a session in which none was shown (%s)',
    async (maxVersion) => {
      const port = await start({ tls });
      const options = { port, host: '127.0.0.1', ca: own.pem, maxVersion };
      const first = await spoken(options);
      expect(first).toMatchObject({ status: 403, wasResumed: false });
      expect(await spoken({ ...options, session: first.session })).toMatchObject({
        status: 403,
        wasResumed: true,
      });
      const shown = { ...options, cert: admin.pem, key: pemOf(admin) };
      const known = await spoken(shown);
      expect(known).toMatchObject({ status: 200, wasResumed: false });
      expect(await spoken({ ...shown, session: known.session })).toMatchObject({
        status: 200,
        wasResumed: true,
      });
    },
  );

  it('is named in the configuration, and has to hold a certificate', () => {
    using folder = temporaryDirectory();
    const write = (name: string, content: string) =>
      writeFileSync(join(folder.path, name), content, { mode: 0o600 });
    const load = () => loadConfig(join(folder.path, 'platen.yaml'), {}).operations.tls;
    write('own.pem', own.pem);
    write('own.key', pemOf(own));
    write(
      'platen.yaml',
      '{ cloud: { baseUrl: "https://c.example", authUrl: "https://c.example", apiKey: k }, operations: { tls: { certificateFile: own.pem, key: { file: own.key }, clientCaFile: authority.pem } } }',
    );
    expect(load).toThrow(/operations\.tls\.clientCaFile/);
    write('authority.pem', 'nothing');
    expect(load).toThrow(/operations\.tls\.clientCaFile: .* contains no PEM certificate/);
    write('authority.pem', authority.pem);
    expect(load()?.clientCa).toBe(authority.pem);
  });
});

/** One request on a connection of its own, and the session that it leaves. */
async function spoken(options: ConnectionOptions & { port: number }) {
  const socket = connect(options);
  onTestFinished(() => void socket.destroy());
  const session = new Promise<Buffer>((resolve) => socket.once('session', resolve));
  await once(socket, 'secureConnect');
  const wasResumed = socket.isSessionReused();
  socket.write(`GET /status HTTP/1.1\r\nHost: 127.0.0.1:${options.port}\r\n\r\n`);
  const [answer] = await once(socket, 'data');
  // A resumed session of TLS 1.2 leaves no new one.
  const left = wasResumed ? undefined : await session;
  socket.destroy();
  return { status: statusOf(String(answer)), wasResumed, session: left };
}
