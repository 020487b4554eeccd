/**
 * How a support bundle comes through the engine (F17): X25519 (RFC 7748) between two keys that are made for this one
 * diagnosis, HKDF-SHA256 (RFC 5869), AES-256-GCM (NIST SP 800-38D). The order is that of HPKE with a pre-shared key
 * (RFC 9180, section 5.1.2). Only the asker can open the bundle.
 */
import type { KeyObject } from 'node:crypto';
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  timingSafeEqual,
} from 'node:crypto';
import type { Secret } from '../../core/secret.ts';
import { derivedKey } from '../engine/fleet-keys.ts';

/** The request and its sender; the proof covers all of it. */
export interface Question {
  readonly id: string;
  /** The member that is to answer. */
  readonly member: string;
  /** The user id of the asker, if their system has such ids, and the name of their machine. */
  readonly by: number | null;
  readonly from: string;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
}

const keyBytes = 32;
const tagBytes = 16;
/** The key is used once. */
const nonce = Buffer.alloc(12);

/** `key` is the fleet's: 32 bytes, as base64. */
export function proofOf({ id, member, by, from, publicKey }: Question, key: Secret): Buffer {
  const asked = JSON.stringify([id, member, by, from, Buffer.from(publicKey).toString('base64')]);
  return createHmac('sha256', derivedKey(key, 'diagnosis question')).update(asked).digest();
}

/**
 * During a change of the fleet's key the answering member may know only one of the two, so there is a proof for each.
 */
export const proofsOf = (question: Question, keys: readonly Secret[]): Buffer =>
  Buffer.concat(keys.map((key) => proofOf(question, key)));

const mostKeys = 2;

export function isProven(question: Question, proofs: Uint8Array, key: Secret): boolean {
  const right = proofOf(question, key);
  return Array.from({ length: mostKeys }, (_, at) =>
    proofs.subarray(at * right.length, (at + 1) * right.length),
  ).some((proof) => proof.length === right.length && timingSafeEqual(proof, right));
}

const x25519 = (spki: Uint8Array): KeyObject => {
  const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
  if (key.asymmetricKeyType !== 'x25519') throw new Error('the key of the question is none of X25519');
  return key;
};

const spkiOf = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' });
const spkiBytes = 44;

interface Agreed {
  readonly shared: Buffer;
  readonly answererKey: Uint8Array;
  readonly question: Pick<Question, 'id' | 'publicKey'>;
}

/**
 * Bound to the question, to both keys and to the fleet's key. So a person without the fleet's key can neither ask nor
 * answer by writing into the database.
 */
function answerKey({ shared, answererKey, question: { id, publicKey } }: Agreed, key: Secret): Buffer {
  const material = Buffer.concat([shared, derivedKey(key, 'diagnosis answer')]);
  const context = Buffer.concat([Buffer.from(`platen diagnosis of ${id}`), answererKey, publicKey]);
  return Buffer.from(hkdfSync('sha256', material, '', context, keyBytes));
}

/** The answerer's key, ciphertext, tag. */
export function sealAnswer(question: Question, bundle: Uint8Array, key: Secret): Buffer {
  const asker = x25519(question.publicKey);
  const own = generateKeyPairSync('x25519');
  const answererKey = spkiOf(own.publicKey);
  const shared = diffieHellman({ privateKey: own.privateKey, publicKey: asker });
  const cipher = createCipheriv('aes-256-gcm', answerKey({ shared, answererKey, question }, key), nonce);
  return Buffer.concat([answererKey, cipher.update(bundle), cipher.final(), cipher.getAuthTag()]);
}

export interface Asker {
  readonly publicKey: Buffer;
  /** Throws if it is not a member's answer to this question. */
  open(question: Question, sealed: Uint8Array): Buffer;
}

/** The private key exists only here, and goes with this object. The answer uses one of `keys`. */
export function createAsker(...keys: readonly Secret[]): Asker {
  const own = generateKeyPairSync('x25519');
  return {
    publicKey: spkiOf(own.publicKey),
    open(question, sealed) {
      const failures: unknown[] = [];
      for (const key of keys) {
        try {
          return opened(Buffer.from(sealed), { own: own.privateKey, question, key });
        } catch (failure) {
          failures.push(failure);
        }
      }
      const [cause] = failures;
      throw new Error('the answer cannot be opened, so it does not come from a member', { cause });
    },
  };
}

function opened(
  sealed: Buffer,
  { own, question, key }: { readonly own: KeyObject; readonly question: Question; readonly key: Secret },
): Buffer {
  const answererKey = sealed.subarray(0, spkiBytes);
  const shared = diffieHellman({ privateKey: own, publicKey: x25519(answererKey) });
  const agreed = answerKey({ shared, answererKey, question }, key);
  const decipher = createDecipheriv('aes-256-gcm', agreed, nonce, { authTagLength: tagBytes });
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(spkiBytes, -tagBytes)), decipher.final()]);
}
