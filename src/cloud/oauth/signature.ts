/**
 * The device key: Ed25519 (RFC 8032) over the bytes of a request body exactly as sent, without pre-hash, context or
 * newline (src/cloud/README.md 2). Keys are made and kept elsewhere; here is only the arithmetic.
 */
import type { KeyObject } from 'node:crypto';
import { createPrivateKey, createPublicKey, sign as signBytes } from 'node:crypto';
import type { Secret } from '../../core/secret.ts';

/** PKCS#8 of an Ed25519 key up to its seed (RFC 8410 section 7). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const keyLength = 32;

function privateKey(seed: Secret): KeyObject {
  const der = Buffer.concat([pkcs8Prefix, Buffer.from(seed.reveal(), 'base64')]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

/** The value of the header HCP-Request-Signature: base64, standard alphabet, padded. */
export const sign = (seed: Secret, body: Buffer): string =>
  signBytes(null, body, privateKey(seed)).toString('base64');

/** The plain 32 bytes, base64: the last ones of the SubjectPublicKeyInfo. */
export const publicKey = (seed: Secret): string =>
  createPublicKey(privateKey(seed))
    .export({ format: 'der', type: 'spki' })
    .subarray(-keyLength)
    .toString('base64');
