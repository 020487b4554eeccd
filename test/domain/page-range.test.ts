/** Pages as people type them, and what a document with only these pages counts as. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { areInOrder, onlyPages, rangesIn, rangesText } from '../../src/domain/page-range.ts';
import { sampleDocument } from '../support/sample-ticket.ts';

const page = (number: number) => ({ from: number, to: number });

it.each([
  ['3', [page(3)]],
  ['3, 5-8', [page(3), { from: 5, to: 8 }]],
  [' 3 5 – 8 ', [page(3), { from: 5, to: 8 }]],
  ['3;5–8', [page(3), { from: 5, to: 8 }]],
  ['٣', undefined],
  ['8, 3', [page(3), page(8)]],
  ['5-8, 7-9, 10', [{ from: 5, to: 10 }]],
  ['1-12', [{ from: 1, to: 12 }]],
  [',3,', [page(3)]],
  ['3,,5', [page(3), page(5)]],
  ['3، 5', [page(3), page(5)]],
])('people who type “%s” mean %j', (typed, ranges) => {
  expect(rangesIn(typed, 12)).toEqual(ranges);
});

it.each([
  '',
  ' ',
  ',',
  '-',
  '0',
  '13',
  '3-13',
  '8-5',
  '5-',
  '-5',
  '1.5',
  '1-2-3',
  'all',
  '3a',
  '1e3',
  '9999999',
])('nothing is guessed where people type “%s”', (typed) => {
  expect(rangesIn(typed, 12)).toBeUndefined();
});

const typedNumbers = fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 9 })), {
  minLength: 1,
  maxLength: 8,
});

it('whatever is typed is in order, and reads back as the same pages', () => {
  fc.assert(
    fc.property(typedNumbers, (typed) => {
      const text = typed.map(([from, more]) => `${from}-${from + more}`).join(', ');
      const ranges = rangesIn(text, 60) ?? [];
      expect(areInOrder(ranges, 60)).toBe(true);
      expect(rangesIn(rangesText(ranges), 60)).toEqual(ranges);
      const wanted = new Set(
        typed.flatMap(([from, more]) => Array.from({ length: more + 1 }, (_, n) => from + n)),
      );
      expect(onlyPages(sampleDocument({ totalPages: 60 }), ranges).totalPages).toBe(wanted.size);
    }),
  );
});

it('all parts of a document together have all of its pages in colour, and no page is free', () => {
  const document = sampleDocument({ totalPages: 12, colorPages: 5 });
  const parts = [[page(1), { from: 5, to: 8 }], [{ from: 2, to: 4 }], [{ from: 9, to: 12 }]].map((ranges) =>
    onlyPages(document, ranges),
  );
  expect(parts.map(({ totalPages }) => totalPages)).toEqual([5, 3, 4]);
  expect(parts.reduce((sum, { colorPages = 0 }) => sum + colorPages, 0)).toBe(5);
});
