/**
 * The fields of OAuth calls, the keys of clients, and the request signature (src/cloud/README.md 1 and 2). The
 * signature covers the exact body and is base64 in `HCP-Request-Signature`. The spec has a test vector only for plain
 * Ed25519. For the rest this file uses RSASSA-PKCS1-v1_5 with SHA-256 for RSA, and ECDSA with SHA-256 in DER for
 * elliptic curves.
 */
import type { KeyObject } from 'node:crypto';
import { createPublicKey, verify, X509Certificate } from 'node:crypto';
import type { Call } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { oauthDeviation } from '../../call.ts';
import { readForm, readQuery } from '../../parameters.ts';

export const keyTypes = ['ed25519', 'rsa', 'x509'] as const;
type KeyType = (typeof keyTypes)[number];

/** The algorithms that each `key_type` may have, by Node's names. */
const algorithms: Readonly<Record<KeyType, readonly (string | undefined)[]>> = {
  ed25519: ['ed25519'],
  rsa: ['rsa'],
  x509: ['rsa', 'ec', 'ed25519'],
};

/** DER of SubjectPublicKeyInfo for Ed25519 (RFC 8410 section 4), up to the 32 bytes of the key. */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');
const plainLength = 32;

/**
 * Gives the key in base64, in the same form for each accepted input: SubjectPublicKeyInfo, or the plain 32 bytes for
 * Ed25519. Throws `RangeError` with the mistake.
 */
export function readPublicKey(text: string, type: KeyType): string {
  const bytes = bytesIn(text);
  const key = type === 'ed25519' && bytes.length === plainLength ? plainKey(bytes) : keyIn(bytes, type);
  const { asymmetricKeyType: algorithm } = key;
  if (!algorithms[type].includes(algorithm)) {
    throw new RangeError(`public_key is a key for ${algorithm}, which key_type ${type} does not take`);
  }
  const spki = key.export({ format: 'der', type: 'spki' });
  return (algorithm === 'ed25519' ? spki.subarray(-plainLength) : spki).toString('base64');
}

/** Decodes base64, or a PEM, which is base64 between two lines. */
function bytesIn(text: string): Buffer {
  const [, , body] =
    /^\s*-----BEGIN (PUBLIC KEY|CERTIFICATE)-----([\s\S]+)-----END \1-----\s*$/.exec(text) ?? [];
  const written = body?.replace(/\s/g, '') ?? text;
  if (!isBase64(written)) throw new RangeError('public_key is not base64, nor a PEM of a public key');
  return Buffer.from(written, 'base64');
}

const isBase64 = (text: string): boolean => Buffer.from(text, 'base64').toString('base64') === text;

const plainKey = (bytes: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([spkiPrefix, bytes]), format: 'der', type: 'spki' });

function keyIn(der: Buffer, type: KeyType): KeyObject {
  const certified = certifiedKey(der);
  if (certified && type !== 'x509') {
    throw new RangeError(`public_key is a certificate; key_type ${type} takes a key only`);
  }
  if (certified) return certified;
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch (cause) {
    const other = type === 'x509' ? ', and no X.509 certificate' : '';
    throw new RangeError(`public_key is no key in SubjectPublicKeyInfo${other}`, { cause });
  }
}

/** The issuer and the dates of a certificate are not checked, because an administrator approves the client. */
function certifiedKey(der: Buffer): KeyObject | undefined {
  try {
    return new X509Certificate(der).publicKey;
  } catch {
    return undefined;
  }
}

export function fits(signed: { body: Buffer; signature: string; publicKey: string }): boolean {
  if (!isBase64(signed.signature)) return false;
  const bytes = Buffer.from(signed.publicKey, 'base64');
  const key =
    bytes.length === plainLength
      ? plainKey(bytes)
      : createPublicKey({ key: bytes, format: 'der', type: 'spki' });
  const hash = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  return verify(hash, signed.body, key, Buffer.from(signed.signature, 'base64'));
}

/**
 * Reads the fields of an OAuth call, and gives the bytes that are signed. They are the body of a POST, or in the
 * service's older form the query of a GET (two generations are published).
 */
export function readOAuth<T>(
  { settings }: CloudContext,
  call: Call,
  reading: Parameters<typeof readForm<T>>[1],
): T {
  if (call.method === 'POST') return readForm(call, reading);
  if (settings.oauthForms === 'newer') {
    throw oauthDeviation('invalid_parameters', 'the older form, by GET', reading.section);
  }
  return readQuery(call, reading);
}

export const signedBytes = ({ method, query, body }: Call): Buffer =>
  method === 'POST' ? body : Buffer.from(query);
