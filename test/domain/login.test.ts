import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/core/secret.ts';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import { isPlausible } from '../../src/domain/login.ts';

const shortId = (typed: string) => isPlausible({ kind: 'short-id', shortId: new Secret(typed) });
const name = (userName: string) => isPlausible({ kind: 'name', userName });
const password = (typed: string) =>
  isPlausible({ kind: 'password', userName: 'alice', password: new Secret(typed) });
const pin = (typed: string) =>
  isPlausible({ kind: 'card', card: new CardNumber('04A1'), password: new Secret(typed) });

describe('what is typed', () => {
  it.each([
    ['4711', true],
    ['1234567890123456', true],
    ['471', false],
    ['12345678901234567', false],
    ['47a1', false],
    ['４７１１', false],
    ['4711\n', false],
  ])('is a short id of 4 to 16 digits: %j', (typed, isIt) => {
    expect(shortId(typed)).toBe(isIt);
  });

  it.each([
    ['alice', true],
    ['Ünal Öz', true],
    ['alice@example.org', true],
    ['नमस्ते', true],
    ['x'.repeat(255), true],
    ['👩‍👩‍👧'.repeat(255), true],
    ['', false],
    ['  ', false],
    ['x'.repeat(256), false],
    ['x'.repeat(1_000_000), false],
    ['a\u0007b', false],
    ['a\u202eb', false],
    ['a\u2028b', false],
    ['a\ud800b', false],
  ])('is a name of 1 to 255 printable characters: %j', (typed, isIt) => {
    expect([name(typed), isPlausible({ kind: 'email', email: typed })]).toEqual([isIt, isIt]);
  });

  it.each([
    ['1234', true],
    [' pass word ', true],
    ['ß€\u202e', true],
    ['', false],
    ['12\u001b34', false],
    ['x'.repeat(256), false],
  ])('is a PIN or password of 1 to 255 characters without controls: %j', (typed, isIt) => {
    expect([password(typed), pin(typed)]).toEqual([isIt, isIt]);
  });
});
