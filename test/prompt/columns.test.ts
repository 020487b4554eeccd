import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf, cutTo, endOf, fill, plain, wrap } from '../../src/prompt/columns.ts';

describe('columns', () => {
  it.each([
    ['Report.pdf', 10],
    ['四半期', 6],
    ['ｶﾅ', 2],
    ['ＦＵＬＬ', 8],
    ['한글', 4],
    ['e\u0301', 1],
    ['תקציב', 5],
    ['🎉', 2],
    ['⌚', 2],
    ['–', 1],
  ])('counts %s as %d (UAX #11)', (text, columns) => {
    expect(columnsOf(text)).toBe(columns);
  });

  it('cuts a wide character that does not fit, and fills up', () => {
    expect(cutTo(8, '四半期報告書')).toBe('四半...');
    expect(fill(8, '四半期報告書')).toBe('四半... ');
    expect(endOf(5, '四半期報告書')).toBe('告書');
  });

  it('wraps between words, and cuts what is too long for the last line', () => {
    expect(wrap('one two three four', { columns: 8, lines: 2 })).toEqual(['one two', 'three...']);
    expect(wrap('', { columns: 8, lines: 2 })).toEqual(['']);
  });
});

describe('plain text', () => {
  it.each([
    ['an escape sequence', 'a\u001b[2Jb', 'a [2Jb'],
    ['a control of eight bits', 'a\u009b2Jb', 'a 2Jb'],
    ['line ends', 'a\r\nb', 'a b'],
    ['directional characters', 'a\u202efdp.b\u2066c', 'afdp.bc'],
    ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
    ['a heap of marks', `a${'\u0301'.repeat(50)}b`, 'a\u0301\u0301\u0301b'],
  ])('has no part in %s', (_, text, left) => {
    expect(plain(text)).toBe(left);
  });

  it('stays what it is', () => {
    fc.assert(
      fc.property(fc.uint16Array(), (units) => {
        const text = String.fromCharCode(...units);
        expect(plain(plain(text))).toBe(plain(text));
      }),
    );
  });
});
