/**
 * TLS that no connection comes about with, told as what it is: printers that stay at TLS 1.0 (OpenPrinting/cups#403) or
 * 1.1 (Brother MFC-9340CDW), that have no common cipher (elad-bar/ha-hpprinter#169), or that speak none at this port.
 */
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { createServer } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import type { PrinterMemory } from '../../../src/domain/ports/printer-memory.ts';
import { makeCertificate } from '../../support/certificates.ts';
import { hastyClock } from '../../support/hasty-clock.ts';
import { openPrinter } from '../../support/printer/printers.ts';
import { withoutLimit } from '../../support/patience.ts';

const certificate = makeCertificate({ commonName: 'printer', hosts: ['localhost'] });
const identity = {
  cert: certificate.pem,
  key: certificate.key.export({ type: 'pkcs8', format: 'pem' }).toString(),
};
const noMemory: PrinterMemory = { recall: () => undefined, keep: () => {}, all: () => [] };

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `ipps://localhost:${(server.address() as AddressInfo).port}/ipp/print`;
}

const tlsPrinter = (options: TlsOptions) =>
  listening(createTlsServer({ ...identity, ...options }).on('tlsClientError', () => {}));

/** Says these octets to whatever it hears first. */
const saying = (octets: Buffer | string) =>
  listening(
    createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(octets));
    }),
  );

const refusalOf = (uri: string) =>
  openPrinter(uri, {
    clock: hastyClock(),
    access: { memory: noMemory, tls: { trust: 'auto' }, chance: systemChance },
  })
    .printer.describe(withoutLimit())
    .catch((error: unknown) => error);

/** RFC 8446 section 6. */
const alert = (description: number) => Buffer.from([21, 3, 1, 0, 2, 2, description]);

/** RFC 2246 and RFC 4346, section 7.4.1.3: TLS_RSA_WITH_AES_128_CBC_SHA, and no word of what the client offered. */
function serverHello(minor: number): Buffer {
  const hello = Buffer.concat([Buffer.from([3, minor]), Buffer.alloc(32, 7), Buffer.from([0, 0, 0x2f, 0])]);
  const record = [22, 3, minor, 0, hello.length + 4, 2, 0, 0, hello.length];
  return Buffer.concat([Buffer.from(record), hello]);
}

describe('a printer whose TLS is too old', () => {
  it.each<[string, () => Promise<string>, RegExp]>([
    [
      'that speaks 1.1 at most',
      () => tlsPrinter({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
      /speaks no TLS newer than 1\.1/,
    ],
    [
      'that speaks 1.0 alone',
      () => tlsPrinter({ minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }),
      /speaks no TLS newer than 1\.1/,
    ],
    ['that answers in 1.1 whatever it is offered', () => saying(serverHello(2)), /no TLS newer than 1\.1/],
    ['that answers in 1.0 whatever it is offered', () => saying(serverHello(1)), /no TLS newer than 1\.1/],
    [
      'that has no cipher in common with us',
      () => tlsPrinter({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-NULL-SHA:@SECLEVEL=0' }),
      /no cipher or no key for TLS that is still safe/,
    ],
    ['that finds us not safe enough', () => saying(alert(71)), /no cipher or no key/],
  ])('%s is told as that, and what to do', async (_, start, message) => {
    const refusal = await refusalOf(await start());
    expect(refusal).toMatchObject({
      code: 'printer-tls-too-old',
      delivery: 'not-sent',
      retry: 'after-repair',
      message: expect.stringMatching(message) as string,
      advice: expect.stringContaining('Update its firmware') as string,
    });
    expect(String(refusal)).not.toContain('certificate');
  });
});

it.each<[string, string]>([
  ['HTTP', 'HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n'],
  ['anything else', '220 ready\r\n'],
])('a port where %s is spoken is no port of TLS', async (_, words) => {
  expect(await refusalOf(await saying(words))).toMatchObject({
    code: 'printer-tls-missing',
    delivery: 'not-sent',
    message: 'localhost does not speak TLS at this port',
  });
});

it.each<[string, Buffer, string, RegExp]>([
  ['an error of its own', alert(80), 'printer-tls-refused', /broke off TLS with ERR_SSL_/],
  [
    'a demand for a certificate of ours',
    alert(42),
    'printer-tls-refused',
    /wants a certificate of this terminal/,
  ],
  ['no word', Buffer.alloc(0), 'printer-unreachable', /no answer from localhost/],
])('a handshake that ends with %s is no matter of age', async (_, octets, code, message) => {
  expect(await refusalOf(await saying(octets))).toMatchObject({
    code,
    delivery: 'not-sent',
    message: expect.stringMatching(message) as string,
  });
});

it('a certificate that is not accepted stays a matter of the certificate', async () => {
  const uri = await tlsPrinter({});
  const { printer } = openPrinter(uri, {
    access: { memory: noMemory, tls: { trust: 'ca' }, chance: systemChance },
  });
  await expect(printer.describe(withoutLimit())).rejects.toMatchObject({
    code: 'printer-certificate-refused',
    message: expect.stringContaining('the certificate of localhost is not accepted') as string,
  });
});
