/** What a person says of documents: which to print, which to print again, which lie in the tray (B.1, UNKNOWN on screen). */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { LastRelease, Standing } from '../../src/domain/release.ts';
import { alice, bob, documentNamed, terminalStage } from '../support/terminal/terminal-stage.ts';

const last: LastRelease = { releaseId: 'r1', state: 'UNKNOWN', deletionOwed: false };
const inDoubt = { standings: { one: 'may-have-printed' }, last } as const;
const documents = ['one', 'two', 'three'].map((uuid) => documentNamed(uuid));

type Stand = ReturnType<typeof terminalStage>;
/** What a page that shows the present view would say. */
const of = ({ terminal }: Stand, documentUuid: string) => ({
  generation: terminal.view.current().generation,
  documentUuid,
});
const released = ({ tickets }: Stand) => tickets.map(({ document }) => document.uuid);

describe('a document that may have been printed', () => {
  it('is left alone by the second badge, and the screen tells how many, why and when (I1, I12)', async () => {
    const one = terminalStage({ ...inDoubt });
    await one.tap(alice);
    expect(one.sentence()).toBe(
      'One document may have been printed already and was not printed again. Please look at the tray. ' +
        'Hold your card to the reader again to print.',
    );
    expect(one.terminal.view.current().mayHavePrinted).toEqual([
      { documentUuid: 'one', at: '2026-11-21T11:58:00.000Z' },
    ]);
    await one.tap(alice);
    expect(released(one)).toEqual(['two']);
    expect(one.sentence()).toContain('Printing. Please wait for your pages. One document may have been');
  });

  it('is told of also where the first badge prints, and to nobody after the session', async () => {
    const standings = { one: 'may-have-printed', two: 'may-have-printed' } as const;
    const one = terminalStage({ autoRelease: true, standings, last });
    await one.tap(alice);
    expect([released(one), one.closed()]).toEqual([[], []]);
    expect(one.sentence()).toContain(
      '2 documents may have been printed already and were not printed again. Please look at the tray.',
    );
    await one.clock.advance(seconds(12));
    expect(one.closed()).toEqual(['released']);
    expect(one.terminal.view.current().mayHavePrinted).toBeUndefined();
    expect(one.sentence()).toBe('Hold your card to the reader.');
  });

  it('is printed again by an explicit word, which is logged and names what it repeats (I1)', async () => {
    const one = terminalStage({ ...inDoubt });
    await one.tap(alice);
    one.terminal.tell({ type: 'print-again', ...of(one, 'one') });
    await one.turn();
    expect(one.tickets).toMatchObject([{ document: { uuid: 'one' }, again: 'r1' }]);
    const [ticket] = one.tickets;
    expect(ticket?.releaseId).not.toBe('r1');
    expect(one.log.records('release repeated')).toMatchObject([
      { level: 'info', terminal: 'lobby', releaseId: ticket?.releaseId, again: 'r1' },
    ]);
    expect(one.state()).toBe('releasing');
  });

  it('is printed again once, however often the screen is tapped (B.4, 7)', async () => {
    const one = terminalStage({ ...inDoubt });
    await one.tap(alice);
    const said = of(one, 'one');
    for (let tap = 0; tap < 3; tap += 1) one.terminal.tell({ type: 'print-again', ...said });
    await one.turn();
    expect(released(one)).toEqual(['one']);
    expect(one.log.records('choice ignored')).toHaveLength(2);
  });

  it('can be printed again while others of the session print', async () => {
    const one = terminalStage({ ...inDoubt });
    await one.tap(alice);
    await one.tap(alice);
    one.terminal.tell({ type: 'print-again', ...of(one, 'one') });
    await one.turn();
    expect(released(one)).toEqual(['two', 'one']);
    one.ends.get('two')?.();
    await one.turn();
    expect(one.closed()).toEqual([]);
    one.ends.get('one')?.();
    await one.turn();
    expect(one.closed()).toEqual(['released']);
  });

  it.each(['print-again', 'it-is-there'] as const)('is not for the next person: %s (I3)', async (word) => {
    const one = terminalStage({ ...inDoubt });
    await one.tap(alice);
    const said = of(one, 'one');
    await one.tap(bob);
    one.terminal.tell({ type: word, ...said });
    await one.turn();
    expect([released(one), one.confirmed]).toEqual([[], []]);
    expect(one.log.records('choice ignored')).toHaveLength(1);
  });

  it.each([
    ['of another list', 'four'],
    ['that nobody is in doubt about', 'two'],
  ])('%s is not printed by that word', async (_words, uuid) => {
    const one = terminalStage({ ...inDoubt });
    await one.tap(alice);
    one.terminal.tell({ type: 'print-again', ...of(one, uuid) });
    one.terminal.tell({ type: 'it-is-there', ...of(one, uuid) });
    await one.turn();
    expect([released(one), one.confirmed, one.state()]).toEqual([[], [], 'choosing']);
  });

  it('that the person found counts so, is deleted, and leaves the list', async () => {
    const one = terminalStage({ ...inDoubt });
    await one.tap(alice);
    one.terminal.tell({ type: 'it-is-there', ...of(one, 'one') });
    one.terminal.tell({ type: 'it-is-there', ...of(one, 'one') });
    await one.turn();
    expect([one.confirmed, one.removed]).toEqual([['r1'], ['one']]);
    expect(one.terminal.view.current().mayHavePrinted).toBeUndefined();
    expect(one.log.records('release confirmed by a person')).toMatchObject([{ releaseId: 'r1' }]);
    expect(one.sentence()).toBe('Hold your card to the reader again to print.');
  });

  it('that the person found stays at the service until the ledger is durable (B.1)', async () => {
    const onDisk = Promise.withResolvers<void>();
    const one = terminalStage({ ...inDoubt, durable: onDisk.promise });
    await one.tap(alice);
    one.terminal.tell({ type: 'it-is-there', ...of(one, 'one') });
    await one.turn();
    expect([one.confirmed, one.removed]).toEqual([['r1'], []]);
    onDisk.resolve();
    await one.turn();
    expect(one.removed).toEqual(['one']);
  });

  it('that another terminal is printing once more by now is left alone', async () => {
    const standings: Record<string, Standing> = { one: 'may-have-printed' };
    const one = terminalStage({ standings, last });
    await one.tap(alice);
    standings['one'] = 'in-progress';
    one.terminal.tell({ type: 'it-is-there', ...of(one, 'one') });
    await one.turn();
    expect([one.confirmed, one.removed]).toEqual([[], []]);
  });

  it('that the person found stays in the cloud where documents are kept', async () => {
    const one = terminalStage({ ...inDoubt, finish: 'keep' });
    await one.tap(alice);
    one.terminal.tell({ type: 'it-is-there', ...of(one, 'one') });
    await one.turn();
    expect([one.confirmed, one.removed]).toEqual([['r1'], []]);
  });

  it('that was printed for certain and is listed all the same needs no confirmation to be deleted', async () => {
    const one = terminalStage({ ...inDoubt, last: { ...last, state: 'CONFIRMED' } });
    await one.tap(alice);
    one.terminal.tell({ type: 'it-is-there', ...of(one, 'one') });
    await one.turn();
    expect([one.confirmed, one.removed]).toEqual([[], ['one']]);
  });

  it('stays in doubt, and in the cloud, when the ledger cannot take the word (D8)', async () => {
    const confirm = new Problem('store-refused', 'the disk is full');
    const one = terminalStage({ ...inDoubt, confirm });
    await one.tap(alice);
    one.terminal.tell({ type: 'it-is-there', ...of(one, 'one') });
    await one.turn();
    expect([one.removed, one.state()]).toEqual([[], 'choosing']);
    expect(one.log.records('confirmation refused')).toHaveLength(1);
  });
});

