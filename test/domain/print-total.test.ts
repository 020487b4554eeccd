/** How much a person is about to print. */
import { expect, it } from 'vitest';
import { isMany, totalOf } from '../../src/domain/print-total.ts';

const chosenPages = [
  { from: 3, to: 3 },
  { from: 5, to: 8 },
];

it('counts the pages of all copies, and of chosen pages only these', () => {
  const documents = [
    { pages: 48, copies: 2 },
    { pages: 48, copies: 3, chosenPages },
  ];
  expect(totalOf(documents)).toEqual({ documents: 2, pages: 111, isAtLeast: false });
  expect(isMany(totalOf([{ pages: 48, copies: 1, chosenPages }]), 5)).toBe(false);
  expect(isMany(totalOf([{ pages: 48, copies: 1 }]), 5)).toBe(true);
});

it('takes a document whose pages nobody told for one page, and says that it may be more', () => {
  expect(totalOf([{ pages: undefined, copies: 2 }])).toEqual({ documents: 1, pages: 2, isAtLeast: true });
});
