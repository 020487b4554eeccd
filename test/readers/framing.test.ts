import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Frame, FramingRule } from '../../src/readers/intake/framing.ts';
import { createFraming } from '../../src/readers/intake/framing.ts';

const text = (line: string): Frame => ({ kind: 'text', text: line });
const garbage: Frame = { kind: 'garbage' };

interface Piece {
  readonly bytes: Buffer;
  readonly at: number;
}
const piece = (latin1: string, at: number): Piece => ({ bytes: Buffer.from(latin1, 'latin1'), at });

function framesOf(pieces: readonly Piece[], rule: FramingRule = { kind: 'line' }): Frame[] {
  const framing = createFraming(rule);
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
    // A silence does not end the discarding: what comes after it may be the tail of the lost number.
    ['do not begin again before a mark', [piece(long, 0), piece('47', 5000), piece('11\r', 5010)], [garbage]],
    [
      'are lost with all that follows a silence, up to the next mark',
      [piece('99', 0), piece('4711\r', 100), piece('0815\r', 101)],
      [garbage, text('0815')],
    ],
    ['begin at STX even then', [piece('99', 0), piece('\x024711\r', 100)], [garbage, text('4711')]],
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

const silence = 500;

describe('the frames of a reader whose numbers stand between STX and ETX', () => {
  it.each<[string, Piece[], Frame[]]>([
    ['are what stands there', [piece('\x024711\x03\x020815\x03', 0)], [text('4711'), text('0815')]],
    ['may have line ends around and at the end', [piece('\x024711\r\n\x03\r\n', 0)], [text('4711')]],
    ['are not what stands outside', [piece('4711\r\x020815\x03', 0)], [garbage, text('0815')]],
    ['hold no line end', [piece('\x0247\r11\x03', 0)], [garbage]],
    ['start anew at a second STX', [piece('\x0212\x024711\x03', 0)], [garbage, text('4711')]],
    [
      'are lost with all that follows a silence',
      [piece('\x0299', 0), piece('4711\x03', silence), piece('\x020815\x03', silence)],
      [garbage, text('0815')],
    ],
    ['are lost when only their start has come', [piece('\x02', 0), piece('11\x03', silence)], [garbage]],
    [
      'are dropped whole when longer than 256 bytes',
      [piece(`\x02${long}\x03\x0211\x03`, 0)],
      [garbage, text('11')],
    ],
  ])('%s', (_, pieces, frames) => {
    expect(framesOf(pieces, { kind: 'stx-etx' })).toEqual(frames);
  });
});

describe('the frames of a reader whose numbers have one length', () => {
  it.each<[string, Piece[], Frame[]]>([
    ['follow one another without a mark', [piece('47110815', 0)], [text('4711'), text('0815')]],
    ['may have marks between them', [piece('\x024711\x03\r\n0815\r\n', 0)], [text('4711'), text('0815')]],
    ['are put together from pieces', [piece('47', 0), piece('11', 99)], [text('4711')]],
    ['align anew after a silence', [piece('47', 0), piece('0815', silence)], [garbage, text('0815')]],
    [
      'come to nothing until a silence after what cannot be read',
      [piece('4\xff1108', 0), piece('15', 20), piece('4711', silence)],
      [garbage, text('4711')],
    ],
  ])('%s', (_, pieces, frames) => {
    expect(framesOf(pieces, { kind: 'fixed', length: 4 })).toEqual(frames);
  });
});

describe('the frames of a reader whose numbers end with a silence', () => {
  const rule: FramingRule = { kind: 'gap', milliseconds: 50 };

  it.each<[string, Piece[], Frame[]]>([
    ['end there', [piece('4711', 0), piece('0815', 50)], [text('4711')]],
    ['are put together until then', [piece('47', 0), piece('11', 49), piece('8', 99)], [text('4711')]],
    ['hold no marks', [piece('\x024711\r\n\x03', 0), piece('8', 50)], [text('4711')]],
    [
      'are dropped whole when longer than 256 bytes',
      [piece(long, 0), piece('1', 20), piece('8', 70)],
      [garbage],
    ],
  ])('%s', (_, pieces, frames) => {
    expect(framesOf(pieces, rule)).toEqual(frames);
  });

  it('are ended by whoever watches the time', () => {
    const framing = createFraming(rule);
    expect(framing.silence?.span).toBe(50);
    framing.push(Buffer.from('4711'), 0);
    expect(framing.silence?.end()).toEqual([text('4711')]);
    expect(framing.silence?.end()).toEqual([]);
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

  const rules: readonly FramingRule[] = [
    { kind: 'line' },
    { kind: 'stx-etx' },
    { kind: 'fixed', length: 8 },
    { kind: 'gap', milliseconds: 50 },
  ];

  it.each(rules)('emits only printable texts of at most 256 bytes, with any pauses: $kind', (rule) => {
    const pieces = fc.array(fc.record({ bytes: traffic, pause: fc.nat(200) }), { maxLength: 8 });
    fc.assert(
      fc.property(pieces, (reads) => {
        let at = 0;
        const frames = framesOf(
          reads.map(({ bytes, pause }) => ({ bytes, at: (at += pause) })),
          rule,
        );
        const sent = reads.map(({ bytes }) => bytes.toString('latin1')).join('');
        const everything = rule.kind === 'gap' ? sent.replace(/[\x02\x03\r\n]/g, '') : sent;
        for (const frame of frames) {
          if (frame.kind === 'garbage') continue;
          expect(frame.text).toMatch(/^[\x20-\x7e]{1,256}$/);
          expect(everything).toContain(frame.text);
        }
      }),
    );
  });

  it('keeps no more than one frame of an endless line, and reads the badge after it', () => {
    const framing = createFraming({ kind: 'line' });
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
