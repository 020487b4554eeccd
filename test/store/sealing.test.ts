import { createSecretKey } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { Secret } from '../../src/core/secret.ts';
import { createSealing } from '../../src/core/sealing.ts';
import { configuredKey } from '../../src/store/sealed/sealing.ts';

const sealingOf = (byte: number) =>
  createSealing({ key: createSecretKey(Buffer.alloc(32, byte)), chance: systemChance });
const sealing = sealingOf(1);

test('what was sealed opens again, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(sealing.unseal('tokens', sealing.seal('tokens', text))).toEqual({ kind: 'text', text });
    }),
  );
});

test('every changed bit and every cut is noticed', () => {
  const sealed = sealing.seal('tokens', 'secret');
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(sealing.unseal('tokens', changed).kind).not.toBe('text');
  }
  for (let length = 0; length < sealed.length; length++) {
    expect(sealing.unseal('tokens', sealed.subarray(0, length)).kind).toBe('damaged');
  }
});

test('another key is told from damage, and another purpose does not open', () => {
  const sealed = sealing.seal('tokens', 'secret');
  expect(sealingOf(2).unseal('tokens', sealed)).toEqual({ kind: 'other-key' });
  expect(sealing.unseal('identity', sealed)).toEqual({ kind: 'damaged' });
});

test('the same text never looks the same twice', () => {
  expect(sealing.seal('tokens', 'secret')).not.toEqual(sealing.seal('tokens', 'secret'));
});

describe('device.sealingKey', () => {
  const bytes = Buffer.from('0123456789abcdefghijklmnopqrstuv');

  test.each([
    ['hex', bytes.toString('hex')],
    ['hex in capitals', bytes.toString('hex').toUpperCase()],
    ['base64', bytes.toString('base64')],
    ['base64 with a line end', `${bytes.toString('base64')}\n`],
    ['base64url', bytes.toString('base64url')],
    ['32 characters', bytes.toString()],
  ])('is taken as %s', (_name, text) => {
    expect(configuredKey(new Secret(text)).export()).toEqual(bytes);
  });

  test.each(['', 'short', 'a'.repeat(63), 'this sentence has more characters than a key has bytes'])(
    'is refused when it is %j, without repeating it',
    (text) => {
      expect(() => configuredKey(new Secret(text))).toThrow(
        expect.objectContaining({
          code: 'config-invalid',
          message: 'device.sealingKey: is not 32 bytes; give them as base64 or hex',
        }),
      );
    },
  );
});
