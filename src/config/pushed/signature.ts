/**
 * Signs and verifies the texts of a fleet: its configuration, and the orders that roll it out (F15, F16), and reads
 * the public keys of its signers. The signature is Ed25519 (RFC 8032) over the kind and the text, so that a text of
 * one kind cannot be used as the other.
 */
import { createHash, createPublicKey, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { closeSync, fstatSync, readSync, realpathSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { errnoSaid } from '../../core/errno.ts';
import { openFile, ownersInWords, permissionDenied } from '../file-access.ts';

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

const longest = 4096;
const othersMayWrite = 0o022;
const sticky = 0o1000;

/**
 * Reads the public key of a signer. Only root may choose the signers: a user who can write the file, or a folder
 * above it, could redirect every printer (D9). Throws an `Error` that says what is wrong with the file.
 */
export function readSigner(path: string): SignerKey {
  try {
    const real = realpathSync(path);
    if (real !== path) throw new Refused(`is a link or is behind one. Write ${real}`);
    const text = rootsText(path);
    if (text.includes('PRIVATE KEY')) {
      throw new Refused(
        `${path} contains a private key, which must not be on a gateway. Write the path of its .pub file`,
      );
    }
    return { file: path, ...publicKeyIn(text, path) };
  } catch (cause) {
    if (cause instanceof Refused) throw cause;
    const code = errnoSaid(cause);
    const why = code === 'EACCES' ? `. ${permissionDenied(path)}` : '';
    throw new Error(`cannot read ${path} (${code})${why}`, { cause });
  }
}

class Refused extends Error {}

function rootsText(path: string): string {
  const file = openFile(path);
  try {
    const folders = waysUp(dirname(path));
    // In a sticky folder, other users cannot remove or replace a file of root.
    if (!isRoots(fstatSync(file)) || !folders.every((folder) => isRoots(statSync(folder), sticky))) {
      const loose = [path, ...folders].find((one) => !isRoots(statSync(one), one === path ? 0 : sticky));
      throw new Refused(
        `only root may choose the signers, but ${ownersInWords(loose ?? path)}. ` +
          `Run as root: chown root ${loose ?? path}; chmod go-w ${loose ?? path}`,
      );
    }
    const octets = Buffer.alloc(longest + 1);
    const length = readSync(file, octets);
    if (length > longest) throw new Refused(`${path} is larger than a public key`);
    return octets.toString('latin1', 0, length);
  } finally {
    closeSync(file);
  }
}

const isRoots = ({ uid, mode }: Stats, unless = 0): boolean =>
  uid === 0 && ((mode & othersMayWrite) === 0 || (mode & unless) !== 0);

const waysUp = (folder: string): readonly string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...waysUp(dirname(folder))];

function publicKeyIn(text: string, path: string): Pick<SignerKey, 'fingerprint' | 'pem'> {
  try {
    const key = createPublicKey(text);
    if (key.asymmetricKeyType !== 'ed25519') throw new Error(`a key of the kind ${key.asymmetricKeyType}`);
    return { fingerprint: fingerprintOf(key), pem: pemOf(key) };
  } catch (cause) {
    throw new Refused(`${path} contains no public Ed25519 key. platen fleet keygen writes one`, { cause });
  }
}
