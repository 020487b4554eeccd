import { describe, expect, it } from 'vitest';
import type { TerminalView } from '../../src/domain/terminal/terminal-view.ts';
import type { Dialogue, Words } from '../../src/prompt/dialogue.ts';
import { beginDialogue, forgetTyped, press, renew } from '../../src/prompt/dialogue.ts';
import type { Key } from '../../src/prompt/keys.ts';
import { documentView, documentViews, greeting, listOf } from './prompted-terminal.ts';

const named: Readonly<Record<string, Key>> = {
  '\r': { kind: 'enter' },
  '\t': { kind: 'tab' },
  '\u001b': { kind: 'escape' },
  '\b': { kind: 'backspace' },
};

/** Presses these keys; the answer is the dialogue then, and all that was said. */
function typed(view: TerminalView, keys: string, from: Dialogue = beginDialogue(view)) {
  let dialogue = from;
  const said: Words[] = [];
  for (const text of keys) {
    const turn = press(dialogue, named[text] ?? { kind: 'text', text }, view);
    ({ dialogue } = turn);
    if (turn.words) said.push(turn.words);
  }
  return { dialogue, said: said.map(revealed) };
}

/** As a test can compare it. */
function revealed(words: Words): unknown {
  if (words.type === 'pin') return { pin: words.pin.reveal() };
  if (words.type === 'enrol') return { enrol: [words.userName, words.password.reveal()] };
  if (words.type !== 'log-in') return words;
  const { credentials } = words;
  if (credentials.kind === 'short-id') return { shortId: credentials.shortId.reveal() };
  return credentials.kind === 'password'
    ? { password: [credentials.userName, credentials.password.reveal()] }
    : credentials;
}

const offering = (...offers: NonNullable<TerminalView['offers']>): TerminalView => ({ ...greeting, offers });

describe('logging in', () => {
  it.each<[string, TerminalView, string, unknown[]]>([
    ['by the only way there is', offering('short-id'), '4711\r', [{ shortId: '4711' }]],
    [
      'by the way that is picked',
      offering('short-id', 'name'),
      '2alice\r',
      [{ kind: 'name', userName: 'alice' }],
    ],
    ['by e-mail', offering('email'), 'a@b.org\r', [{ kind: 'email', email: 'a@b.org' }]],
    [
      'by name and password',
      offering('short-id', 'password'),
      '2alice\tpa ss\r',
      [{ password: ['alice', 'pa ss'] }],
    ],
    ['with a letter taken back', offering('short-id'), '47\b711\r', [{ shortId: '4711' }]],
    [
      'after Escape and another way',
      offering('short-id', 'name'),
      '147\u001b2bob\r',
      [{ kind: 'name', userName: 'bob' }],
    ],
    ['after an empty Enter', offering('short-id', 'name'), '1\r2bob\r', [{ kind: 'name', userName: 'bob' }]],
    ['by a way that is not there', offering('short-id', 'name'), '3', []],
    ['where nothing is offered', greeting, '1l\r', [{ type: 'log-out' }]],
    ['with the PIN of the badge', { ...greeting, asks: 'pin' }, '1234\r', [{ pin: '1234' }]],
    [
      'to make an unknown badge one’s own',
      { ...greeting, asks: 'enrollment' },
      'al\rpw\r',
      [{ enrol: ['al', 'pw'] }],
    ],
    ['not at all: the question is given up', { ...greeting, asks: 'pin' }, '12\u001b', [{ type: 'log-out' }]],
  ])('%s', (_, view, keys, words) => {
    expect(typed(view, keys).said).toEqual(words);
  });

  it('keeps nothing longer than the terminal would send', () => {
    const [words] = typed(offering('short-id'), `${'1'.repeat(400)}\r`).said;
    expect(words).toEqual({ shortId: '1'.repeat(255) });
  });

  it('wipes what was typed when the generation changes, when nobody goes on, and when it is given up', () => {
    const view: TerminalView = { ...greeting, asks: 'pin' };
    const next = { ...view, generation: 2 };
    for (const end of [
      (dialogue: Dialogue) => renew(dialogue, next),
      (dialogue: Dialogue) => forgetTyped(dialogue, view),
      (dialogue: Dialogue) => typed(view, '\u001b', dialogue).dialogue,
    ]) {
      const { dialogue } = typed(view, '1234');
      const { form } = dialogue;
      const after = end(dialogue);
      expect(form?.line.reveal()).toBe('');
      expect(typed(next, '\r', after).said).toEqual([{ type: 'log-out' }]);
    }
  });

  it('keeps what was typed while the same view only changes its sentence', () => {
    const view = offering('short-id');
    const { dialogue } = typed(view, '47');
    const changed = { ...view, sentence: 'The print service cannot be reached. We keep trying.' };
    expect(typed(changed, '11\r', renew(dialogue, changed)).said).toEqual([{ shortId: '4711' }]);
  });
});

