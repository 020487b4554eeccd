import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DocumentView, TerminalView } from '../../src/domain/terminal/terminal-view.ts';
import { columnsOf, cutTo } from '../../src/prompt/columns.ts';
import type { Dialogue } from '../../src/prompt/dialogue.ts';
import { beginDialogue, press } from '../../src/prompt/dialogue.ts';
import { enterScreen, leaveScreen, paint } from '../../src/prompt/prompt.ts';
import { screenOf } from '../../src/prompt/prompt-screen.ts';
import { loadPromptWords } from '../../src/prompt/prompt-words.ts';
import { documentView, documentViews, greeting, listOf } from './prompted-terminal.ts';

const english = await loadPromptWords('en');

const drawn = (view: TerminalView, dialogue: Dialogue = beginDialogue(view)) =>
  screenOf(view, { dialogue, words: english });

/** What the view shows after these keys; `\r` is Enter. */
function afterTyping(view: TerminalView, keys: string): Dialogue {
  let dialogue = beginDialogue(view);
  for (const text of keys)
    ({ dialogue } = press(dialogue, text === '\r' ? { kind: 'enter' } : { kind: 'text', text }, view));
  return dialogue;
}

const ruler = `${'1234567890'.repeat(8)}\n`;
const framed = (lines: readonly string[]) => `\n${ruler}${lines.map((line) => line.trimEnd()).join('\n')}\n`;

describe('the screen', () => {
  it('greets, and offers what may be typed', () => {
    const view: TerminalView = { ...greeting, offers: ['short-id', 'password'] };
    expect(framed(drawn(view).lines)).toBe(`
${ruler} Print terminal

 Hold your card to the reader.




 You can also sign in by typing:

 1  ID number
 2  Name and password












 Press a number.
`);
  });

  it('takes a password without showing it', () => {
    const view: TerminalView = { ...greeting, offers: ['short-id', 'password'] };
    const { lines, cursor } = drawn(view, afterTyping(view, '2alice\rsecret'));
    expect(framed(lines)).toBe(`
${ruler} Print terminal

 Hold your card to the reader.




 User name: alice

 Password: ******













 Enter: continue   Esc: back
`);
    expect(cursor).toEqual({ row: 9, column: ' Password: ******'.length });
  });

  it('shows the documents of the person, what they cost and what stands in the way', () => {
    const documents = [
      documentView({ uuid: 'a', cost: '0.30', fits: true, sides: 'two-sided-long-edge', color: true }),
      documentView({
        uuid: 'b',
        name: '四半期報告書 – 最終版.pdf',
        pages: 120,
        copies: 12,
        cost: '99.00',
        fits: false,
      }),
      documentView({
        uuid: 'c',
        name: 'תקציב שנתי 2026.pdf',
        standing: 'may-have-printed',
        sides: 'one-sided',
      }),
      documentView({ uuid: 'd', name: 'x'.repeat(200), pages: undefined, standing: 'printing' }),
    ];
    const view = listOf(documents, {
      endsInSeconds: 42,
      balance: { balance: '12.50', cost: '0.30', fitting: 1, tooDear: 1, costs: [] },
    });
    expect(framed(drawn(view, afterTyping(view, '1,3')).lines)).toBe(`
${ruler} Print terminal                                      You are signed out in 42 s

 Hold your card to the reader again to print.


 Balance 12.50   Anna Lind

  No Pages Copies Color Sides     Cost  Document
   1     3      1 color     2     0.30  Report.pdf
   2   120     12  grey     ?    99.00  [too high] 四半期報告書 – 最終版.pdf
   3     3      1  grey     1           [printed?] תקציב שנתי 2026.pdf
   4     ?      1  grey     ?           [printing] xxxxxxxxxxxxxxxxxxxxxxxxx...









 1 document, 3 pages
 Print: 1,3
 1,3-5: choose   a: all   Enter: print   Esc: undo   l: sign out
`);
  });

  it('shows a long list page by page, each document under the same number', () => {
    const view = listOf(documentViews(30));
    const { lines } = drawn(view, afterTyping(view, 'nn'));
    expect(lines.slice(7, 21).map((line) => line.trimEnd())).toEqual([
      '  No Pages Copies Color Sides  Document',
      '  25     3      1  grey     ?  Part 25.pdf',
      '  26     3      1  grey     ?  Part 26.pdf',
      '  27     3      1  grey     ?  Part 27.pdf',
      '  28     3      1  grey     ?  Part 28.pdf',
      '  29     3      1  grey     ?  Part 29.pdf',
      '  30     3      1  grey     ?  Part 30.pdf',
      '',
      '',
      '',
      '',
      '',
      '',
      ' Page 3 of 3   n: next page   b: previous page',
    ]);
  });
});

