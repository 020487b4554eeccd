/** The look at the way to a server through a proxy (RFC 9110, 9.3.6), as `platen check` takes it. */
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificateOf, connectOnce } from '../../src/cloud/link/way-to-server.ts';
import { makeCertificate } from '../support/certificates.ts';
import { asking } from '../support/cloud/cloud-under-test.ts';

const authority = makeCertificate({ commonName: 'Test authority' });
const { pem, key } = makeCertificate({ commonName: 'cloud', hosts: ['127.0.0.1'], issuer: authority });
const service = createTlsServer({ cert: pem, key: key.export({ type: 'pkcs8', format: 'pem' }) });
const proxy = createServer();
const logins: (string | undefined)[] = [];
proxy.on('connect', (request, socket) => {
  logins.push(request.headers['proxy-authorization']);
  socket.on('error', () => {});
  if (request.headers['proxy-authorization'] === undefined) {
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
    return;
  }
  const [host = '', port] = (request.url ?? '').split(':');
  const onward = connect(Number(port), host, () => socket.write('HTTP/1.1 200 Connected\r\n\r\n'));
  onward.on('error', () => socket.destroy());
  socket.pipe(onward).pipe(socket);
});

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const listen = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
beforeAll(() => Promise.all([listen(service), listen(proxy)]));
afterAll(() => void [service.close(), proxy.close()]);

const way = (login: string) => ({
  url: new URL(`https://127.0.0.1:${portOf(service)}`),
  proxy: new URL(`http://${login}127.0.0.1:${portOf(proxy)}`),
  ca: authority.pem,
});

describe('a certificate that is not accepted', () => {
  const url = () => new URL(`https://127.0.0.1:${portOf(service)}`);

  it('is told of with its issuer, where nobody here knows that one', async () => {
    await expect(certificateOf({ url: url() }, asking)).rejects.toThrow(
      /authority that is not trusted here.*\. It was issued by CN=Test authority$/,
    );
  });

  it('is told of with its issuer, where it is of another name', async () => {
    const other = new URL(url().href.replace('127.0.0.1', 'localhost'));
    await expect(certificateOf({ url: other, ca: authority.pem }, asking)).rejects.toThrow(
      /issued for another name.*\. It was issued by CN=Test authority$/,
    );
  });
});

describe('a proxy in between', () => {
  it('lets the certificate of the service be seen, and gets its login', async () => {
    expect(await certificateOf(way('user:p%40ss@'), asking)).toMatchObject({
      issuer: 'CN=Test authority',
      protocol: 'TLSv1.3',
    });
    expect(logins.at(-1)).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
  });

  it('that wants a login and gets none is told of, and where the login goes', async () => {
    await expect(certificateOf(way(''), asking)).rejects.toThrow(
      /the proxy asks for a user name and password \(407\)\. Put them into cloud\.proxyUrl/,
    );
  });

  it('is what is connected to', async () => {
    expect(await connectOnce(way(''), asking)).toBe(`127.0.0.1:${portOf(proxy)}`);
  });
});
