import { describe, expect, it } from 'vitest';
import type { DocumentView } from '../../../src/domain/terminal/terminal-view.ts';
import type { ChoiceStep } from '../../../src/kiosk/page/choice.ts';
import { choose, noChoice, remaining, shown } from '../../../src/kiosk/page/choice.ts';
import { billOf } from '../../../src/kiosk/page/words/money.ts';

const documentOf = (uuid: string, more: Partial<DocumentView> = {}): DocumentView => ({
  uuid,
  name: uuid,
  pages: 1,
  copies: 1,
  color: false,
  sides: undefined,
  standing: 'releasable',
  ...more,
});
const after = (...steps: readonly ChoiceStep[]) => steps.reduce(choose, noChoice);
const names = (documents: readonly DocumentView[]) => documents.map(({ name }) => name);

describe('the choice', () => {
  const documents = [
    documentOf('a', { name: 'Übung 10', pages: 3 }),
    documentOf('b', { name: 'Übung 9', pages: 1 }),
    documentOf('c', { name: 'Abgabe', pages: undefined }),
  ];

  it('ticks, and unticks what is ticked', () => {
    expect([...after({ type: 'toggle', uuid: 'a' }, { type: 'toggle', uuid: 'b' }).selected]).toEqual([
      'a',
      'b',
    ]);
    expect([...after({ type: 'toggle', uuid: 'a' }, { type: 'toggle', uuid: 'a' }).selected]).toEqual([]);
  });

  it('orders names as the language does, and numbers in them by their size', () => {
    expect(names(shown(documents, after({ type: 'order', order: 'name' }), 'de'))).toEqual([
      'Abgabe',
      'Übung 9',
      'Übung 10',
    ]);
  });

  it('orders by pages, unknown ones first', () => {
    expect(names(shown(documents, after({ type: 'order', order: 'pages' }), 'de'))).toEqual([
      'Abgabe',
      'Übung 9',
      'Übung 10',
    ]);
  });

  it('orders by when they were sent, the newest first and unknown ones last', () => {
    const sent = (uuid: string, sentAt?: string) => documentOf(uuid, sentAt === undefined ? {} : { sentAt });
    const list = [
      sent('unknown'),
      sent('old', '2026-03-01T09:00:00Z'),
      sent('new', '2026-03-01T09:00:01Z'),
      sent('as old', '2026-03-01T09:00:00Z'),
    ];
    expect(names(shown(list, after({ type: 'order', order: 'newest' }), 'en'))).toEqual([
      'new',
      'old',
      'as old',
      'unknown',
    ]);
  });

  it('adds to what is ticked, and takes away from it', () => {
    const ticked = after({ type: 'toggle', uuid: 'a' }, { type: 'tick', uuids: ['b', 'c'] });
    expect([...ticked.selected]).toEqual(['a', 'b', 'c']);
    expect([...choose(ticked, { type: 'untick', uuids: ['a', 'c'] }).selected]).toEqual(['b']);
  });

  it.each([
    ['ubung', ['Übung 10', 'Übung 9']],
    ['ＡＢＧ', ['Abgabe']],
    ['Ａbgábe', ['Abgabe']],
  ])('finds by %s, whatever marks and widths its letters have', (query, found) => {
    expect(names(shown(documents, after({ type: 'search', query }), 'de'))).toEqual(found);
  });

  it('finds İstanbul by istanbul and by ISTANBUL, in Turkish too', () => {
    const list = [documentOf('a', { name: 'İstanbul' })];
    for (const query of ['istanbul', 'ISTANBUL'])
      expect(shown(list, after({ type: 'search', query }), 'tr')).toHaveLength(1);
  });

  it('finds a part of the name, in capital letters or small ones', () => {
    expect(names(shown(documents, after({ type: 'search', query: ' üBUNG ' }), 'de'))).toEqual([
      'Übung 10',
      'Übung 9',
    ]);
  });

  it('counts no more what is being deleted, unticks it, leaves it in the list, and brings it back', () => {
    const deleting = after({ type: 'toggle', uuid: 'a' }, { type: 'delete', uuid: 'a' });
    expect(names(remaining(documents, deleting))).toEqual(['Übung 9', 'Abgabe']);
    expect(names(shown(documents, deleting, 'de'))).toHaveLength(3);
    expect(deleting.selected.size).toBe(0);
    expect(remaining(documents, choose(deleting, { type: 'undo', uuid: 'a' }))).toHaveLength(3);
  });

  it('hides what was deleted until the terminal refuses', () => {
    const sent = after(
      { type: 'delete', uuid: 'a' },
      { type: 'delete-sent', uuids: ['a'] },
      { type: 'undo', uuid: 'a' },
    );
    expect(remaining(documents, sent)).toHaveLength(2);
    expect(remaining(documents, choose(sent, { type: 'delete-refused', uuids: ['a'] }))).toHaveLength(3);
  });
});

describe('the bill', () => {
  const priced = (...costs: readonly (string | undefined)[]) =>
    costs.map((cost, place) => documentOf(`document-${place}`, cost === undefined ? {} : { cost }));

  it.each<
    [
      costs: readonly (string | undefined)[],
      balance: string | undefined,
      cost: string | undefined,
      fitting: number,
    ]
  >([
    [['0.10', '0.20'], '0.30', '0.30', 2],
    [['0.10', '0.20'], '0.29', '0.30', 1],
    [['5.00', '0.20'], '1.00', '5.20', 1],
    [['5.00'], undefined, '5.00', 1],
    [[undefined, undefined], '0.00', undefined, 2],
    // A sum that lacks a price would be too low.
    [[undefined, '0.01'], '0.00', undefined, 1],
    [['-1.00', '0.50'], '0.00', '-0.50', 2],
    [[], '3.00', undefined, 0],
  ])('of %j against %s is %s, and %i fit', (costs, balance, cost, fitting) => {
    const bill = billOf(priced(...costs), balance);
    expect([bill.cost, bill.fitting.length, bill.isEnough]).toEqual([
      cost,
      fitting,
      fitting === costs.length,
    ]);
  });
});
