/**
 * Makes a certificate for a simulated server and the authority that signs it (RFC 5280; keys P-256, RFC 5480). Both are
 * made in memory at each start, so that no key is stored. They satisfy strict clients such as Python 3.13.
 */
import type { KeyObject } from 'node:crypto';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { isIP } from 'node:net';
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import { isoInstant } from '../core/clock.ts';
import { hours } from '../core/duration.ts';
import type { TlsIdentity } from './loopback-server.ts';

export interface OwnChain {
  readonly identity: TlsIdentity;
  /** As PEM. */
  readonly authority: string;
  readonly server: string;
}

/** `hosts` are the names and addresses for which the certificate is valid. */
export function makeOwnChain(
  hosts: readonly string[],
  { clock, chance }: { readonly clock: Clock; readonly chance: Chance },
): OwnChain {
  const now = clock.now();
  const common = { from: now - day, until: now + 397 * day };
  const authority = keyPair();
  const server = keyPair();
  const issuer = 'Platen simulated cloud authority';
  const authorityPem = certificate({
    ...common,
    serial: chance.bytes(16),
    until: now + 3650 * day,
    issuer,
    subject: issuer,
    key: authority,
    signer: authority,
    extensions: [
      extension('551d13', sequence(yes), 'critical'),
      extension('551d0f', bits(0b0000_0110, 1), 'critical'),
    ],
  });
  const serverPem = certificate({
    ...common,
    serial: chance.bytes(16),
    issuer,
    subject: hosts[0] ?? 'localhost',
    key: server,
    signer: authority,
    extensions: [
      extension('551d13', sequence(), 'critical'),
      extension('551d0f', bits(0b1000_0000, 7), 'critical'),
      extension('551d25', sequence(oid('2b06010505070301'))),
      extension('551d11', sequence(...hosts.map(hostName))),
    ],
  });
  const key = server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { identity: { cert: serverPem, key }, authority: authorityPem, server: serverPem };
}

const day = hours(24);

interface Keys {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const keyPair = (): Keys => generateKeyPairSync('ec', { namedCurve: 'P-256' });

interface Wanted {
  readonly serial: Buffer;
  readonly issuer: string;
  readonly subject: string;
  /** Wall time. */
  readonly from: number;
  readonly until: number;
  readonly key: Keys;
  readonly signer: Keys;
  readonly extensions: readonly Buffer[];
}

function certificate(wanted: Wanted): string {
  const { serial, issuer, subject, from, until, key, signer, extensions } = wanted;
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.of(2))),
    // A leading octet of 1 keeps the number positive and without a leading zero.
    tagged(0x02, Buffer.concat([Buffer.of(1), serial])),
    ecdsaWithSha256,
    nameOf(issuer),
    sequence(time(from), time(until)),
    nameOf(subject),
    spki(key),
    tagged(
      0xa3,
      sequence(
        ...extensions,
        extension('551d0e', octets(identifierOf(key))),
        extension('551d23', sequence(tagged(0x80, identifierOf(signer)))),
      ),
    ),
  );
  const signature = tagged(0x03, Buffer.of(0), sign('sha256', body, signer.privateKey));
  const text = sequence(body, ecdsaWithSha256, signature).toString('base64');
  return [
    '-----BEGIN CERTIFICATE-----',
    ...(text.match(/.{1,64}/g) ?? []),
    '-----END CERTIFICATE-----',
    '',
  ].join('\n');
}

// The part of DER (X.690) that these certificates need.

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, ...parts);
const oid = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'));
const octets = (bytes: Buffer): Buffer => tagged(0x04, bytes);
const bits = (octet: number, unused: number): Buffer => tagged(0x03, Buffer.of(unused, octet));
const yes = tagged(0x01, Buffer.of(0xff));

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));

const nameOf = (commonName: string): Buffer =>
  sequence(tagged(0x31, sequence(oid('550403'), tagged(0x0c, Buffer.from(commonName)))));

const extension = (id: string, value: Buffer, weight?: 'critical'): Buffer =>
  sequence(oid(id), ...(weight ? [yes] : []), octets(value));

/** Two digits for a year up to 2049, four digits for later years (RFC 5280 section 4.1.2.5). */
function time(wall: number): Buffer {
  const digits = `${isoInstant(wall).replaceAll(/[-:T]/g, '').slice(0, 14)}Z`;
  return digits < '2050' ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits));
}

const spki = ({ publicKey }: Keys): Buffer => publicKey.export({ type: 'spki', format: 'der' });

/** The last 65 bytes of a P-256 key are the point, which is hashed (RFC 5280 section 4.2.1.2). */
const identifierOf = (keys: Keys): Buffer => createHash('sha1').update(spki(keys).subarray(-65)).digest();

const hostName = (host: string): Buffer =>
  isIP(host) === 0 ? tagged(0x82, Buffer.from(host)) : tagged(0x87, octetsOf(host));

function octetsOf(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const [head = [], tail = []] = address
    .split('::')
    .map((half) => half.split(':').filter((one) => one !== ''));
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
