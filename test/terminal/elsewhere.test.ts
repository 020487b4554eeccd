/** What other gateways of the fleet have of a person's documents, and what the person can do about it (F5). */
import { describe, expect, it } from 'vitest';
import type { HeldElsewhere } from '../../src/domain/ports/claims.ts';
import { forgottenRelease } from '../../src/domain/release.ts';
import { alice, terminalStage } from '../support/terminal/terminal-stage.ts';

const at = '2026-11-21T11:59:00.000Z';
const held = (how: HeldElsewhere['how']): HeldElsewhere => ({ releaseId: 'r9', place: 'Entrance', at, how });
const having = (how: HeldElsewhere['how'], more: Parameters<typeof terminalStage>[0] = {}) =>
  terminalStage({ elsewhere: { one: held(how) }, canBeAsked: true, ...more });

type Stage = ReturnType<typeof terminalStage>;
const standings = ({ terminal }: Stage) =>
  (terminal.view.current().documents ?? []).map(({ uuid, standing, why, place }) => [
    uuid,
    standing,
    ...(why === undefined ? [] : [why, place]),
  ]);
const of = ({ terminal }: Stage, documentUuid: string) => ({
  generation: terminal.view.current().generation,
  documentUuid,
});

describe('a document that another gateway', () => {
  it('prints is shown with the place, and offers nothing', async () => {
    const one = having('in-progress');
    await one.tap(alice);
    expect(standings(one)).toEqual([
      ['two', 'releasable'],
      ['one', 'unavailable', 'being-printed-elsewhere', 'Entrance'],
    ]);
    expect(one.sentence()).toContain('One document is being printed at Entrance.');
    one.terminal.tell({ type: 'print-again', ...of(one, 'one') });
    one.terminal.tell({ type: 'it-is-there', ...of(one, 'one') });
    await one.tap(alice);
    expect(one.tickets.map(({ document }) => document.uuid)).toEqual(['two']);
  });

  it('may have printed is asked about, and the person is sent there first', async () => {
    const one = having('may-have-printed');
    await one.tap(alice);
    expect(one.sentence()).toContain('One document may have printed at Entrance: look there first.');
    expect(one.terminal.view.current().mayHavePrinted).toEqual([
      { documentUuid: 'one', at, place: 'Entrance' },
    ]);
    one.terminal.tell({ type: 'print-again', ...of(one, 'one') });
    await one.turn();
    expect(one.tickets).toMatchObject([{ document: { uuid: 'one' }, again: 'r9', isAgainElsewhere: true }]);
  });

  it('may have printed, as nobody can tell who has forgotten, is asked about with the truth (F9)', async () => {
    const forgotten: HeldElsewhere = { releaseId: forgottenRelease, at, how: 'may-have-printed' };
    const one = having('printed', { elsewhere: { one: forgotten } });
    await one.tap(alice);
    expect(one.sentence()).toContain(
      'The other printers are being asked. Print it if you know that it did not come out.',
    );
    expect(one.sentence()).not.toContain('tray');
    expect(one.terminal.view.current().mayHavePrinted).toEqual([
      { documentUuid: 'one', at, isAskedFor: true },
    ]);
  });

  it('printed is asked about likewise, and is told apart', async () => {
    const one = having('printed');
    await one.tap(alice);
    expect(one.sentence()).toContain('One document was printed at Entrance.');
    expect(one.terminal.view.current().mayHavePrinted).toEqual([
      { documentUuid: 'one', at, place: 'Entrance', isPrinted: true },
    ]);
  });

  it('printed and was to delete is deleted at the login here, and offers nothing', async () => {
    const owed: HeldElsewhere = { ...held('printed'), deletionOwed: true };
    const one = having('printed', { elsewhere: { one: owed } });
    await one.tap(alice);
    expect(standings(one)).toEqual([
      ['two', 'releasable'],
      ['one', 'unavailable', 'already-printed', 'Entrance'],
    ]);
    expect(one.removed).toEqual(['one']);
    const kept = having('printed', { elsewhere: { one: owed }, finish: 'keep' });
    await kept.tap(alice);
    expect(kept.removed).toEqual([]);
  });

  it('printed may be printed here without a word where documents are kept', async () => {
    const one = having('printed', { finish: 'keep' });
    await one.tap(alice);
    expect(standings(one)).toEqual([
      ['one', 'releasable'],
      ['two', 'releasable'],
    ]);
  });

  it('may have printed leaves the service when its person found the pages; this ledger has no word about it', async () => {
    const one = having('may-have-printed');
    await one.tap(alice);
    one.terminal.tell({ type: 'it-is-there', ...of(one, 'one') });
    await one.turn();
    expect([one.found, one.removed, one.confirmed]).toEqual([[['one', 'r9']], ['one'], []]);
  });
});

it('what this gateway has in hand itself is its own', async () => {
  const one = having('may-have-printed', { standings: { one: 'in-progress' } });
  await one.tap(alice);
  expect(standings(one)).toContainEqual(['one', 'unavailable', 'being-printed', undefined]);
});

it('the claim of another gateway is the last word, also where this one printed the document before', async () => {
  const one = having('in-progress', {
    standings: { one: 'may-have-printed' },
    last: { releaseId: 'r1', state: 'UNKNOWN', deletionOwed: false },
  });
  await one.tap(alice);
  expect(standings(one)).toContainEqual(['one', 'unavailable', 'being-printed-elsewhere', 'Entrance']);
});
