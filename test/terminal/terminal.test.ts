import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { Document } from '../../src/domain/document.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { LastRelease } from '../../src/domain/release.ts';
import { alice, bob, documentNamed, terminalStage } from '../support/terminal/terminal-stage.ts';

describe('a badge', () => {
  it('opens a session, and the same badge again releases everything in the order of the list', async () => {
    const { tap, tickets, ends, turn, closed, log, state } = terminalStage();
    await tap(alice);
    expect(log.records('session opened')).toHaveLength(1);
    expect(state()).toBe('choosing');
    expect(tickets).toEqual([]);
    await tap(alice);
    expect(tickets.map(({ document }) => document.uuid)).toEqual(['one', 'two']);
    ends.get('one')?.();
    await turn();
    expect(closed()).toEqual([]);
    ends.get('two')?.();
    await turn();
    expect(closed()).toEqual(['released']);
    expect(state()).toBe('prompting');
  });

  it('with autoRelease releases everything at once', async () => {
    const { tap, tickets, state } = terminalStage({ autoRelease: true });
    await tap(alice);
    expect(tickets).toHaveLength(2);
    expect(state()).toBe('releasing');
  });

  it('with autoRelease and nothing waiting says so for a while, and closes the session', async () => {
    const { tap, closed, tickets, state, sentence, clock } = terminalStage({
      autoRelease: true,
      documents: [],
    });
    await tap(alice);
    expect([state(), sentence()]).toEqual(['choosing', 'There is nothing to print.']);
    await clock.advance(seconds(11));
    expect(closed()).toEqual([]);
    await clock.advance(seconds(1));
    expect([tickets.length, closed(), state()]).toEqual([0, ['released'], 'prompting']);
  });

  it('with autoRelease releases what comes in while its owner still stands there', async () => {
    const documents: Document[] = [];
    const { tap, closed, tickets, state, clock, ends, turn } = terminalStage({
      autoRelease: true,
      documents,
    });
    await tap(alice);
    documents.push(documentNamed('late'));
    await clock.advance(seconds(5));
    await turn();
    expect([state(), tickets.map(({ document }) => document.uuid)]).toEqual(['releasing', ['late']]);
    ends.get('late')?.();
    await turn();
    expect(closed()).toEqual(['released']);
  });

  it('of the same person closes the session when there is nothing to release', async () => {
    const { tap, closed } = terminalStage({
      documents: [documentNamed('one')],
      standings: { one: 'in-progress' },
    });
    await tap(alice);
    await tap(alice);
    expect(closed()).toEqual(['badge']);
  });

  it('of another person ends the session and opens theirs, without stopping a release (I3)', async () => {
    const { tap, closed, log, tickets, terminal, ends, turn } = terminalStage({ autoRelease: true });
    await tap(alice);
    const generation = terminal.view.current().generation;
    await tap(bob);
    expect(closed()).toEqual(['badge']);
    expect(log.records('session opened')).toHaveLength(2);
    expect(terminal.view.current().generation).toBeGreaterThan(generation);
    expect(tickets.map(({ user }) => user.userName)).toEqual(['alice', 'alice', 'bob', 'bob']);
    // An end that belongs to alice does not count for bob.
    ends.get('one')?.();
    await turn();
    expect(closed()).toEqual(['badge']);
  });

  it('of another person while the list is on its way: the late list is dropped', async () => {
    let answer: (documents: readonly Document[]) => void = () => {};
    let asked = 0;
    const list = () => {
      asked += 1;
      return asked === 1
        ? new Promise<readonly Document[]>((resolve) => (answer = resolve))
        : Promise.resolve([documentNamed('of-bob')]);
    };
    const { tap, tickets, turn } = terminalStage({ list });
    await tap(alice);
    await tap(bob);
    answer([documentNamed('of-alice')]);
    await turn();
    await tap(bob);
    expect(tickets.map(({ document }) => document.uuid)).toEqual(['of-bob']);
  });

  it('held twice while the list is on its way releases as soon as it is there', async () => {
    let answer: (documents: readonly Document[]) => void = () => {};
    const { tap, tickets, turn } = terminalStage({
      list: () => new Promise<readonly Document[]>((resolve) => (answer = resolve)),
    });
    await tap(alice);
    await tap(alice);
    answer([documentNamed('one')]);
    await turn();
    expect(tickets).toHaveLength(1);
  });

  it('is ignored, with a record, while the device is not authorized (I9)', async () => {
    const { terminal, tap, log, state } = terminalStage();
    terminal.tell({ type: 'unauthorized' });
    await tap(alice);
    expect(log.records('card ignored')).toMatchObject([{ code: 'terminal-starting', reason: 'starting' }]);
    expect([state(), log.records('session opened').length]).toEqual(['outOfService', 0]);
  });

  it('that the service refuses opens nothing, and the sentence for the person goes by itself', async () => {
    const login = () => Promise.reject(new Problem('login-refused', 'the service answered 401'));
    const { tap, terminal, clock, log } = terminalStage({ login });
    await tap(alice);
    expect(log.records('login failed')).toMatchObject([{ code: 'login-refused', terminal: 'lobby' }]);
    expect(terminal.view.current().sentence).toBe(
      'That was not accepted. Please try again, or ask for help.',
    );
    await clock.advance(seconds(9));
    expect(terminal.view.current().sentence).toBe('Hold your card to the reader.');
  });
});