describe('a choice on the screen', () => {
  it('releases those documents in the order of the list, ignores others, and lets choose again', async () => {
    const one = terminalStage({ documents });
    await one.tap(alice);
    const { generation } = one.terminal.view.current();
    one.terminal.tell({ type: 'release', generation, documentUuids: ['three', 'nowhere', 'one'] });
    await one.turn();
    expect(released(one)).toEqual(['one', 'three']);
    expect(one.log.records('choice ignored')).toMatchObject([{ documents: 1 }]);
    one.ends.get('one')?.();
    one.ends.get('three')?.();
    await one.turn();
    expect([one.state(), one.closed(), one.log.records('session opened').length]).toEqual([
      'choosing',
      [],
      1,
    ]);
  });

  it('of nothing that may be released changes nothing, and is recorded', async () => {
    const one = terminalStage({ documents, standings: { one: 'in-progress' } });
    await one.tap(alice);
    const { generation } = one.terminal.view.current();
    one.terminal.tell({ type: 'release', generation, documentUuids: ['one', 'nowhere'] });
    one.terminal.tell({ type: 'release', generation: generation - 1, documentUuids: ['two'] });
    await one.turn();
    expect([released(one), one.state()]).toEqual([[], 'choosing']);
    expect(one.log.records('choice ignored')).toHaveLength(2);
  });

  it('made while others print is printed after them, once', async () => {
    const one = terminalStage({ documents });
    await one.tap(alice);
    const { generation } = one.terminal.view.current();
    one.terminal.tell({ type: 'release', generation, documentUuids: ['one'] });
    one.terminal.tell({ type: 'release', generation, documentUuids: ['one', 'two'] });
    await one.turn();
    expect(released(one)).toEqual(['one', 'two']);
  });

  it('to log out ends the session; what prints goes on, and an older page says it in vain', async () => {
    const one = terminalStage({ documents });
    await one.tap(alice);
    const { generation } = one.terminal.view.current();
    one.terminal.tell({ type: 'release', generation, documentUuids: ['one'] });
    one.terminal.tell({ type: 'log-out', generation: generation - 1 });
    await one.turn();
    expect(one.closed()).toEqual([]);
    one.terminal.tell({ type: 'log-out', generation });
    await one.turn();
    expect([one.closed(), one.state()]).toEqual([['logout'], 'prompting']);
  });
});

describe('a person whose turn at the printer has not come', () => {
  it('reads that another document is being printed, and how many come first', async () => {
    const one = terminalStage({ autoRelease: true });
    await one.tap(alice);
    const [place] = one.places;
    const sentences = [3, 1, 0].map((before) => {
      place?.(before);
      return one.sentence();
    });
    expect(sentences).toEqual([
      '3 other documents are printed at this printer before yours.',
      'Another document is being printed at this printer. Yours comes next.',
      'Printing. Please wait for your pages.',
    ]);
  });

  it('may go: the release stays, and the next person reads nothing of it', async () => {
    const one = terminalStage({ autoRelease: true });
    await one.tap(alice);
    one.places[0]?.(1);
    await one.tap(bob);
    one.places[0]?.(2);
    expect(one.sentence()).toBe('Printing. Please wait for your pages.');
    expect(one.tickets).toHaveLength(4);
  });
});
