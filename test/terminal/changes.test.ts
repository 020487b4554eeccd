/** A person changes how their documents are printed: only what saves, and for this session (I3; src/cloud/README.md 12, row 36). */
import { describe, expect, it } from 'vitest';
import { parseAmount, zero } from '../../src/domain/amount.ts';
import type { Document } from '../../src/domain/document.ts';
import type { Chargeable } from '../../src/domain/ports/service.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { alice, bob, documentNamed, terminalStage } from '../support/terminal/terminal-stage.ts';

const plan: Partial<Document> = { totalPages: 4, colorPages: 4, copies: 3, sides: 'one-sided' };
const saving = { copies: 1, color: false, sides: 'two-sided-long-edge' } as const;
const saved = { copies: 1, grayscale: true, sides: 'two-sided-long-edge' } as const;
const changed = { copies: 1, grey: true, twoSided: true };

function standWith(more: Parameters<typeof terminalStage>[0] = {}) {
  const documents = [documentNamed('one', plan), documentNamed('two', plan)];
  const at = terminalStage({ documents, ...more });
  const { terminal, generation } = at;
  return {
    ...at,
    change: (documentUuid: string, wanted: Partial<typeof saving> = saving) =>
      terminal.tell({ type: 'change', generation: generation(), documentUuid, ...saving, ...wanted }),
    shown: () => terminal.view.current().documents ?? [],
    ignored: () => at.log.records('choice ignored').length,
  };
}

describe('a change', () => {
  it('is shown, and is what a finger releases; the other document stays as it was sent', async () => {
    const { tap, change, shown, terminal, generation, tickets } = standWith();
    await tap(alice);
    change('one');
    expect(shown()).toMatchObject([
      { uuid: 'one', ...saving, options: { grey: true, twoSided: true, mostCopies: 99 } },
      { uuid: 'two', copies: 3, color: true, sides: 'one-sided' },
    ]);
    terminal.tell({ type: 'release', generation: generation(), documentUuids: ['one', 'two'] });
    expect(tickets).toMatchObject([{ document: saved, changed }, { document: plan }]);
    expect(tickets[1]?.changed).toBeUndefined();
    expect(shown().map(({ options, standing }) => [options, standing])).toEqual([
      [undefined, 'printing'],
      [undefined, 'printing'],
    ]);
  });

  it('to black and white is asked the price of where the balance does not do, and told where that would', async () => {
    const asked: string[] = [];
    const quote = async ({ document, monochrome }: Chargeable) => {
      asked.push(`${document.uuid} ${monochrome || document.grayscale ? 'grey' : 'as sent'}`);
      const cost =
        parseAmount(document.uuid === 'one' && (monochrome || document.grayscale) ? '1' : '4') ?? zero;
      return { cost, balance: parseAmount('3') ?? zero, isSufficient: document.uuid === 'one' && monochrome };
    };
    const { tap, turn, shown } = standWith({ quote });
    await tap(alice);
    for (let times = 0; times < 4; times += 1) await turn();
    expect(asked).toEqual(['one as sent', 'one grey', 'two as sent', 'two grey']);
    expect(shown().map(({ cost, fits, fitsInGrey }) => [cost, fits, fitsInGrey])).toEqual([
      ['4.00', false, true],
      ['4.00', false, undefined],
    ]);
  });

  it('is what the second badge releases', async () => {
    const { tap, change, tickets } = standWith();
    await tap(alice);
    change('two');
    await tap(alice);
    expect(tickets).toMatchObject([{ document: plan }, { document: saved, changed }]);
  });

  it('goes with a document that is printed again', async () => {
    const at = standWith({
      standings: { one: 'may-have-printed' },
      last: { releaseId: '5'.repeat(32), state: 'UNKNOWN', deletionOwed: false },
    });
    await at.tap(alice);
    at.change('one');
    at.terminal.tell({ type: 'print-again', generation: at.generation(), documentUuid: 'one' });
    expect(at.tickets).toMatchObject([{ document: saved, changed, again: '5'.repeat(32) }]);
  });

  it('stays when the list comes anew, and can be taken back: then nothing is changed', async () => {
    const { tap, change, shown, ends, turn, terminal, generation, tickets } = standWith();
    await tap(alice);
    change('one');
    terminal.tell({ type: 'release', generation: generation(), documentUuids: ['two'] });
    ends.get('two')?.(new Problem('printer-refused-job', 'not today'));
    await turn();
    expect(shown()).toMatchObject([{ uuid: 'one', ...saving }, { uuid: 'two' }]);
    terminal.tell({
      type: 'change',
      generation: generation(),
      documentUuid: 'one',
      ...plan,
      color: true,
      copies: 3,
      sides: 'one-sided',
    });
    terminal.tell({ type: 'release', generation: generation(), documentUuids: ['one'] });
    expect(tickets.at(-1)).toMatchObject({ document: plan });
    expect(tickets.at(-1)?.changed).toBeUndefined();
  });

  it('of which the printer took the document is shown where it prints', async () => {
    const { tap, change, shown, terminal, generation } = standWith();
    await tap(alice);
    change('one');
    terminal.tell({ type: 'release', generation: generation(), documentUuids: ['one'] });
    expect(shown().find(({ uuid }) => uuid === 'one')).toMatchObject({ ...saving, standing: 'printing' });
  });

  it('goes with the session: nobody else finds it (I3)', async () => {
    const { tap, change, shown, tickets } = standWith();
    await tap(alice);
    change('one');
    await tap(bob);
    expect(shown()[0]).toMatchObject({ uuid: 'one', copies: 3, color: true });
    await tap(bob);
    expect(tickets).toMatchObject([{ document: plan }, { document: plan }]);
  });

  it('asks anew what the documents cost, as they are changed', async () => {
    const asked: Pick<Document, 'uuid' | 'copies' | 'grayscale'>[] = [];
    const quote = async ({ document: { uuid, copies, grayscale } }: Chargeable) => {
      asked.push({ uuid, copies, grayscale });
      const cost = parseAmount(`0.${copies}`) ?? zero;
      return { cost, balance: parseAmount('5') ?? zero, isSufficient: true };
    };
    const { tap, turn, change, shown } = standWith({ quote });
    await tap(alice);
    change('two');
    await turn();
    expect(asked.slice(-2)).toEqual([
      { uuid: 'one', copies: 3, grayscale: false },
      { uuid: 'two', copies: 1, grayscale: true },
    ]);
    expect(shown().map(({ cost }) => cost)).toEqual(['0.30', '0.10']);
  });
});

