import { expect, it } from 'vitest';
import { createShapeWatch, shapeOf } from '../../../src/domain/card/shape.ts';
import { CardNumber } from '../../../src/domain/card/card-number.ts';

const hexCards = Array.from({ length: 12 }, (_, index) => `04A1B2C${index.toString(16).toUpperCase()}`);
const longCards = ['36206586180724214', '36206586180724215', '36206586180724216', '36206586180724217'];

function shapesOf(...numbers: readonly string[]) {
  const watch = createShapeWatch();
  return numbers.map((number) => watch.saw(new CardNumber(number)));
}

it.each([
  ['00120', '5 decimal digits'],
  ['04A1', '4 hexadecimal digits'],
  ['X-1', '3 characters'],
])('%s is %s', (number, shape) => {
  expect(shapeOf(new CardNumber(number))).toBe(shape);
});

it('three other cards in a row that look otherwise than all before are a change, until one looks as before', () => {
  const change = { before: ['8 hexadecimal digits'], now: '17 decimal digits' };
  expect(shapesOf(...hexCards, ...longCards, '04FFFFFF').slice(-5)).toEqual([
    undefined,
    undefined,
    change,
    change,
    'usual',
  ]);
});

it('one card held to the reader three times is none', () => {
  const [card = ''] = longCards;
  expect(shapesOf(...hexCards, card, card, card).slice(-3)).toEqual([undefined, undefined, undefined]);
});

it('a second kind of card, between the others, becomes usual', () => {
  const [first = '', ...rest] = longCards;
  expect(shapesOf(...hexCards, first, '04FFFFFF', ...rest).slice(-3)).toEqual(['usual', 'usual', 'usual']);
});

it('a hexadecimal number without a letter is usual among others', () => {
  expect(shapesOf(...hexCards, '04112233').at(-1)).toBe('usual');
});

it('of a reader that has read little, nothing is said', () => {
  expect(shapesOf(...hexCards.slice(0, 3), ...longCards)).not.toContain(undefined);
});
