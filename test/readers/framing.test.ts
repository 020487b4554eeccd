import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../src/readers/framing.ts';
import { createFraming } from '../../src/readers/framing.ts';

const text = (line: string): Frame => ({ kind: 'text', text: line });
const garbage: Frame = { kind: 'garbage' };

interface Piece {
  readonly bytes: Buffer;
  readonly at: number;
}
const piece = (latin1: string, at: number): Piece => ({ bytes: Buffer.from(latin1, 'latin1'), at });

function framesOf(pieces: readonly Piece[]): Frame[] {
  const framing = createFraming();
  return pieces.flatMap(({ bytes, at }) => framing.push(bytes, at));
}

const long = 'A'.repeat(257);

describe('the frames of a reader', () => {
  it.each<[string, Piece[], Frame[]]>([
    ['end with CR', [piece('4711\r', 0)], [text('4711')]],
    ['end with LF', [piece('4711\n', 0)], [text('4711')]],
    ['end with ETX', [piece('4711\x03', 0)], [text('4711')]],
    ['end with any run of terminators', [piece('1\r\n2\r\r\x03\n3\n', 0)], [text('1'), text('2'), text('3')]],
    ['are not empty', [piece('\r\n\r\n\x02\x03', 0)], []],
    ['start at STX', [piece('\x024711\x03', 0)], [text('4711')]],
    ['start anew at a second STX', [piece('12\x024711\r', 0)], [garbage, text('4711')]],
    ['keep their blanks for the card rule', [piece(' 47 11 \r', 0)], [text(' 47 11 ')]],
    ['are put together from pieces', [piece('47', 0), piece('11', 60), piece('\r', 99)], [text('4711')]],
    ['may be 256 bytes long', [piece(`${'A'.repeat(256)}\r`, 0)], [text('A'.repeat(256))]],
    ['are dropped whole when longer', [piece(`${long}\r`, 0), piece('4711\r', 0)], [garbage, text('4711')]],
    ['swallow no line after an overlong one', [piece(`${long}BBB\r4711\r`, 0)], [garbage, text('4711')]],
    [
      'begin again 50 ms after an overlong one',
      [piece(long, 0), piece('4711\r', 50)],
      [garbage, text('4711')],
    ],
    ['do not begin again before that', [piece(long, 0), piece('4711\r', 49)], [garbage]],
    ['are dropped 100 ms into a silence', [piece('99', 0), piece('4711\r', 100)], [garbage, text('4711')]],
    ['survive a shorter silence', [piece('47', 0), piece('11\r', 99)], [text('4711')]],
    ['wait for their end', [piece('4711', 0)], []],
    ['hold no NUL', [piece('47\x0011\r', 0)], [garbage]],
    ['hold no escape sequence', [piece('\x1b[31m4711\r', 0)], [garbage]],
    ['hold no eighth bit', [piece('47\xb111\r', 0)], [garbage]],
    ['hold no DEL', [piece('4711\x7f\r', 0)], [garbage]],
    ['come through after garbage', [piece('\xff\xfe\r4711\r', 0)], [garbage, text('4711')]],
  ])('%s', (_, pieces, frames) => {
    expect(framesOf(pieces)).toEqual(frames);
  });
});

describe('the framing under any input (I8)', () => {
  /** Reader traffic rather than noise: much of what matters, and some of everything. */
  const byte = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0x30, max: 0x46 }) },
    { weight: 2, arbitrary: fc.constantFrom(0x02, 0x03, 0x0a, 0x0d) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 255 }) },
  );
  const traffic = fc.array(byte, { maxLength: 700 }).map((bytes) => Buffer.from(bytes));

  it('gives the same frames however the bytes are cut into reads', () => {
    fc.assert(
      fc.property(traffic, fc.array(fc.nat(700), { maxLength: 20 }), (bytes, cuts) => {
        const edges = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const pieces = edges.slice(1).map((end, i) => ({ bytes: bytes.subarray(edges[i], end), at: 7 }));
        expect(framesOf(pieces)).toEqual(framesOf([{ bytes, at: 7 }]));
      }),
    );
  });

  it('emits only whole printable lines of at most 256 bytes, with any pauses between the reads', () => {
    const pieces = fc.array(fc.record({ bytes: traffic, pause: fc.nat(200) }), { maxLength: 8 });
    fc.assert(
      fc.property(pieces, (reads) => {
        let at = 0;
        const frames = framesOf(reads.map(({ bytes, pause }) => ({ bytes, at: (at += pause) })));
        const everything = reads.map(({ bytes }) => bytes.toString('latin1')).join('');
        for (const frame of frames) {
          if (frame.kind === 'garbage') continue;
          expect(frame.text).toMatch(/^[\x20-\x7e]{1,256}$/);
          expect(everything).toContain(frame.text);
        }
      }),
    );
  });

  it('keeps no more than one frame of an endless line, and reads the badge after it', () => {
    const framing = createFraming();
    const endless = Buffer.alloc(64 * 1024, 'A');
    const dropped = Array.from({ length: 160 }, (_, i) => framing.push(endless, i)).flat();
    expect(dropped).toEqual([garbage]);
    expect(framing.push(Buffer.from('\r4711\r'), 160)).toEqual([text('4711')]);
  });

  it('reads every good line of a stream of good and bad ones', () => {
    const good = fc.stringMatching(/^[0-9A-F]{4,20}$/);
    const bad = fc.stringMatching(/^[0-9A-F]{0,8}[\x80-\xff][0-9A-F]{0,8}$/);
    fc.assert(
      fc.property(fc.array(fc.record({ good, bad })), (lines) => {
        const stream = lines.map((line) => `${line.bad}\r${line.good}\r\n`).join('');
        const read = framesOf([piece(stream, 0)]).filter((frame) => frame.kind === 'text');
        expect(read).toEqual(lines.map((line) => text(line.good)));
      }),
    );
  });
});
