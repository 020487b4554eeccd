/**
 * Seals small texts with AES-256-GCM (NIST SP 800-38D): the text cannot be read without the key, and the tag shows
 * damage. A sealed text is bound to its purpose, so a sealed text for another purpose does not open.
 */
import type { KeyObject } from 'node:crypto';
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { Chance } from './chance.ts';

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

/**
 * A sealed text. The magic is `PLATEN01`; magic, key id and purpose are authenticated, and the purpose itself is not
 * stored:
 *
 * +-----------+-----------+-----------+----------------+-----------+
 * |   magic   |  key id   |   nonce   |   ciphertext   |    tag    |
 * +-----------+-----------+-----------+----------------+-----------+
 * |  8 octets |  8 octets | 12 octets |    n octets    | 16 octets |
 */
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

/** For a program that only reads. */
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
      const opened = decipher.update(sealed.subarray(headerBytes + nonceBytes, -tagBytes));
      try {
        // With GCM all plaintext has come already. This call only checks the tag.
        decipher.final();
        return { kind: 'text', text: opened.toString('utf8') };
      } catch {
        return { kind: 'damaged' };
      } finally {
        opened.fill(0);
      }
    },
  };
}
