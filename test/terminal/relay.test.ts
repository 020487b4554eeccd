/** A badge that the service is told of: what the terminal shows of it, and to whom. */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { relayed } from '../../src/domain/terminal/public-words.ts';
import { alice, bob, terminalStage } from '../support/terminal/terminal-stage.ts';

const { sentence: said } = relayed;

describe('a relayed badge', () => {
  it('is waited for, and then its outcome is shown for a while', async () => {
    const { terminal, clock, turn, state, sentence, relay } = terminalStage();
    await turn();
    const generation = relay() ?? -1;
    expect([state(), sentence()]).toEqual(['relaying', 'One moment, please.']);
    await clock.advance(seconds(3));
    expect(sentence()).toBe('The print service does not answer. Still trying…');
    terminal.tell({ type: 'relay-ended', generation, notice: relayed });
    expect([state(), sentence()]).toEqual(['prompting', said]);
    await clock.advance(seconds(9));
    expect(sentence()).toBe('Hold your card to the reader.');
  });

  it('ends the session of whoever was here (I3)', async () => {
    const { terminal, tap, closed, state, relay } = terminalStage();
    await tap(alice);
    relay();
    expect([closed(), state()]).toEqual([['badge'], 'relaying']);
    expect(terminal.view.current()).not.toHaveProperty('fullName');
  });

  it('says nothing to who came after it: another badge, or the next relayed one (D2, I3)', async () => {
    const { terminal, tap, sentence, state, relay } = terminalStage();
    await tap(alice);
    const first = relay() ?? -1;
    const second = relay() ?? -1;
    terminal.tell({ type: 'relay-ended', generation: first, notice: relayed });
    expect(state()).toBe('relaying');
    await tap(bob);
    terminal.tell({ type: 'relay-ended', generation: second, notice: relayed });
    expect(state()).toBe('choosing');
    expect(sentence()).not.toContain(said);
  });

  it('is not relayed while the terminal is out of service', async () => {
    const { terminal, turn, state, relay } = terminalStage();
    terminal.tell({ type: 'unauthorized' });
    await turn();
    expect([relay(), state()]).toEqual([undefined, 'outOfService']);
  });

  it('leaves the terminal free again if nothing is ever heard of it (I7)', async () => {
    const { clock, turn, state, sentence, relay } = terminalStage();
    await turn();
    relay();
    await clock.advance(seconds(31));
    expect(state()).toBe('prompting');
    expect(sentence()).toContain('Look at the printer before');
  });
});

describe('readers that are away', () => {
  it('keep nobody from typing, where that is offered', async () => {
    const { terminal, turn, sentence } = terminalStage({ offer: { ways: ['short-id'] } });
    await turn();
    terminal.tell({ type: 'readers', state: 'down' });
    expect(sentence()).toBe('The card reader does not answer. Please sign in by typing.');
  });

  it('are told to who comes, unless there is something of more weight, and to programs', async () => {
    const { terminal, turn, tap, sentence } = terminalStage();
    await turn();
    terminal.tell({ type: 'readers', state: 'down' });
    expect(sentence()).toBe('The card reader does not answer. Please use another terminal.');
    expect(terminal.view.current().readers).toBe('down');
    terminal.tell({ type: 'service', state: 'down' });
    expect(sentence()).toBe('The print service cannot be reached. We keep trying.');
    terminal.tell({ type: 'service', state: 'up' });
    terminal.tell({ type: 'readers', state: 'up' });
    expect(sentence()).toBe('Hold your card to the reader.');
    await tap(alice);
    terminal.tell({ type: 'readers', state: 'down' });
    expect(sentence()).toContain('Hold your card');
  });
});
