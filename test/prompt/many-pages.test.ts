/** What Enter would print stands there before it is pressed; many pages are asked about. */
import { describe, expect, it } from 'vitest';
import type { TerminalView } from '../../src/domain/terminal/terminal-view.ts';
import { beginDialogue, press } from '../../src/prompt/dialogue.ts';
import type { Key } from '../../src/prompt/keys.ts';
import { screenOf } from '../../src/prompt/prompt-screen.ts';
import { loadPromptWords } from '../../src/prompt/prompt-words.ts';

const words = await loadPromptWords('en');
import { documentView, listOf } from './prompted-terminal.ts';

const keys: Readonly<Record<string, Key>> = { '\r': { kind: 'enter' }, '\u001b': { kind: 'escape' } };

function typed(view: TerminalView, text: string) {
  let dialogue = beginDialogue(view);
  const said: unknown[] = [];
  for (const letter of text) {
    const turn = press(dialogue, keys[letter] ?? { kind: 'text', text: letter }, view);
    ({ dialogue } = turn);
    if (turn.words) said.push(turn.words);
  }
  return { said, lines: screenOf(view, { dialogue, words }).lines.map((line) => line.trim()) };
}

const view = listOf(
  [documentView({ uuid: 'short', pages: 20 }), documentView({ uuid: 'long', pages: 20, copies: 2 })],
  { askAbovePages: 50 },
);

describe('the prompt', () => {
  it('tells what the numbers mean before Enter', () => {
    expect(typed(view, '1').lines).toContain('1 document, 20 pages');
    expect(typed(view, 'a').lines).toContain('2 documents, 60 pages');
    const unknown = listOf([documentView({ pages: undefined })]);
    expect(typed(unknown, 'a').lines).toContain('1 document, 1 page or more');
  });

  it('asks above so many pages, and prints on y alone', () => {
    const asked = typed(view, 'a\r');
    expect(asked.said).toEqual([]);
    expect(asked.lines).toContain('Print all of this? 2 documents, 60 pages');
    expect(asked.lines).toContain('y: print   Esc: back');
    expect(typed(view, 'a\ry').said).toEqual([{ type: 'release', documentUuids: ['short', 'long'] }]);
    expect(typed(view, 'a\r\ry').said).toEqual([]);
    expect(typed(view, 'a\r\u001b1\r').said).toEqual([{ type: 'release', documentUuids: ['short'] }]);
  });

  it('asks nothing below that', () => {
    expect(typed({ ...view, askAbovePages: 60 }, 'a\r').said).toHaveLength(1);
  });
});

it('at a printer that is not theirs nothing is printed, and it says why', () => {
  const { said, lines } = typed({ ...view, notHere: true, sentence: 'You are signed in.' }, 'a\r1\r');
  expect(said).toEqual([]);
  expect(lines.slice(2, 4).join(' ')).toContain('You may not print at this printer.');
  expect(lines).toContain('Document 1 cannot be printed now.');
});
