/**
 * Seals small texts at rest with AES-256-GCM (NIST SP 800-38D): nobody without the key can read them, and the tag
 * tells damage. A sealed text is bound to its purpose, so that one file put in another's place does not open.
 * Stated limit (INVARIANTS.md T19): with the key file in the same directory, a thief of the whole disk has both.
 */
import type { KeyObject } from 'node:crypto';
import { createCipheriv, createDecipheriv, createHmac, createSecretKey } from 'node:crypto';
import { join } from 'node:path';
import type { Chance } from '../../core/chance.ts';
import type { Secret } from '../../core/secret.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { readIfPresent, writeDurably } from '../files/durable-file.ts';

type Unsealed =
  | { readonly kind: 'text'; readonly text: string }
  /** Cut, changed, or sealed for another purpose. */
  | { readonly kind: 'damaged' }
  | { readonly kind: 'other-key' };

export interface Unsealing {
  unseal(purpose: string, sealed: Buffer): Unsealed;
}

export interface Sealing extends Unsealing {
  seal(purpose: string, text: string): Buffer;
}

/** header = magic, key id; then nonce, ciphertext, tag. */
const magic = Buffer.from('PLATEN01');
const idBytes = 8;
const headerBytes = magic.length + idBytes;
const nonceBytes = 12;
const tagBytes = 16;

function headerOf(key: KeyObject): Buffer {
  const keyId = createHmac('sha256', key).update('platen key id').digest().subarray(0, idBytes);
  return Buffer.concat([magic, keyId]);
}

const boundTo = (header: Buffer, purpose: string): Buffer => Buffer.concat([header, Buffer.from(purpose)]);

export function createSealing({ key, chance }: { key: KeyObject; chance: Chance }): Sealing {
  const header = headerOf(key);
  return {
    ...createUnsealing(key),
    seal(purpose, text) {
      const nonce = chance.bytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
      cipher.setAAD(boundTo(header, purpose));
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([header, nonce, ciphertext, cipher.getAuthTag()]);
    },
  };
}

/** For who only reads. */
export function createUnsealing(key: KeyObject): Unsealing {
  const header = headerOf(key);
  return {
    unseal(purpose, sealed) {
      if (sealed.length < headerBytes + nonceBytes + tagBytes) return { kind: 'damaged' };
      if (!sealed.subarray(0, magic.length).equals(magic)) return { kind: 'damaged' };
      if (!sealed.subarray(0, headerBytes).equals(header)) return { kind: 'other-key' };
      const nonce = sealed.subarray(headerBytes, headerBytes + nonceBytes);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
      decipher.setAAD(boundTo(header, purpose));
      decipher.setAuthTag(sealed.subarray(-tagBytes));
      const text = decipher.update(sealed.subarray(headerBytes + nonceBytes, -tagBytes));
      try {
        return { kind: 'text', text: Buffer.concat([text, decipher.final()]).toString('utf8') };
      } catch {
        return { kind: 'damaged' };
      }
    },
  };
}

const keyBytes = 32;

/** `device.sealingKey`: 32 bytes as base64 or hex, or 32 characters as they are. Throws `config-invalid`. */
export function configuredKey(configured: Secret): KeyObject {
  const text = configured.reveal();
  const bytes = Buffer.from(text.trim(), encodingOf(text.trim()));
  if (bytes.length !== keyBytes) {
    throw new Problem('config-invalid', 'device.sealingKey: is not 32 bytes; give them as base64 or hex');
  }
  return createSecretKey(bytes);
}

function encodingOf(text: string): BufferEncoding {
  if (/^[0-9a-f]{64}$/i.test(text)) return 'hex';
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? 'base64' : 'utf8';
}

/** The key in `sealing-key`; `undefined` where there is no such file. Throws `state-unusable` for a damaged one. */
export function storedKey(directory: string): KeyObject | undefined {
  const path = keyPath(directory);
  const stored = readIfPresent(path);
  if (!stored) return undefined;
  const bytes = Buffer.from(stored.toString('ascii'), 'base64');
  if (bytes.length === keyBytes) return createSecretKey(bytes);
  throw new Problem('state-unusable', `${path}: is damaged; restore it from a backup`);
}

/** The stored key, made where the directory holds nothing sealed yet. Throws `state-unusable`. */
export function keyFromFile(options: {
  directory: string;
  sealedBefore: () => boolean;
  chance: Chance;
}): KeyObject {
  const stored = storedKey(options.directory);
  if (stored) return stored;
  const path = keyPath(options.directory);
  if (options.sealedBefore()) {
    throw new Problem(
      'state-unusable',
      `${path}: is missing, and the device's identity is sealed; restore the file, or set device.sealingKey as before`,
    );
  }
  const made = options.chance.bytes(keyBytes);
  writeDurably(path, Buffer.from(`${made.toString('base64')}\n`));
  return createSecretKey(made);
}

const keyPath = (directory: string): string => join(directory, 'sealing-key');
