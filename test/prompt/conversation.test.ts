import { describe, expect, it } from 'vitest';
import { milliseconds, seconds } from '../../src/core/duration.ts';
import type { TerminalView } from '../../src/domain/terminal/terminal-view.ts';
import { createConversation } from '../../src/prompt/prompt-conversation.ts';
import { loadPromptWords } from '../../src/prompt/prompt-words.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { documentViews, greeting, listOf, promptedTerminal } from './prompted-terminal.ts';

const english = await loadPromptWords('en');

function talk({ view, wedge = 'none' }: { view: TerminalView; wedge?: 'none' | 'types' }) {
  const clock = createSteeredClock();
  const terminal = promptedTerminal(view);
  const numbers: string[] = [];
  let redraws = 0;
  const conversation = createConversation({
    terminal,
    clock,
    words: english,
    onNumber: wedge === 'types' ? (text) => void numbers.push(text) : undefined,
    onChange: () => {},
    onRedraw: () => void (redraws += 1),
  });
  const show = () => conversation.shown(conversation.screen());
  show();
  const type = (text: string) => conversation.push(new TextEncoder().encode(text));
  return {
    clock,
    terminal,
    numbers,
    conversation,
    show,
    type,
    redraws: () => redraws,
    /** Key after key, as a person does. */
    async typeSlowly(text: string) {
      for (const key of text) {
        type(key);
        await clock.advance(milliseconds(90));
      }
    },
    line: () => conversation.screen().lines.join('\n'),
    words: () => terminal.told.map(([what]) => what),
  };
}

const shortId: TerminalView = { ...greeting, offers: ['short-id'] };
const list = listOf(documentViews(3));

describe('a conversation', () => {
  it('says words with the generation they are about, and that somebody is there', () => {
    const { type, terminal } = talk({ view: list });
    type('1,3\r');
    const here = ['still-there', { generation: 2 }];
    const release = ['release', { generation: 2, documentUuids: ['doc-1', 'doc-3'] }];
    expect(terminal.told).toEqual([here, here, here, here, release]);
  });

  it('says no word that the view does not offer: nobody logs out where nobody is', () => {
    const { offers: _offers, ...closed } = greeting;
    const { type, terminal } = talk({ view: closed });
    type('l');
    expect(terminal.told).toEqual([]);
  });

  it('takes no key for a screen that the person does not see yet (I3)', () => {
    const { type, terminal, show, words } = talk({ view: list });
    type('1');
    terminal.show({ ...list, generation: 3 });
    type('l\r');
    expect(words()).toEqual(['still-there']);
    show();
    type('l');
    expect(words()).toEqual(['still-there', 'still-there', 'log-out']);
  });

  it('forgets what was typed after 30 s without a key', async () => {
    const { type, clock, words, line } = talk({ view: shortId });
    type('47');
    await clock.advance(seconds(29));
    type('1');
    await clock.advance(seconds(29));
    expect(line()).toContain('ID number: ***');
    await clock.advance(seconds(1));
    expect(line()).toContain('ID number:');
    expect(line()).not.toContain('*');
    type('1\r');
    expect(words()).toEqual(['log-in']);
  });

  it('knows a lone Escape by the silence after it', async () => {
    const { type, clock, line } = talk({ view: list });
    type('2');
    type('\u001b');
    expect(line()).toContain('Print: 2');
    await clock.advance(milliseconds(60));
    expect(line()).not.toContain('Print: 2');
  });

  it('draws everything anew on Ctrl-L', () => {
    const { type, redraws } = talk({ view: list });
    type('\u000c');
    expect(redraws()).toBe(1);
  });

  it('holds no timer and hears no change after its end', () => {
    const { type, clock, terminal, conversation, line } = talk({ view: shortId });
    type('47\u001b');
    conversation[Symbol.dispose]();
    expect(clock.waits()).toEqual([]);
    terminal.show(list);
    expect(line()).not.toContain('*');
  });
});

describe('a reader that types', () => {
  it.each<[string, TerminalView, string[], string[]]>([
    ['while the terminal prompts', greeting, ['04A1B2C3'], []],
    ['where a short id could be typed', shortId, ['04A1B2C3'], []],
    ['in a session, as any badge', list, ['04A1B2C3'], []],
    ['while a PIN is asked for, which it is not', { ...greeting, asks: 'pin' }, ['04A1B2C3'], []],
    ['while a sign-in is asked for', { ...greeting, asks: 'enrollment' }, ['04A1B2C3'], []],
  ])('is told from a person %s', (_, view, numbers, words) => {
    const talked = talk({ view, wedge: 'types' });
    talked.type('04A1B2C3\r\n');
    expect(talked.numbers).toEqual(numbers);
    expect(talked.words().filter((what) => what !== 'still-there')).toEqual(words);
  });

  it('may take its time, but less than a person', async () => {
    const { clock, numbers, type } = talk({ view: shortId, wedge: 'types' });
    for (const key of '04A1B2C3\r') {
      type(key);
      await clock.advance(milliseconds(20));
    }
    expect(numbers).toEqual(['04A1B2C3']);
  });

  it('is nobody who types a short id, however quick, nor keys of less than a number', async () => {
    const { clock, numbers, type, typeSlowly, words } = talk({ view: shortId, wedge: 'types' });
    await typeSlowly('4711\r');
    expect(words()).toEqual(['log-in']);
    type('471\r');
    await clock.advance(milliseconds(40));
    expect([numbers, words()]).toEqual([[], ['log-in', 'log-in']]);
  });

  it('is none where the keys never end, of which no more is held back (I8)', () => {
    const { numbers, type, line } = talk({ view: shortId, wedge: 'types' });
    type('4'.repeat(256));
    expect(line()).not.toContain('*');
    type('4');
    expect([numbers, line().includes('*')]).toEqual([[], true]);
  });

  it('does not end a line that a person has begun', async () => {
    const { numbers, type, typeSlowly, words } = talk({ view: shortId, wedge: 'types' });
    await typeSlowly('47');
    type('04A1\r');
    expect([numbers, words()]).toEqual([[], ['log-in']]);
  });

  it('is none where the configuration says of none', () => {
    const { numbers, type, words } = talk({ view: shortId });
    type('4711\r');
    expect([numbers, words()]).toEqual([[], ['log-in']]);
  });
});
