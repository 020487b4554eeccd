/**
 * Throw-away X.509 certificates for the tests of trust (RFC 5280; keys P-256, RFC 5480), made in memory, so that no
 * key lies in the repository and none runs out. Only as much of DER as these need.
 */
import type { KeyObject, KeyPairKeyObjectResult } from 'node:crypto';
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const tlv = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const sequence = (...parts: readonly Buffer[]) => tlv(0x30, ...parts);
const oid = (hex: string) => tlv(0x06, Buffer.from(hex, 'hex'));
const bitString = (bytes: Buffer) => tlv(0x03, Buffer.from([0]), bytes);
const octets = (bytes: Buffer) => tlv(0x04, bytes);
const time = (date: Date) =>
  tlv(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`));

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const nameOf = (commonName: string) =>
  sequence(tlv(0x31, sequence(oid('550403'), tlv(0x0c, Buffer.from(commonName)))));
const extension = (id: string, value: Buffer) => sequence(oid(id), octets(value));
const isAuthority = extension('551d13', sequence(tlv(0x01, Buffer.from([0xff]))));
const isNoAuthority = extension('551d13', sequence());
const alternativeNames = (names: readonly string[]) =>
  extension(
    '551d11',
    sequence(
      ...names.map((name) =>
        /^[\d.]+$/.test(name)
          ? tlv(0x87, Buffer.from(name.split('.').map(Number)))
          : tlv(0x82, Buffer.from(name)),
      ),
    ),
  );

export interface Certificate {
  readonly pem: string;
  readonly key: KeyObject;
  readonly commonName: string;
}

interface Wanted {
  readonly commonName: string;
  /** Absent: it is an authority. */
  readonly hosts?: readonly string[];
  /** Absent: it signs itself. */
  readonly issuer?: Certificate;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  /** Absent: a new one on P-256. One that is no such key cannot sign, and needs an issuer. */
  readonly keys?: KeyPairKeyObjectResult;
}

const day = 86_400_000;

export function makeCertificate(wanted: Wanted): Certificate {
  const { commonName, hosts, issuer, notBefore, notAfter } = wanted;
  const { privateKey, publicKey } = wanted.keys ?? generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const extensions = hosts ? [isNoAuthority, alternativeNames(hosts)] : [isAuthority];
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    nameOf(issuer?.commonName ?? commonName),
    sequence(time(notBefore ?? new Date(Date.now() - day)), time(notAfter ?? new Date(Date.now() + day))),
    nameOf(commonName),
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', body, issuer?.key ?? privateKey);
  const lines =
    sequence(body, ecdsaWithSha256, bitString(signature))
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  const pem = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
  return { pem, key: privateKey, commonName };
}

/** As a server of Node is given it. */
export const identityOf = ({ pem, key }: Certificate) => ({
  cert: pem,
  key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
});
