import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeMessage } from '../../src/ipp/decode.ts';
import { encodeMessage } from '../../src/ipp/encode.ts';
import { attribute } from '../../src/ipp/message.ts';
import { DecodeError, limits } from '../../src/ipp/octet-reader.ts';
import { collection, integer, keyword } from '../../src/ipp/values.ts';
import type { Value } from '../../src/ipp/message.ts';
import { anyMessage, capturedAnswer } from './messages.ts';

const octets = (hex: string): Buffer => Buffer.from(hex.replace(/[^0-9a-f]/g, ''), 'hex');
const header = '0200 0000 00000001';

/** The error that decoding ends in; anything but a DecodeError fails the test. */
function decodeErrorOf(bytes: Uint8Array): DecodeError | undefined {
  try {
    decodeMessage(bytes);
    return undefined;
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
}

describe('a malformed message (T14)', () => {
  it.each([
    ['a reserved delimiter', `${header} 00 03`, 8, '3.5.1'],
    ['an attribute before any group', `${header} 21 0001 61 0004 00000001 03`, 8, '3.1.2'],
    ['an additional value without an attribute', `${header} 01 21 0000 0004 00000001 03`, 9, '3.1.5'],
    ['the end of a collection that never began', `${header} 01 37 0001 61 0000 03`, 9, '3.1.6'],
    ['a member outside a collection', `${header} 01 4a 0001 61 0001 62 03`, 9, '3.1.6'],
    ['a member without a value', `${header} 01 34 0001 61 0000 4a 0000 0001 62 37 0000 0000 03`, 21, '3.1.7'],
    ['a member without a name', `${header} 01 34 0001 61 0000 4a 0000 0000 37 0000 0000 03`, 15, '3.1.7'],
    ['a value before its member', `${header} 01 34 0001 61 0000 21 0000 0004 00000001 03`, 15, '3.1.7'],
    ['a group within a collection', `${header} 01 34 0001 61 0000 02 03`, 15, '3.1.6'],
    ['a named attribute within a collection', `${header} 01 34 0001 61 0000 21 0001 62 0000 03`, 15, '3.1.7'],
    ['a name-length above 32 767', `${header} 01 21 8000`, 10, '3.4'],
    ['a value-length above 32 767', `${header} 01 21 0001 61 ffff`, 13, '3.4'],
  ])('%s is told with its octet and section', (_, hex, offset, section) => {
    const error = decodeErrorOf(octets(hex));
    expect(error).toMatchObject({ offset, truncated: false });
    expect(error?.message).toContain(`RFC 8010 section ${section}`);
  });

  it('the 15-octet answer that sends other decoders round for ever is refused at once', () => {
    const error = decodeErrorOf(octets('02000000 00000001 01 44 0000 fffb 03'));
    expect(error).toMatchObject({ truncated: false, offset: 12 });
  });

  it('every cut of a captured answer says that it was cut', () => {
    const captured = capturedAnswer();
    const lengths = Array.from(captured.keys());
    const unsaid = lengths.filter(
      (length) => decodeErrorOf(captured.subarray(0, length))?.truncated !== true,
    );
    expect(unsaid).toEqual([]);
  });

  it('every cut of any message says that it was cut', () => {
    fc.assert(
      fc.property(anyMessage, fc.nat(), (message, place) => {
        const whole = encodeMessage(message);
        expect(decodeErrorOf(whole.subarray(0, place % whole.length))?.truncated).toBe(true);
      }),
    );
  });

  it('random octets end in a message or a DecodeError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (tail) => {
        const error = decodeErrorOf(Buffer.concat([octets(header), tail]));
        expect(error?.offset ?? 0).toBeLessThanOrEqual(8 + tail.length);
      }),
      { numRuns: 2000 },
    );
  });

  it('a captured answer with changed octets ends in a DecodeError or a message that can be written again', () => {
    const captured = capturedAnswer();
    const change = fc.record({ at: fc.nat(captured.length - 1), to: fc.nat(0xff) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const mutated = Buffer.from(captured);
        for (const { at, to } of changes) mutated[at] = to;
        fc.pre(decodeErrorOf(mutated) === undefined);
        const { message } = decodeMessage(mutated);
        expect(decodeMessage(encodeMessage(message)).message).toEqual(message);
      }),
      { numRuns: 100 },
    );
  });
});

const messageOf = (attributes: number, ...values: readonly Value[]): Buffer =>
  encodeMessage({
    version: [2, 0],
    code: 0,
    requestId: 1,
    groups: [
      {
        tag: 'printer-attributes',
        attributes: Array.from({ length: attributes }, (_, n) => attribute(`a${n}`, ...values)),
      },
    ],
  });
const nested = (depth: number): Value =>
  depth === 0 ? integer(1) : collection([attribute('deeper', nested(depth - 1))]);

describe('a message beyond the caps is refused (T14)', () => {
  it.each([
    [
      '10 000 attributes',
      messageOf(limits.attributes, integer(1)),
      messageOf(limits.attributes + 1, integer(1)),
    ],
    ['8 collections in one another', messageOf(1, nested(8)), messageOf(1, nested(9))],
    [
      '100 000 values',
      messageOf(100, ...Array.from({ length: 1000 }, () => integer(1))),
      messageOf(100, ...Array.from({ length: 1001 }, () => integer(1))),
    ],
    ['4 MiB', messageOf(127, keyword('x'.repeat(32_767))), messageOf(129, keyword('x'.repeat(32_767)))],
  ])('%s are taken, more are not', (_, allowed, beyond) => {
    expect(decodeErrorOf(allowed)).toBeUndefined();
    expect(decodeErrorOf(beyond)).toMatchObject({ truncated: false });
  });

  it('4 MiB without an end are refused, not waited on', () => {
    const endless = Buffer.concat([octets(`${header} 02`), Buffer.alloc(limits.octets + 16, 0x44)]);
    expect(decodeErrorOf(endless)?.truncated).toBe(false);
    const zeros = Buffer.alloc(limits.octets * 2);
    expect(decodeErrorOf(zeros)?.truncated).toBe(false);
  });
});