const anyName = fc.oneof(
  fc.uint16Array({ maxLength: 120 }).map((units) => String.fromCharCode(...units)),
  fc.string({
    unit: fc.constantFrom(
      '\u001b',
      '[',
      '2',
      'J',
      '\u009b',
      '\u202e',
      '漢',
      '👩‍👩‍👧',
      'e\u0301',
      '\u0007',
      '\n',
    ),
  }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
);

const anyDocument: fc.Arbitrary<DocumentView> = fc.record({
  uuid: fc.uuid(),
  name: anyName,
  pages: fc.option(fc.nat({ max: 5000 }), { nil: undefined }),
  copies: fc.integer({ min: 1, max: 999 }),
  color: fc.boolean(),
  sides: fc.constantFrom('one-sided' as const, 'two-sided-long-edge' as const, undefined),
  standing: fc.constantFrom('releasable', 'may-have-printed', 'unavailable', 'printing'),
});

describe('whatever a document or a person is called (T21)', () => {
  const anyView = fc
    .record({
      documents: fc.array(anyDocument, { maxLength: 30 }),
      fullName: anyName,
      sentence: anyName,
      endsInSeconds: fc.nat({ max: 3600 }),
    })
    .map(({ documents, ...facts }) => listOf(documents, facts));

  it('24 lines come out, none wider than 80 columns, and nothing that moves a cursor', () => {
    fc.assert(
      fc.property(anyView, (view) => {
        const { lines } = drawn(view);
        expect(lines).toHaveLength(24);
        for (const line of lines) {
          expect(columnsOf(line)).toBeLessThanOrEqual(80);
          expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
        }
      }),
    );
  });

  it('of what is written to the terminal, every escape is the prompt’s own', () => {
    const own = /\u001b\[(?:\d+;\d+H|H|0m|[23]J|2K|\?25[hl])/g;
    fc.assert(
      fc.property(anyView, anyView, (before, after) => {
        const bytes = paint(drawn(after), undefined) + paint(drawn(after), drawn(before));
        expect(bytes.replace(own, '')).not.toMatch(/\p{Cc}/u);
      }),
    );
  });

  it('a hidden line is in no frame', () => {
    const secret = fc.stringMatching(/^[g-z5-9]{5,30}$/);
    fc.assert(
      fc.property(secret, fc.constantFrom('pin' as const, 'password' as const), (typed, asked) => {
        const view: TerminalView =
          asked === 'pin' ? { ...greeting, asks: 'pin' } : { ...greeting, offers: ['password'] };
        for (let length = 3; length <= typed.length; length += 1) {
          const part = typed.slice(0, length);
          const frame = paint(
            drawn(view, afterTyping(view, asked === 'pin' ? part : `al\r${part}`)),
            undefined,
          );
          expect(frame).not.toContain(part);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('painting', () => {
  it('writes only the lines that changed', () => {
    const view = listOf(documentViews(3), { endsInSeconds: 42 });
    const before = drawn(view);
    const after = drawn({ ...view, endsInSeconds: 41 });
    expect(paint(after, before).match(/\u001b\[2K/g)).toHaveLength(1);
    expect(paint(after, after)).toBe('');
  });

  it('clears screen and scrollback where the generation is another one, before anything else (I3)', () => {
    const cleared = /^\u001b\[0m\u001b\[2J\u001b\[3J\u001b\[H/;
    const before = drawn(listOf(documentViews(3)));
    expect(paint(drawn({ ...greeting, generation: 3 }), before)).toMatch(cleared);
    expect(leaveScreen).toMatch(cleared);
    expect(enterScreen.startsWith('\u001b[?1049h')).toBe(true);
  });
});

it.each([
  [{}, 'Document 1 may have been printed already. Please look at the tray.'],
  [{ place: 'Entrance' }, 'Document 1 may have printed at Entrance: look there first.'],
  [
    { isAskedFor: true },
    'The other printers are being asked about document 1. Print it if you know that it did not come out.',
  ],
  [{ place: 'Entrance', isPrinted: true }, 'Document 1 was printed at Entrance.'],
] as const)('F5: of what another gateway printed, or may have, it tells where: %j', (doubt, sentence) => {
  const uuid = 'doc-1';
  const view = listOf([documentView({ uuid, standing: 'may-have-printed' })], {
    mayHavePrinted: [{ documentUuid: uuid, ...doubt }],
  });
  expect(drawn(view, { ...beginDialogue(view), doubt: uuid }).lines[21]?.trim()).toBe(cutTo(78, sentence));
});
