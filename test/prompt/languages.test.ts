/** The prompt in each of its languages: whole screens that fit, and say what the person needs in their words. */
import { describe, expect, it } from 'vitest';
import { promptLanguageCodes } from '../../src/domain/language.ts';
import type { TerminalView } from '../../src/domain/terminal/terminal-view.ts';
import { columnsOf, cutMark } from '../../src/prompt/columns.ts';
import { prompted } from '../../src/prompt/languages/en.ts';
import type { Dialogue } from '../../src/prompt/dialogue.ts';
import { beginDialogue } from '../../src/prompt/dialogue.ts';
import { screenOf } from '../../src/prompt/prompt-screen.ts';
import { loadPromptWords } from '../../src/prompt/prompt-words.ts';
import { documentView, documentViews, greeting, listOf } from './prompted-terminal.ts';

const german = await loadPromptWords('de');
const textOf = (view: TerminalView, dialogue: Dialogue = beginDialogue(view)): string =>
  screenOf(view, { dialogue, words: german }).lines.join('\n');

describe('a prompt in German', () => {
  it('greets, offers what may be typed, and says why it cannot serve', () => {
    const text = textOf({ ...greeting, offers: ['short-id', 'password'] });
    expect(text).toContain('Druckterminal');
    expect(text).toContain('Halten Sie Ihre Karte an den Leser.');
    expect(text).toContain('2  Name und Passwort');
    expect(text).toContain('Drücken Sie eine Ziffer.');
    const elsewhere = {
      ...greeting,
      state: 'outOfService',
      outage: { reason: 'elsewhere', by: 'gateway-2', reference: 'K7MW4X', qr: { path: '', size: 0 } },
    } as const;
    expect(textOf(elsewhere)).toMatch(/gateway-2[^]*K7MW4X/);
  });

  it('shows the list with its numbers written as Germans do, and asks in German', () => {
    const view = listOf(
      [documentView({ cost: '1.50', color: true }), documentView({ uuid: 'b', cost: '0.05' })],
      {
        balance: { balance: '12.50', cost: '1.55', fitting: 2, tooDear: 0, costs: [] },
        endsInSeconds: 42,
      },
    );
    const text = textOf(view, { ...beginDialogue(view), pick: 'a' });
    expect(text).toContain('Guthaben 12,50   Anna Lind');
    expect(text).toContain('  1      3      1 Farbe     ?     1,50  Report.pdf');
    expect(text).toContain('Drucken: alle');
    expect(text).toContain('Sie werden in 42 s abgemeldet');
  });

  it('says what a printer needs, as the page does', () => {
    const needs = {
      ...greeting,
      state: 'releasing',
      printer: { lamp: 'needs-attention', needs: 'paper' },
    } as const;
    expect(textOf(needs)).toContain('Papier');
  });

  it('says of a refused login what the page says, whatever the reason (T09)', () => {
    const said = (code: 'login-refused' | 'login-locked') =>
      textOf({ ...greeting, notice: { code, sentence: 'English' } });
    expect(said('login-refused')).toBe(said('login-locked'));
    expect(said('login-refused')).not.toContain('English');
  });
});

describe.each(promptLanguageCodes)('the screen in %s', (code) => {
  const keys = Object.keys(prompted) as (keyof typeof prompted)[];

  it('has room for each line of keys and each note', async () => {
    const { say } = await loadPromptWords(code);
    const long = keys.filter((key) => columnsOf(say(key, { n: 12, of: 12, place: 'Lobby' })) > 2 * 78);
    expect(long).toEqual([]);
    const hints = keys.filter((key) => key.startsWith('keys'));
    expect(hints.filter((key) => columnsOf(say(key)) > 78)).toEqual([]);
  });

  it('keeps heads above their columns, and cuts nothing that it says itself', async () => {
    const words = await loadPromptWords(code);
    const view = listOf(
      documentViews(30).map((document) => ({ ...document, cost: '0.10', standing: 'printing' as const })),
      { endsInSeconds: 42 },
    );
    const { lines } = screenOf(view, { dialogue: beginDialogue(view), words });
    const [head = '', first = ''] = lines.slice(7);
    expect(head.indexOf(words.say('document'))).toBe(first.indexOf('['));
    expect(lines.filter((line) => line.includes(cutMark))).toEqual([]);
  });
});
