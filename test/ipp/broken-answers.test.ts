/** Answers with parts that break the rules of RFC 8010: what cannot be read is skipped, told with its octet, and not guessed. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeAnswer, decodeMessage } from '../../src/ipp/decode.ts';
import { encodeMessage } from '../../src/ipp/encode.ts';
import type { Attribute, Message } from '../../src/ipp/message.ts';
import { attribute, group, integer, subject } from '../../src/ipp/message.ts';
import { DecodeError, limits } from '../../src/ipp/octet-reader.ts';
import * as ipp from '../../src/ipp/values.ts';
import { anyMessage, capturedAnswer } from './messages.ts';

const octets = (hex: string): Buffer => Buffer.from(hex.replace(/[^0-9a-f]/g, ''), 'hex');
const header = '0200 0000 00000001 04';
/** The attribute `z`, an integer 7, and the end. */
const after = '21 0001 7a 0004 00000007 03';
const begin = '34 0001 63 0000';
const end = '37 0000 0000';
const member = (name: string) => `4a 0000 0001 ${name}`;
const one = '21 0000 0004 00000001';

const broken: readonly (readonly [string, string, readonly number[]])[] = [
  ['a member without a value', `${begin} ${member('61')} ${member('62')} ${one} ${end}`, [21]],
  ['a last member without a value', `${begin} ${member('62')} ${one} ${member('61')} ${end}`, [36]],
  ['a member without a name', `${begin} 4a 0000 0000 ${one} ${member('62')} ${one} ${end}`, [15]],
  ['a value before its member', `${begin} ${one} ${member('62')} ${one} ${end}`, [15]],
  ['a collection without its end', `${begin} ${member('62')} ${one}`, [30]],
  [
    'a collection without its end in another',
    `${begin} ${member('62')} 34 0000 0000 ${member('61')} ${one} ${end}`,
    [46],
  ],
  ['a stray memberAttrName', `21 0001 64 0004 00000001 ${member('61')} ${one}`, [19, 25]],
  ['the end of a collection that never began', `21 0001 64 0004 00000001 ${end}`, [19]],
  ['a value that belongs to nothing', one, [9]],
  ['a reserved delimiter', `00 21 0001 61 0004 00000009 04`, [9]],
];

describe('an answer with', () => {
  it.each(broken)('%s tells all that comes after it', (_, hex, offsets) => {
    const { message, skipped } = decodeAnswer(octets(`${header} ${hex} ${after}`));
    expect(integer(group(message, 'printer-attributes'), 'z')).toBe(7);
    expect(skipped.map(({ offset }) => offset)).toEqual(offsets);
    expect(decodeMessage(encodeMessage(message)).message).toEqual(message);
  });

  it('a collection whose end is missing has none of its members anywhere', () => {
    const { message } = decodeAnswer(octets(`${header} ${begin} ${member('7a')} ${one} ${after}`));
    expect(group(message, 'printer-attributes')).toEqual([attribute('z', ipp.integer(7))]);
  });

  it('a list of which one value is broken has nothing of that list', () => {
    const whole = `${begin} ${member('62')} ${one} ${end} 34 0000 0000 ${member('62')} ${one}`;
    const { message } = decodeAnswer(octets(`${header} ${whole} ${after}`));
    expect(group(message, 'printer-attributes').map(({ name }) => name)).toEqual(['z']);
  });

  it('an attribute before any group has the groups that follow', () => {
    const { message, skipped } = decodeAnswer(
      octets(`0200 0000 00000001 21 0001 61 0004 00000001 04 ${after}`),
    );
    expect(message.groups).toEqual([
      { tag: 'printer-attributes', attributes: [attribute('z', ipp.integer(7))] },
    ]);
    expect(skipped.map(({ offset }) => offset)).toEqual([8]);
  });

  it('no end-of-attributes is whole where its octets end behind a value, and nowhere else', () => {
    const whole = octets(`${header} ${after}`);
    expect(decodeAnswer(whole.subarray(0, -1)).message).toEqual(decodeMessage(whole).message);
    for (let length = 10; length < whole.length - 1; length += 1) {
      expect(() => decodeAnswer(whole.subarray(0, length))).toThrow(DecodeError);
    }
    expect(() => decodeAnswer(whole.subarray(0, 8))).toThrow(DecodeError);
  });

  it('octets behind its end, unknown tags and lengths that do not fit loses these alone', () => {
    const odd = '21 0001 61 0000  23 0001 62 0003 000001  22 0001 63 0002 0101  7f 0001 64 0001 00';
    const { message, skipped } = decodeAnswer(octets(`${header} ${odd} ${after} 00 00 ff`));
    const reported = group(message, 'printer-attributes');
    expect(reported.map(({ name, values }) => [name, values[0]?.tag])).toEqual([
      ...['a', 'b', 'c', 'd'].map((name) => [name, 'raw']),
      ['z', 'integer'],
    ]);
    expect(integer(reported, 'b')).toBeUndefined();
    expect(skipped).toEqual([]);
  });
});

describe('caps hold (T14):', () => {
  it.each([
    ['octets of zero', Buffer.alloc(limits.octets * 2)],
    [
      'values of nothing',
      Buffer.concat([
        octets(header),
        Buffer.concat(Array.from({ length: limits.skipped + 2 }, () => octets(one))),
      ]),
    ],
    [
      'collections in one another',
      octets(`${header} ${begin} ${`${member('62')} 34 0000 0000`.repeat(20)} 03`),
    ],
  ])('%s are refused', (_, endless) => {
    expect(() => decodeAnswer(endless)).toThrow(DecodeError);
  });

  it('a value-length above 32 767 leaves no next part to be found', () => {
    expect(() => decodeAnswer(octets(`${header} 21 0001 61 ffff ${after}`))).toThrow(DecodeError);
  });
});

it('what is right is read as ever, and nothing of it is skipped', () => {
  expect(decodeAnswer(capturedAnswer())).toEqual({
    message: decodeMessage(capturedAnswer()).message,
    skipped: [],
  });
  fc.assert(
    fc.property(anyMessage, (message) => {
      expect(decodeAnswer(encodeMessage(message))).toEqual({ message, skipped: [] });
    }),
  );
});

describe('groups', () => {
  const answer = (...groups: readonly [Message['groups'][number]['tag'], ...Attribute[]][]): Message => ({
    version: [2, 0],
    code: 0,
    requestId: 1,
    groups: groups.map(([tag, ...attributes]) => ({ tag, attributes })),
  });
  const id = (number: number) => attribute('job-id', ipp.integer(number));
  const state = (number: number) => attribute('job-state', ipp.enumValue(number));

  it('that are empty, or in parts, are one; what came first counts', () => {
    const parts = answer(
      ['job-attributes'],
      ['job-attributes', id(7)],
      ['job-attributes', state(9), state(3)],
    );
    expect(integer(group(parts, 'job-attributes'), 'job-id')).toBe(7);
    expect(integer(group(parts, 'job-attributes'), 'job-state')).toBe(9);
  });

  it('of another job are no part of the first', () => {
    const jobs = answer(['job-attributes', id(7)], ['job-attributes', id(8), state(9)]);
    expect(integer(group(jobs, 'job-attributes'), 'job-state')).toBeUndefined();
  });

  it('with the wrong name tell what they are about, and what is unsupported is never that', () => {
    const odd = answer(['operation-attributes', id(7)], ['unsupported-attributes', state(9)]);
    expect(subject(odd, 'job-attributes')).toEqual([id(7)]);
  });
});