it('where all comes out grey nobody has asked for that, and what it costs is asked for so', async () => {
  const asked: boolean[] = [];
  const quote = async ({ monochrome }: Chargeable) => void asked.push(monochrome);
  const { tap, change, shown, terminal, generation, tickets } = standWith({ monochrome: true, quote });
  await tap(alice);
  expect(shown()[0]).toMatchObject({ color: false, options: { grey: false } });
  change('one');
  terminal.tell({ type: 'release', generation: generation(), documentUuids: ['one'] });
  expect(tickets).toMatchObject([{ monochrome: true, document: { ...saved, grayscale: false } }]);
  expect(tickets[0]?.changed).toEqual({ copies: 1, twoSided: true });
  expect(asked).not.toContain(false);
});

describe('nothing is changed, and that is recorded,', () => {
  const forbidden: readonly (readonly [string, string, object, Partial<Document>])[] = [
    ['by what would widen the colour', 'one', { color: true }, { grayscale: true }],
    ['by what would widen the sides', 'one', { sides: 'one-sided' }, { sides: 'two-sided-short-edge' }],
    ['by no copies', 'one', { copies: 0 }, {}],
    ['by a hundred', 'one', { copies: 100 }, {}],
    ['by one and a half', 'one', { copies: 1.5 }, {}],
    ['of a document of somebody else', 'nine', {}, {}],
    ['of one that is too long', 'one', {}, { totalPages: 5001 }],
    ['of one that is kept elsewhere', 'one', {}, { storageOnline: false }],
  ];
  it.each(forbidden)('%s', async (_what, uuid, wanted, facts) => {
    const document = documentNamed('one', { ...plan, ...facts });
    const { tap, change, shown, ignored } = standWith({ documents: [document] });
    await tap(alice);
    const before = shown();
    change(uuid, wanted);
    expect([shown(), ignored()]).toEqual([before, 1]);
  });

  it('in answer to an older view (D2), before a list is shown, and while documents print', async () => {
    const { tap, change, shown, terminal, generation, ignored } = standWith();
    change('one');
    await tap(alice);
    const before = shown();
    terminal.tell({ type: 'change', generation: generation() - 1, documentUuid: 'one', ...saving });
    expect(shown()).toEqual(before);
    terminal.tell({ type: 'release', generation: generation(), documentUuids: ['one'] });
    change('two');
    expect(shown()[0]).toMatchObject({ uuid: 'two', copies: 3, color: true });
    expect(ignored()).toBe(3);
  });
});

it('a list tells what it knows of a document, and why one cannot be had', async () => {
  const at = standWith({
    documents: [
      documentNamed('here', { ...plan, paperSize: 'A4', sentAt: '2026-11-21T11:58:00.000Z' }),
      documentNamed('elsewhere', { storageOnline: false }),
      documentNamed('long', { totalPages: 5001 }),
      documentNamed('many', { copies: 1000 }),
      documentNamed('taken'),
      documentNamed('done'),
    ],
    standings: { taken: 'in-progress', done: 'deletion-owed' },
  });
  await at.tap(alice);
  expect(at.shown()).toMatchObject([
    { uuid: 'here', paper: 'A4', sentAt: '2026-11-21T11:58:00.000Z', standing: 'releasable' },
    { uuid: 'elsewhere', standing: 'unavailable', why: 'stored-elsewhere' },
    { uuid: 'long', standing: 'unavailable', why: 'too-long' },
    { uuid: 'many', standing: 'unavailable', why: 'too-long' },
    { uuid: 'taken', standing: 'unavailable', why: 'being-printed' },
    { uuid: 'done', standing: 'unavailable', why: 'already-printed' },
  ]);
  expect(at.shown().map(({ options, why }) => [options !== undefined, why !== undefined])).toEqual([
    [true, false],
    ...Array.from({ length: 5 }, () => [false, true]),
  ]);
  await at.tap(alice);
  expect(at.tickets.map(({ document }) => document.uuid)).toEqual(['here']);
});
