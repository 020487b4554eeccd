import fc from 'fast-check';
import { eastAsianWidth } from 'get-east-asian-width';
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
    // As tmux 3.3a draws them.
    ['नमस्ते', 4],
    ['বাজেট রিপোর্ট', 12],
    ['தமிழ் அறிக்கை', 11],
    ['ភាសាខ្មែរ', 8],
    ['ไทยที่', 4],
    ['\u1112\u1161\u11ab', 2],
    ['🇩🇪', 2],
    ['👍🏽', 4],
    ['🖥 Plan', 6],
  ])('counts %s as %d (UAX #11)', (text, columns) => {
    expect(columnsOf(text)).toBe(columns);
  });

  it('counts each character of Unicode as its East_Asian_Width says, but for marks without a place of their own', () => {
    const placeless = /[\p{Mn}\p{Me}\u1160-\u11ff\ud7b0-\ud7ff]/u;
    const wrong = Array.from({ length: 0x40000 - 0x20 }, (_, at) => String.fromCodePoint(at + 0x20)).filter(
      (character) =>
        plain(character) === character &&
        columnsOf(character) !==
          (placeless.test(character) ? 0 : eastAsianWidth(character.codePointAt(0) ?? 0)),
    );
    expect(wrong).toEqual([]);
  });

  it('cuts a wide character that does not fit, and fills up', () => {
    expect(cutTo(8, '四半期報告書')).toBe('四半...');
    expect(fill(8, '四半期報告書')).toBe('四半... ');
    expect(endOf(5, '四半期報告書')).toBe('告書');
    expect(endOf(2, 'ae\u0301xy')).toBe('xy');
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
    ['a picture', 'Party 🎉 plan.pdf', 'Party plan.pdf'],
    ['a family', 'a👩‍👩‍👧‍👦b', 'ab'],
    ['a family whose joiners no vendor draws', 'a👦‍👦‍👦‍👦‍👦b', 'ab'],
    ['a flag', 'Trip 🇩🇪🇫🇷', 'Trip'],
    ['a flag of no country, and half a flag', '🇽🇽 and 🇩', 'and'],
    ['a flag made of tags', '🏴󠁧󠁢󠁳󠁣󠁴󠁿 x', 'x'],
    ['a keycap', '1️⃣ first, 2⃣ second, 3 third', 'first, second, 3 third'],
    ['a skin', '👍🏽 ☝🏽 ☝️ ok', 'ok'],
    ['a heart on fire', '❤️‍🔥 ❤‍🔥 ok', 'ok'],
    ['a heap of marks', `a${'\u0301'.repeat(50)}b`, 'a\u0301\u0301\u0301b'],
  ])('has no part in %s', (_, text, left) => {
    expect(plain(text)).toBe(left);
  });

  it('has the plain forms of blanks and apostrophes that fonts of consoles lack', () => {
    expect(plain('1\u202f234,50\u00a0€, c’est ‘bon’')).toBe("1 234,50 €, c'est 'bon'");
  });

  it.each(['☺ © ™ ✈ 4 # *', 'Report 2026', '四半期'])('keeps %s, which fonts for text have', (text) => {
    expect(plain(text)).toBe(text);
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
