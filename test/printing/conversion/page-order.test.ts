/** In which order pages go out, where some of them alone are to. */
import { expect, it } from 'vitest';
import { needsOrder, pageOrder } from '../../../src/printing/conversion/page-order.ts';
import { conversion } from '../../support/printer/conversion-samples.ts';

const picked = [{ from: 7, to: 9 }];

it('picked pages go out in their order, and nothing else does', () => {
  const wanted = conversion({ picked });
  expect(needsOrder(wanted)).toBe(true);
  expect(pageOrder(12, wanted)).toEqual([7, 8, 9]);
  expect(pageOrder(12, conversion({ picked, sides: 'two-sided-long-edge' }))).toEqual([7, 8, 9]);
});

it('a finisher gets them the last one first, whole sheets each', () => {
  const order = 'reversed';
  expect(pageOrder(12, conversion({ picked, order }))).toEqual([9, 8, 7]);
  expect(pageOrder(12, conversion({ picked, order, sides: 'two-sided-long-edge' }))).toEqual([
    9,
    'blank',
    7,
    8,
  ]);
});
