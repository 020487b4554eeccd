/** A diagnosis: who may ask, who can read the answer, and who could have given it. */
import { generateKeyPairSync, hkdfSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/core/secret.ts';
import type { Asker, Question } from '../../../src/fleet/diagnosis/bundle-sealing.ts';
import {
  createAsker,
  isProven,
  proofOf,
  proofsOf,
  sealAnswer,
} from '../../../src/fleet/diagnosis/bundle-sealing.ts';

const keyOf = (octet: number) => new Secret(Buffer.alloc(32, octet).toString('base64'));
const [ours, others] = [keyOf(7), keyOf(9)];
const questionOf = (asker: Asker, more: Partial<Question> = {}): Question => ({
  id: '5d2f4c1e-8a7b-4c3d-9e0f-1a2b3c4d5e6f',
  member: 'c0ffee00-8a7b-4c3d-9e0f-1a2b3c4d5e6f',
  by: 0,
  from: 'desk',
  publicKey: asker.publicKey,
  ...more,
});
const bundle = Buffer.from('a bundle, redacted');

describe('a question', () => {
  const question = questionOf(createAsker(ours));
  const proof = proofOf(question, ours);

  it('is proven by the key of the fleet', () => {
    expect(isProven(question, proof, ours)).toBe(true);
    expect(isProven(question, proof, others)).toBe(false);
    expect(isProven(question, proofOf(question, others), ours)).toBe(false);
    expect(isProven(question, Buffer.alloc(0), ours)).toBe(false);
  });

  it('is proven to a member that has one of two keys, while the key of the fleet is changed', () => {
    const proofs = proofsOf(question, [others, ours]);
    expect([ours, others].map((key) => isProven(question, proofs, key))).toEqual([true, true]);
    expect(isProven(question, proofs, keyOf(8))).toBe(false);
    expect(isProven(question, Buffer.concat([proofs, proofOf(question, keyOf(8))]), keyOf(8))).toBe(false);
  });

  it.each<[string, Partial<Question>]>([
    ['id', { id: '00000000-8a7b-4c3d-9e0f-1a2b3c4d5e6f' }],
    ['member', { member: '00000000-8a7b-4c3d-9e0f-1a2b3c4d5e6f' }],
    ['asker', { by: 1000 }],
    ['machine', { from: 'another' }],
    ['key, that of whoever wrote it', { publicKey: createAsker(ours).publicKey }],
  ])('with another %s is not', (_, change) => {
    expect(isProven({ ...question, ...change }, proof, ours)).toBe(false);
  });
});

describe('an answer', () => {
  const noAnswer = 'the answer cannot be opened, so it does not come from a member';

  it('is opened by the asker, and tells nothing in between', () => {
    const asker = createAsker(ours);
    const sealed = sealAnswer(questionOf(asker), bundle, ours);
    expect(asker.open(questionOf(asker), sealed)).toEqual(bundle);
    expect(sealed.includes('bundle')).toBe(false);
    expect(sealAnswer(questionOf(asker), bundle, ours)).not.toEqual(sealed);
  });

  it('is opened by whichever of two keys its member has', () => {
    const asker = createAsker(others, ours);
    for (const key of [ours, others]) {
      expect(asker.open(questionOf(asker), sealAnswer(questionOf(asker), bundle, key))).toEqual(bundle);
    }
    const strange = sealAnswer(questionOf(asker), bundle, keyOf(8));
    expect(() => asker.open(questionOf(asker), strange)).toThrow(noAnswer);
  });

  it('is opened by nobody else, not by another member of the fleet either', () => {
    const asker = createAsker(ours);
    const sealed = sealAnswer(questionOf(asker), bundle, ours);
    expect(() => createAsker(ours).open(questionOf(asker), sealed)).toThrow(noAnswer);
  });

  it('to another question, of a stranger, changed or cut, does not open', () => {
    const asker = createAsker(ours);
    const question = questionOf(asker);
    const sealed = sealAnswer(question, bundle, ours);
    const id = '00000000-8a7b-4c3d-9e0f-1a2b3c4d5e6f';
    expect(() => asker.open({ ...question, id }, sealed)).toThrow(noAnswer);
    expect(() => asker.open(question, sealAnswer(question, bundle, others))).toThrow(noAnswer);
    for (const at of [20, 50, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => asker.open(question, changed)).toThrow(noAnswer);
    }
    for (const length of [0, 44, 60, sealed.length - 1]) {
      expect(() => asker.open(question, sealed.subarray(0, length))).toThrow(noAnswer);
    }
  });

  it('is given to no key of another kind', () => {
    const { publicKey } = generateKeyPairSync('ed25519');
    const spki = publicKey.export({ format: 'der', type: 'spki' });
    const question = questionOf(createAsker(ours), { publicKey: spki });
    expect(() => sealAnswer(question, bundle, ours)).toThrow('the key of the question is none of X25519');
  });

  it('uses HKDF as RFC 5869 has it (A.1)', () => {
    const hex = (text: string) => Buffer.from(text, 'hex');
    const made = hkdfSync(
      'sha256',
      hex('0b'.repeat(22)),
      hex('000102030405060708090a0b0c'),
      hex('f0f1f2f3f4f5f6f7f8f9'),
      42,
    );
    expect(Buffer.from(made).toString('hex')).toBe(
      '3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865',
    );
  });
});
