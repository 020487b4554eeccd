/** What the screen says while the service is slow or away: the truth within 2 s, and nothing of it afterwards. */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { Document } from '../../src/domain/document.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { alice, documentNamed, terminalStage } from '../support/terminal/terminal-stage.ts';

const never = () => new Promise<never>(() => {});
const stillTrying = 'The print service does not answer. Still trying…';
const away = 'The print service cannot be reached. We keep trying.';
const greeting = 'Hold your card to the reader.';

describe('a call that takes long', () => {
  it.each([
    ['login', { login: never }, 'One moment, please.'],
    ['list', { list: never }, 'Looking for your documents.'],
  ])('is told of after 2 s: %s', async (_call, options, before) => {
    const { tap, clock, sentence } = terminalStage(options);
    await tap(alice);
    await clock.advance(seconds(1.9));
    expect(sentence()).toBe(before);
    await clock.advance(seconds(0.1));
    expect(sentence()).toBe(stillTrying);
  });

  it('leaves nothing on the screen when it ends well', async () => {
    let answer: (documents: readonly Document[]) => void = () => {};
    const list = () => new Promise<readonly Document[]>((resolve) => (answer = resolve));
    const { tap, clock, turn, sentence } = terminalStage({ list });
    await tap(alice);
    await clock.advance(seconds(3));
    expect(sentence()).toBe(stillTrying);
    answer([documentNamed('one')]);
    await turn();
    expect(sentence()).toBe('Hold your card to the reader again to print.');
  });

  it('and fails is apologised for in the words of the problem', async () => {
    const { tap, terminal, sentence, clock } = terminalStage({
      login: () => Promise.reject(new Problem('cloud-unreachable', 'no route')),
    });
    await tap(alice);
    terminal.tell({ type: 'service', state: 'down' });
    expect(sentence()).toBe('The print service cannot be reached. We keep trying.');
    await clock.advance(seconds(9));
    expect(sentence()).toBe(away);
  });
});

describe('while the service is known to be away', () => {
  it('the screen says so before anybody shows a badge, and stops when it is back', async () => {
    const { terminal, sentence, turn } = terminalStage();
    await turn();
    expect(sentence()).toBe(greeting);
    terminal.tell({ type: 'service', state: 'down' });
    expect(sentence()).toBe(away);
    terminal.tell({ type: 'service', state: 'up' });
    expect(sentence()).toBe(greeting);
  });

  it('an apology goes as soon as it is back', async () => {
    const { tap, terminal, sentence } = terminalStage({
      login: () => Promise.reject(new Problem('cloud-unreachable', 'no route')),
    });
    terminal.tell({ type: 'service', state: 'down' });
    await tap(alice);
    expect(sentence()).toBe('The print service cannot be reached. We keep trying.');
    terminal.tell({ type: 'service', state: 'up' });
    expect(sentence()).toBe(greeting);
  });

  it('whoever waits for pages is told at once that no more may come (I12)', async () => {
    const { tap, terminal, state, sentence } = terminalStage({ autoRelease: true });
    await tap(alice);
    expect([state(), sentence()]).toEqual(['releasing', 'Printing. Please wait for your pages.']);
    terminal.tell({ type: 'service', state: 'down' });
    expect(sentence()).toBe(
      'The print service cannot be reached. Only documents that are already here are printed.',
    );
  });

  it('a badge is taken all the same: the login may work (I7)', async () => {
    const { tap, terminal, state, sentence } = terminalStage();
    terminal.tell({ type: 'service', state: 'down' });
    await tap(alice);
    terminal.tell({ type: 'service', state: 'up' });
    expect([state(), sentence()]).toEqual(['choosing', 'Hold your card to the reader again to print.']);
  });

  it('another apology stays its time where the service was never away', async () => {
    const { tap, terminal, sentence } = terminalStage({
      login: () => Promise.reject(new Problem('login-refused', 'the service answered 401')),
    });
    await tap(alice);
    terminal.tell({ type: 'service', state: 'up' });
    expect(sentence()).toBe('That was not accepted. Please try again, or ask for help.');
  });
});

describe('a list that is full', () => {
  it('is said to go on elsewhere, perhaps (B.4, 3)', async () => {
    const documents = Array.from({ length: 500 }, (_, i) => documentNamed(`d-${i}`));
    const { tap, terminal, sentence } = terminalStage({ documents, mayBeMore: true });
    await tap(alice);
    expect(sentence()).toBe(
      '500 documents are shown. There may be more in the portal. Hold your card to the reader again to print.',
    );
    expect(terminal.view.current().waiting).toBe(500);
  });
});