describe('a badge whose number is of no use here', () => {
  const problem = new Problem('card-not-convertible', 'Hex2Dec needs hexadecimal digits, 0 to F');

  it('opens nothing, and the sentence for the person goes by itself', async () => {
    const { terminal, turn, clock, log, sentence } = terminalStage();
    await clock.advance(seconds(60));
    terminal.tell({ type: 'card-unreadable', problem });
    await turn();
    expect(sentence()).toBe('This card cannot be read here.');
    await clock.advance(seconds(9));
    expect(sentence()).toBe('Hold your card to the reader.');
    expect(log.records('session opened')).toEqual([]);
  });

  it('ends the session of whoever stood there before, like any other badge (I3)', async () => {
    const { tap, terminal, turn, closed, state, sentence } = terminalStage();
    await tap(alice);
    expect(state()).toBe('choosing');
    terminal.tell({ type: 'card-unreadable', problem });
    await turn();
    expect([closed(), state(), sentence()]).toEqual([
      ['badge'],
      'prompting',
      'This card cannot be read here.',
    ]);
  });

  it('is ignored, with a record, while the device is not authorized (I9)', async () => {
    const { terminal, turn, log, state } = terminalStage();
    terminal.tell({ type: 'unauthorized' });
    terminal.tell({ type: 'card-unreadable', problem });
    await turn();
    expect([state(), log.records('card ignored').length]).toEqual(['outOfService', 1]);
  });
});

describe('a document', () => {
  it.each([
    ['may have been printed already', 'may-have-printed'],
    ['is just being printed', 'in-progress'],
    ['was printed and only its deletion is owed', 'deletion-owed'],
  ] as const)('that %s is left alone (I1)', async (_words, standing) => {
    const { tap, tickets } = terminalStage({ autoRelease: true, standings: { one: standing } });
    await tap(alice);
    expect(tickets.map(({ document }) => document.uuid)).toEqual(['two']);
  });

  it('whose deletion is owed is deleted with the token of this login', async () => {
    const last: LastRelease = { releaseId: 'r1', state: 'CONFIRMED', deletionOwed: true };
    const { tap, removed, settled } = terminalStage({ standings: { one: 'deletion-owed' }, last });
    await tap(alice);
    expect([removed, settled]).toEqual([['one'], ['r1']]);
  });

  it('whose storage is offline is left alone', async () => {
    const documents = [documentNamed('one', { storageOnline: false }), documentNamed('two')];
    const { tap, tickets } = terminalStage({ autoRelease: true, documents });
    await tap(alice);
    expect(tickets.map(({ document }) => document.uuid)).toEqual(['two']);
  });
});

it('terminals side by side share one machine, and each does as its own settings say', async () => {
  const [left, right] = [terminalStage({ autoRelease: true }), terminalStage()];
  await left.tap(alice);
  await right.tap(alice);
  expect([left.state(), right.state()]).toEqual(['releasing', 'choosing']);
  expect([left.tickets.length, right.tickets.length]).toEqual([2, 0]);
});
