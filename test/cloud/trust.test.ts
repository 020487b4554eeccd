/** Whom the client talks to: INVARIANTS.md T22 and T25. A server that is not trusted sees no header of ours. */
import type { RequestListener } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import type { SecureVersion } from 'node:tls';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Certificate } from '../support/certificates.ts';
import { makeCertificate } from '../support/certificates.ts';
import { Secret } from '../../src/core/secret.ts';
import { asking, cloudAt, problemOf } from '../support/cloud/cloud-under-test.ts';
import { forwardClock } from '../support/forward-clock.ts';
import { answerJson, listen, listenOnLoopback } from '../support/cloud/scripted-server.ts';

afterEach(() => vi.unstubAllEnvs());

const authority = makeCertificate({ commonName: 'Test authority' });
const stranger = makeCertificate({ commonName: 'Stranger' });
const hosts = ['cloud.test', '127.0.0.1'];
const good = makeCertificate({ commonName: 'cloud', hosts, issuer: authority });

const fromNow = (days: number) => new Date(Date.now() + days * 86_400_000);

const startTls = (
  certificate: Certificate,
  limits: { maxVersion?: SecureVersion; minVersion?: SecureVersion } = {},
) =>
  listen(answerJson({ version: '1' }), 'https', (listener: RequestListener) =>
    createServer(
      { cert: certificate.pem, key: certificate.key.export({ type: 'pkcs8', format: 'pem' }), ...limits },
      listener,
    ),
  );

