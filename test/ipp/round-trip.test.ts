import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeMessage } from '../../src/ipp/decode.ts';
import { encodeMessage } from '../../src/ipp/encode.ts';
import { attribute } from '../../src/ipp/message.ts';
import type { Message, Value } from '../../src/ipp/message.ts';
import { DecodeError } from '../../src/ipp/octet-reader.ts';
import { collection, integer, keyword } from '../../src/ipp/values.ts';
import { anyMessage, capturedAnswer } from './messages.ts';

const message = (...values: readonly Value[]): Message => ({
  version: [2, 0],
  code: 0,
  requestId: 1,
  groups: [{ tag: 'operation-attributes', attributes: [attribute('x', ...values)] }],
});

describe('an IPP message', () => {
  it('comes back the same from its octets', () => {
    fc.assert(
      fc.property(anyMessage, (sent) => {
        expect(decodeMessage(encodeMessage(sent))).toEqual({ message: sent, rest: Buffer.alloc(0) });
      }),
    );
  });

  it('comes back octet for octet when it is a captured answer', () => {
    const captured = capturedAnswer();
    expect(encodeMessage(decodeMessage(captured).message).equals(captured)).toBe(true);
  });

  it('leaves the document that follows it alone', () => {
    const document = Buffer.from('%PDF-1.7 \u0003');
    const { rest } = decodeMessage(Buffer.concat([encodeMessage(message(integer(1))), document]));
    expect(rest).toEqual(document);
  });

  it('keeps the order and doubled names of attributes and members', () => {
    const members = [attribute('b', integer(1)), attribute('a', integer(2)), attribute('b', integer(3))];
    const sent = message(collection(members), collection([]));
    expect(decodeMessage(encodeMessage(sent)).message).toEqual(sent);
  });

  it('keeps a value raw whose octets do not have the form of its tag', () => {
    for (const [number, octets] of [
      [0x21, 'three'],
      [0x22, '\u0007'],
      [0x31, 'no date'],
      [0x10, 'octets'],
    ] as const) {
      const sent = message({ tag: 'raw', number, octets: Buffer.from(octets) });
      expect(decodeMessage(encodeMessage(sent)).message).toEqual(sent);
    }
  });

  it('keeps text raw that is not UTF-8', () => {
    const sent = message({ tag: 'raw', number: 0x41, octets: Buffer.from('Büro', 'latin1') });
    expect(decodeMessage(encodeMessage(sent)).message).toEqual(sent);
  });
});

describe('what has no encoding is a mistake of the caller', () => {
  it.each([
    ['an attribute without a value', message()],
    ['a text of 32 768 octets', message(keyword('x'.repeat(32_768)))],
    ['a member without a name', message(collection([attribute('', integer(1))]))],
    ['an integer of 33 bits', message(integer(2 ** 31))],
    [
      'a raw value that would end a collection',
      message({ tag: 'raw', number: 0x37, octets: Buffer.alloc(0) }),
    ],
    ['a raw value that would open a group', message({ tag: 'raw', number: 0x02, octets: Buffer.alloc(0) })],
  ])('%s', (_, unencodable) => {
    expect(() => encodeMessage(unencodable)).toThrow(RangeError);
  });

  it('a text of 32 767 octets fits', () => {
    expect(() => decodeMessage(encodeMessage(message(keyword('x'.repeat(32_767)))))).not.toThrow(DecodeError);
  });
});
