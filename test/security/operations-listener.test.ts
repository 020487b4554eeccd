/** Nobody reads how the agent is by a page of theirs, or from another machine without having been asked who they are. */
import { writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { request } from 'node:https';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { Secret } from '../../src/core/secret.ts';
import type { OperationsDeps } from '../../src/operations/operations-server.ts';
import { startOperations } from '../../src/operations/operations-server.ts';
import { makeCertificate } from '../support/certificates.ts';
import { bodyOf, exchange, statusOf } from '../kiosk/kiosk-stage.ts';
import { samplePages } from '../support/operations/sample-pages.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { recordLog } from '../support/recorded-log.ts';

const pages = ['/healthz', '/readyz', '/metrics', '/status'];
const token = 'a-token-of-the-monitoring';

async function start(changes: Partial<OperationsDeps> = {}) {
  const operations = await startOperations({
    listen: { host: '127.0.0.1', port: 0 },
    pages: samplePages(),
    log: recordLog().log,
    ...changes,
  });
  onTestFinished(() => operations[Symbol.asyncDispose]());
  const { port } = operations.address;
  const ask = async (path: string, ...headers: readonly string[]) => {
    const lines = [`GET ${path} HTTP/1.1`, ...headers, 'Connection: close', '', ''];
    const answer = await exchange(port, lines.join('\r\n').replaceAll('PORT', String(port)));
    return { status: statusOf(answer), body: bodyOf(answer), answer };
  };
  return { port, ask };
}

/** One of this machine that is not loopback. */
const ownAddress = (): string | undefined =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

describe('a page of somebody else', () => {
  it.each(pages)('that has its own name lead here reads nothing of %s (T01)', async (path) => {
    const { ask } = await start();
    for (const host of ['evil.example:PORT', '127.0.0.1', '127.0.0.1.nip.io:PORT', '[::1]:PORT', '']) {
      expect([host, await ask(path, `Host: ${host}`)]).toMatchObject([host, { status: 421, body: '' }]);
    }
    expect(await ask(path)).toMatchObject({ status: 421, body: '' });
    expect(await ask(path, 'Host: localhost:PORT')).toMatchObject({ status: 200 });
  });

  it.each(pages)('that calls this machine by its right name is told nothing of %s (T02)', async (path) => {
    const { ask } = await start();
    for (const sign of [
      'Sec-Fetch-Site: cross-site',
      'Sec-Fetch-Site: same-site',
      'Origin: https://evil.example',
      'Origin: null',
    ]) {
      const said = await ask(path, 'Host: 127.0.0.1:PORT', sign);
      expect([sign, said]).toMatchObject([sign, { status: 403, body: '' }]);
    }
    expect(await ask(path, 'Host: 127.0.0.1:PORT', 'Sec-Fetch-Site: none')).toMatchObject({ status: 200 });
  });

  it('may not frame what is shown, nor have it kept (T06)', async () => {
    const { ask } = await start();
    const { answer } = await ask('/status', 'Host: 127.0.0.1:PORT');
    expect(answer).toMatch(/^content-security-policy: default-src 'none'.*frame-ancestors 'none'/m);
    expect(answer).toMatch(/^cache-control: no-store\r$/m);
  });
});

describe('a caller from another machine', () => {
  it.each(['0.0.0.0:7381', '[::]:7381', '10.0.0.5:7381', 'gateway-1.example:7381'])(
    'is not waited for at %s without TLS or a token: the start says no, and what to set (I9)',
    (listen) => {
      using folder = temporaryDirectory();
      const file = join(folder.path, 'platen.yaml');
      const configure = (more: string) =>
        writeFileSync(
          file,
          `{ cloud: { baseUrl: "https://cloud.example", authUrl: "https://cloud.example", apiKey: k }, operations: { listen: "${listen}"${more} } }`,
          { mode: 0o600 },
        );
      configure('');
      expect(() => loadConfig(file, {})).toThrow(
        /operations\.listen: is not a loopback address.*operations\.tls, operations\.token/,
      );
      configure(', token: short');
      expect(() => loadConfig(file, {})).toThrow(/operations\.token: must have at least 16 characters/);
      configure(`, token: ${token}`);
      expect(loadConfig(file, {}).operations.token?.reveal()).toBe(token);
      const [one, other] = [makeCertificate({ commonName: 'one' }), makeCertificate({ commonName: 'other' })];
      writeFileSync(join(folder.path, 'own.pem'), one.pem);
      const withKey = ({ key }: typeof one) => {
        writeFileSync(join(folder.path, 'own.key'), key.export({ type: 'pkcs8', format: 'pem' }), {
          mode: 0o600,
        });
        configure(', tls: { certificateFile: own.pem, key: { file: own.key } }');
        return loadConfig(file, {}).operations.tls;
      };
      expect(() => withKey(other)).toThrow(/operations\.tls: the key does not belong to the certificate/);
      expect(withKey(one)?.certificate).toBe(one.pem);
    },
  );

  it.each(pages)('reads nothing of %s without the token, and nobody does (I9)', async (path) => {
    const { ask } = await start({ token: new Secret(token) });
    const host = 'Host: 127.0.0.1:PORT';
    for (const said of ['', `Bearer ${token}x`, `Bearer ${token.slice(1)}`, token, `Basic ${token}`]) {
      const refused = await ask(path, host, ...(said === '' ? [] : [`Authorization: ${said}`]));
      expect([said, refused]).toMatchObject([said, { status: 401, body: '' }]);
      expect(refused.answer).toMatch(/^www-authenticate: Bearer\r$/m);
    }
    expect(await ask(path, host, `Authorization: Bearer ${token}`)).toMatchObject({ status: 200 });
    // A page of somebody else learns not even that there is a token.
    expect(await ask(path, 'Host: evil.example')).toMatchObject({ status: 421 });
  });

  it('calls it by the address it has reached, or by a name that it was given, and by no other (T01)', async () => {
    const { ask } = await start({
      listen: { host: '0.0.0.0', port: 0 },
      names: ['gateway-1.example:7381'],
      token: new Secret(token),
    });
    const statusFor = async (host: string) =>
      (await ask('/healthz', `Host: ${host}`, `Authorization: Bearer ${token}`)).status;
    for (const host of ['127.0.0.1:PORT', 'gateway-1.example:7381']) {
      expect([host, await statusFor(host)]).toEqual([host, 200]);
    }
    for (const host of [
      'gateway-1.example',
      'gateway-1.example:7382',
      `${ownAddress() ?? '10.0.0.5'}:PORT`,
    ]) {
      expect([host, await statusFor(host)]).toEqual([host, 421]);
    }
  });

  it('hears over TLS that it is this gateway, and keeps it with no handshake that has no end (T28)', async () => {
    const own = makeCertificate({ commonName: 'gateway', hosts: ['127.0.0.1'] });
    const key = new Secret(String(own.key.export({ type: 'pkcs8', format: 'pem' })));
    const { port } = await start({ tls: { certificate: own.pem, key } });
    const ask = async (maxVersion: 'TLSv1.3' | 'TLSv1.1') => {
      const asked = request({
        port,
        host: '127.0.0.1',
        path: '/status',
        ca: own.pem,
        maxVersion,
        minVersion: 'TLSv1',
        agent: false,
      });
      const [answer] = await once(asked.end(), 'response');
      return [answer.statusCode, await text(answer)];
    };
    const silent = connect(port, '127.0.0.1').on('error', () => {});
    await once(silent, 'connect');
    const cut = once(silent.resume(), 'close');
    expect(await ask('TLSv1.3')).toEqual([200, '{"version":"0.1.0"}']);
    await expect(ask('TLSv1.1')).rejects.toThrow(/protocol version|no protocols/i);
    await cut;
  });
});