describe('choosing', () => {
  const six = listOf(documentViews(6));
  const release = (...numbers: number[]) => ({
    type: 'release',
    documentUuids: numbers.map((number) => `doc-${number}`),
  });

  it.each<[string, string, unknown[]]>([
    ['one', '2\r', [release(2)]],
    ['some, by numbers and ranges', '1,3-5\r', [release(1, 3, 4, 5)]],
    ['with blanks, doubled and backwards', '5-3 3, 1\r', [release(1, 3, 4, 5)]],
    ['all', 'a\r', [release(1, 2, 3, 4, 5, 6)]],
    ['none, when Enter comes alone', '\r', []],
    ['none, when it is undone', '1,2\u001b\r', []],
    ['what is there of a range', '5-9\r', [release(5, 6)]],
    ['none of what makes no sense', '1--2\r', []],
    ['to go', '1l', [{ type: 'log-out' }]],
  ])('%s', (_, keys, words) => {
    expect(typed(six, keys).said).toEqual(words);
  });

  it('says what is wrong with a number, until the next key', () => {
    expect(typed(six, '9\r').dialogue.note).toEqual({ kind: 'noSuchNumber', number: 9 });
    expect(typed(six, '1-\r').dialogue.note).toEqual({ kind: 'notUnderstood', number: 0 });
    expect(typed(six, '9\r1').dialogue.note).toBeUndefined();
  });

  it('all leaves out what is too dear, in doubt or printing; a number does not', () => {
    const view = listOf([
      documentView({ uuid: 'doc-1' }),
      documentView({ uuid: 'doc-2', fits: false }),
      documentView({ uuid: 'doc-3', standing: 'may-have-printed' }),
      documentView({ uuid: 'doc-4', standing: 'printing' }),
    ]);
    expect(typed(view, 'a\r').said).toEqual([release(1)]);
    const { said, dialogue } = typed(view, '1-4\r');
    expect(said).toEqual([release(1, 2)]);
    expect(dialogue.note).toEqual({ kind: 'askAlone', number: 3 });
    expect(typed(view, '4\r').dialogue.note).toEqual({ kind: 'notNow', number: 4 });
  });

  it.each([
    ['r', [{ type: 'print-again', documentUuid: 'doc-1' }]],
    ['t', [{ type: 'it-is-there', documentUuid: 'doc-1' }]],
    ['\u001b', []],
    ['\r', []],
  ])('asks about what may have printed, and takes %j for an answer (I1)', (key, words) => {
    const view = listOf([documentView({ standing: 'may-have-printed' })]);
    expect(typed(view, `1\r${key}`).said).toEqual(words);
    expect(typed(view, `1\r${key}`).dialogue.doubt).toBeUndefined();
  });

  it('by a number means the document that the number stood for, however the list changes', () => {
    const { dialogue } = typed(six, '4');
    const shorter = listOf([...documentViews(6).slice(2), documentView({ uuid: 'new' })]);
    const renewed = renew(dialogue, shorter);
    expect(typed(shorter, '\r', renewed).said).toEqual([release(4)]);
    expect(typed(shorter, '\b7\r', renewed).said).toEqual([{ type: 'release', documentUuids: ['new'] }]);
    expect(typed(shorter, '\b1\r', renewed).dialogue.note).toEqual({ kind: 'noSuchNumber', number: 1 });
  });

  it('turns pages, never beyond the last, also when the list gets shorter', () => {
    const view = listOf(documentViews(30));
    expect(typed(view, 'nnnnn').dialogue.page).toBe(2);
    expect(typed(view, 'nbb').dialogue.page).toBe(0);
    expect(renew(typed(view, 'nn').dialogue, six).page).toBe(0);
  });
});