describe('a TLS server', () => {
  it('is trusted by the configured authority, added to the roots (T22)', async () => {
    await using server = await startTls(good);
    await using under = cloudAt(server.url, { ca: authority.pem });
    expect(await under.cloud.version(asking)).toMatchObject({ version: '1' });
  });

  it('tells when its certificate ends, also behind a proxy', async () => {
    const end = fromNow(9);
    await using server = await startTls(leaf({ notAfter: end }));
    using proxy = await startProxy(server);
    const reported: unknown[] = [];
    const options = { ca: authority.pem, onCertificate: (...seen: unknown[]) => void reported.push(seen) };
    await using direct = cloudAt(server.url, options);
    await direct.cloud.version(asking);
    await using proxied = cloudAt('https://cloud.test', { ...options, proxyUrl: new Secret(proxy.url) });
    await proxied.cloud.version(asking);
    const inSeconds = Math.floor(end.getTime() / 1000) * 1000;
    expect(reported).toEqual([
      [new URL(server.url).host, inSeconds],
      ['cloud.test', inSeconds],
    ]);
  });

  const leaf = (more: Partial<Parameters<typeof makeCertificate>[0]>) =>
    makeCertificate({ commonName: 'cloud', hosts, issuer: authority, ...more });
  const tls11 = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' } as const;

  it.each<[string, Certificate, string, Parameters<typeof startTls>[1]]>([
    ['of another authority', leaf({ issuer: stranger }), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', {}],
    ['signed by itself', makeCertificate({ commonName: 'cloud', hosts }), 'DEPTH_ZERO_SELF_SIGNED_CERT', {}],
    ['of another name', leaf({ hosts: ['other.test'] }), 'ERR_TLS_CERT_ALTNAME_INVALID', {}],
    ['run out', leaf({ notBefore: fromNow(-9), notAfter: fromNow(-1) }), 'CERT_HAS_EXPIRED', {}],
    ['not valid yet', leaf({ notBefore: fromNow(1), notAfter: fromNow(9) }), 'CERT_NOT_YET_VALID', {}],
    ['that knows TLS 1.1 at most', good, 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', tls11],
  ])('%s is not spoken to (T22)', async (_, certificate, reason, limits) => {
    await using server = await startTls(certificate, limits);
    await using under = cloudAt(server.url, { ca: authority.pem });
    const problem = await problemOf(under.cloud.version(asking));
    expect(problem).toMatchObject({ code: 'cloud-unreachable', delivery: 'not-sent' });
    expect(problem.message).toMatch(`GET ${new URL(server.url).host}/api/v1/version: no connection: `);
    expect(problem.message).toContain(`(${reason})`);
    expect(server.asked).toEqual([]);
  });

  it('is checked even when the environment would have it otherwise (D16)', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    await using server = await startTls(good);
    await using under = cloudAt(server.url);
    expect((await problemOf(under.cloud.version(asking))).code).toBe('cloud-unreachable');
    expect(server.asked).toEqual([]);
  });
});

/** Leads every tunnel to the given server, whatever name was asked for, and remembers the names. */
async function startProxy(target: { readonly url: string }, credentials?: string) {
  const tunnels: string[] = [];
  const wanted = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  const proxy = createHttpServer().on('connect', (request, socket) => {
    if (wanted !== undefined && request.headers['proxy-authorization'] !== wanted) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\n\r\n');
      return;
    }
    tunnels.push(request.url ?? '');
    const { hostname, port } = new URL(target.url);
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  const port = await listenOnLoopback(proxy);
  return { url: `http://127.0.0.1:${port}`, tunnels, [Symbol.dispose]: () => proxy.close() };
}

describe('a proxy', () => {
  it('that is configured is tunnelled through; the certificate checked is the cloud’s', async () => {
    await using server = await startTls(good);
    using proxy = await startProxy(server);
    await using under = cloudAt('https://cloud.test', { ca: authority.pem, proxyUrl: new Secret(proxy.url) });
    expect(await under.cloud.version(asking)).toMatchObject({ version: '1' });
    expect(proxy.tunnels).toEqual(['cloud.test:443']);
    expect(server.asked[0]?.headers.host).toBe('cloud.test');

    await using impostor = cloudAt('https://other.test', {
      ca: authority.pem,
      proxyUrl: new Secret(proxy.url),
    });
    expect((await problemOf(impostor.cloud.version(asking))).message).toContain(
      'ERR_TLS_CERT_ALTNAME_INVALID',
    );
  });

  it('of the environment is used where NO_PROXY does not exempt, and never for loopback', async () => {
    await using server = await startTls(good);
    using proxy = await startProxy(server);
    vi.stubEnv('https_proxy', proxy.url);
    vi.stubEnv('no_proxy', 'direct.test');
    await using proxied = cloudAt('https://cloud.test:7300', { ca: authority.pem });
    await proxied.cloud.version(asking);
    await using loopback = cloudAt(server.url, { ca: authority.pem });
    await loopback.cloud.version(asking);
    // However long the name lookup would take.
    const clock = forwardClock();
    await using direct = cloudAt('https://direct.test', { ca: authority.pem, clock });
    await clock.hurry(problemOf(direct.cloud.version(asking)));
    expect(proxy.tunnels).toEqual(['cloud.test:7300']);
  });

  it('that wants credentials gets those of its address, and nobody else does', async () => {
    await using server = await startTls(good);
    using proxy = await startProxy(server, 'gate:pass word');
    const at = (credentials: string) =>
      cloudAt('https://cloud.test', {
        ca: authority.pem,
        proxyUrl: new Secret(proxy.url.replace('//', `//${credentials}`)),
      });
    await using known = at('gate:pass%20word@');
    expect(await known.cloud.version(asking)).toMatchObject({ version: '1' });
    expect(server.asked[0]?.headers).not.toHaveProperty('proxy-authorization');

    await using unknown = at('');
    const problem = await problemOf(unknown.cloud.version(asking));
    expect(problem).toMatchObject({ code: 'cloud-unreachable', delivery: 'not-sent' });
    expect(problem.message).toContain('the proxy asks for a user name and password (407)');
    await using wrong = at('gate:CANARY@');
    await problemOf(wrong.cloud.version(asking));
    expect([...wrong.logged, problem.message].join()).not.toContain('CANARY');
  });

  it('that refuses is a cloud out of reach, with nothing sent', async () => {
    await using server = await listen(answerJson({}), 'http', createHttpServer);
    await using under = cloudAt('https://cloud.test', { proxyUrl: new Secret(server.url) });
    expect(await problemOf(under.cloud.version(asking))).toMatchObject({
      code: 'cloud-unreachable',
      delivery: 'not-sent',
    });
  });
});
