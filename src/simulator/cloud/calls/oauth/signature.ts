/**
 * The request signature (src/cloud/README.md 2): plain Ed25519 over the body exactly as it was sent, base64 in
 * `HCP-Request-Signature`.
 */
import { createPublicKey, verify } from 'node:crypto';

/** DER of SubjectPublicKeyInfo for Ed25519 (RFC 8410 section 4), up to the 32 bytes of the key. */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');
const keyLength = 32;

const isBase64 = (text: string): boolean => Buffer.from(text, 'base64').toString('base64') === text;

/** The key's 32 bytes, base64, from either form the service takes: plain or SPKI; `undefined` for anything else. */
export function readPublicKey(text: string): string | undefined {
  if (!isBase64(text)) return undefined;
  const key = Buffer.from(text, 'base64');
  if (key.length === keyLength) return text;
  const isSpki =
    key.length === spkiPrefix.length + keyLength && key.subarray(0, spkiPrefix.length).equals(spkiPrefix);
  return isSpki ? key.subarray(spkiPrefix.length).toString('base64') : undefined;
}

export function fits(signed: { body: Buffer; signature: string; publicKey: string }): boolean {
  if (!isBase64(signed.signature)) return false;
  const der = Buffer.concat([spkiPrefix, Buffer.from(signed.publicKey, 'base64')]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return verify(null, signed.body, key, Buffer.from(signed.signature, 'base64'));
}
