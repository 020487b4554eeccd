import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyDecoder } from '../../src/prompt/keys.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const keysOf = (...chunks: readonly string[]) => {
  const decoder = createKeyDecoder();
  const keys = [...chunks.flatMap((chunk) => decoder.push(bytes(chunk))), ...decoder.end()];
  return keys.map((key) => (key.kind === 'text' ? key.text : key.kind));
};

describe('keys', () => {
  it.each<[string, string[], string[]]>([
    ['letters of any script', ['aß漢'], ['a', 'ß', '漢']],
    [
      'Enter, Tab, Backspace of both kinds',
      ['\r', '\t', '\x7f\b'],
      ['enter', 'tab', 'backspace', 'backspace'],
    ],
    ['CR LF as one Enter', ['1\r', '\n2'], ['1', 'enter', '2']],
    ['LF alone', ['\n\n'], ['enter', 'enter']],
    ['the keys that take a line back', ['\x15\x17'], ['erase-line', 'erase-line']],
    ['Ctrl-C as giving up, never as a signal', ['\x03'], ['escape']],
    ['a lone Escape', ['\x1b'], ['escape']],
    ['Escape and a letter', ['\x1bl'], ['escape', 'l']],
    ['Escape twice', ['\x1b\x1b'], ['escape', 'escape']],
    ['arrows and paging', ['\x1b[A\x1b[B\x1b[5~\x1bOB'], ['page-up', 'page-down', 'page-up', 'page-down']],
    ['an arrow in three pieces', ['\x1b', '[', 'B'], ['page-down']],
    ['keys without a meaning here', ['\x1b[C\x1b[1;5D\x1b[15~\x1bOP\x1b[[A'], []],
    [
      'what a terminal says of itself',
      ['\x1b[?62;22c\x1b]11;rgb:0000/0000/0000\x1b\\\x1bP1$r0m\x1b\\x'],
      ['x'],
    ],
    ['a paste', ['\x1b[200~rm -rf\r1,2\r\x1b[201~x'], ['x']],
    ['other control characters', ['\x00\x01\x04\x1a\x1c\x7f'], ['backspace']],
    ['eight-bit controls and directional characters', ['\u009b2J\u202e'], ['2', 'J']],
  ])('reads %s', (_, chunks, expected) => {
    expect(keysOf(...chunks)).toEqual(expected);
  });

  it('reads a character whose bytes come one by one, and drops what is no UTF-8', () => {
    const decoder = createKeyDecoder();
    const keys = [...bytes('漢'), 0xff, 0x41].flatMap((byte) => decoder.push(Uint8Array.of(byte)));
    expect(keys).toEqual([
      { kind: 'text', text: '漢' },
      { kind: 'text', text: 'A' },
    ]);
  });

  it('is not silenced by a sequence or a paste that never ends', () => {
    const decoder = createKeyDecoder();
    for (const beginning of ['\x1b[200~half', '\x1b]endless']) {
      decoder.push(bytes(beginning));
      expect(decoder.isWithin()).toBe(true);
      expect(decoder.end()).toEqual([]);
      expect(decoder.push(bytes('x'))).toEqual([{ kind: 'text', text: 'x' }]);
    }
    expect(decoder.push(bytes(`\x1b[${'1'.repeat(100)}`)).length).toBeGreaterThan(0);
  });

  it('gives no text but single visible characters, whatever comes in', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 }), (chunks) => {
        const decoder = createKeyDecoder();
        const texts = chunks
          .flatMap((chunk) => decoder.push(chunk))
          .flatMap((key) => (key.kind === 'text' ? [key.text] : []));
        for (const text of texts) expect(text).toMatch(/^[^\p{Cc}\p{Cs}\ufffd]$/u);
      }),
    );
  });
});
