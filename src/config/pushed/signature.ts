/**
 * Signs and verifies the texts of a fleet: its configuration, and the orders that roll it out (F15, F16). The signature
 * is Ed25519 (RFC 8032) over the kind and the text, so that a text of one kind cannot be used as the other.
 */
import { createHash, createPublicKey, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { z } from 'zod';

export interface SignerKey {
  /** The path of the key file, which only root can write. */
  readonly file: string;
  readonly fingerprint: string;
  /** SubjectPublicKeyInfo (RFC 8410), as PEM. */
  readonly pem: string;
}

export const signedShape = z.strictObject({
  body: z.string(),
  /** As base64. */
  signature: z.string(),
  /** The fingerprint of the key. It only selects the key; only the signature proves anything. */
  signer: z.string(),
});

export type Signed = Readonly<z.output<typeof signedShape>>;
export type SignedKind = 'configuration' | 'order';

/** `SHA256:…`, in the form of ssh-keygen(1). */
export function fingerprintOf(key: KeyObject): string {
  const der = createPublicKeyOf(key).export({ type: 'spki', format: 'der' });
  return `SHA256:${createHash('sha256').update(der).digest('base64').replace(/=+$/, '')}`;
}

export const pemOf = (key: KeyObject): string =>
  String(createPublicKeyOf(key).export({ type: 'spki', format: 'pem' }));

const createPublicKeyOf = (key: KeyObject): KeyObject =>
  key.type === 'private' ? createPublicKey(key) : key;

const textOf = (kind: SignedKind, body: string): Buffer => Buffer.from(`platen fleet ${kind}\n${body}`);

export const signed = (kind: SignedKind, body: string, key: KeyObject): Signed => ({
  body,
  signature: sign(null, textOf(kind, body), key).toString('base64'),
  signer: fingerprintOf(key),
});

/** Gives the body if one of the keys has signed it. Throws an `Error` with the reason if not. */
export function bodyOf(
  kind: SignedKind,
  { body, signature, signer }: Signed,
  signers: readonly Pick<SignerKey, 'pem' | 'fingerprint'>[],
): string {
  const known = signers.find(({ fingerprint }) => fingerprint === signer);
  if (!known) throw new Error(`it is signed by ${signer}, and this key is not in fleet.signers`);
  if (!verify(null, textOf(kind, body), known.pem, Buffer.from(signature, 'base64'))) {
    throw new Error(`the signature of ${signer} does not match: it was changed after it was signed`);
  }
  return body;
}
