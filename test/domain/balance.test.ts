/** Which of the chosen documents fit the balance. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Amount } from '../../src/domain/amount.ts';
import { parseAmount, plus, printAmount, zero } from '../../src/domain/amount.ts';
import type { Quote } from '../../src/domain/balance.ts';
import { fittingOf } from '../../src/domain/balance.ts';

const amount = (text: string): Amount => parseAmount(text) ?? zero;
const quote = (cost: string, balance = '3.20', isSufficient = true): Quote => ({
  cost: amount(cost),
  balance: amount(balance),
  isSufficient,
});
const fits = (...quotes: Quote[]) => fittingOf(quotes)?.costs.map((one) => one.fits);

describe('of the documents in their order', () => {
  it('each fits while those before it leave enough', () => {
    const fitting = fittingOf([quote('1.40'), quote('1.40'), quote('1.40')]);
    expect(fitting?.costs.map((one) => one.fits)).toEqual([true, true, false]);
    expect([fitting?.balance, fitting?.cost].map((one) => printAmount(one ?? zero))).toEqual([
      '3.20',
      '2.80',
    ]);
  });

  it('one that is too dear is skipped, and a cheaper one after it still fits', () => {
    expect(fits(quote('1.40'), quote('9'), quote('1.80'))).toEqual([true, false, true]);
  });

  it('the last may use up the balance to the last digit', () => {
    expect(fits(quote('0.1', '0.3'), quote('0.2', '0.3'))).toEqual([true, true]);
  });

  it('one that the service calls uncovered does not fit, whatever the numbers say', () => {
    expect(fits(quote('0.10', '3.20', false))).toEqual([false]);
  });

  it('the balance is what the service said last', () => {
    expect(fits(quote('1', '3'), quote('1', '1'))).toEqual([true, false]);
  });

  it('nothing is said where nothing was quoted', () => {
    expect(fittingOf([])).toBeUndefined();
  });
});

it('what fits never costs more than the balance, and skips nothing that would have fitted', () => {
  const cents = fc.bigInt({ min: 0n, max: 1000n });
  fc.assert(
    fc.property(fc.array(cents, { minLength: 1 }), cents, (costs, balance) => {
      const quotes = costs.map((cost) => quote(`${cost}e-2`, `${balance}e-2`));
      let spent = zero;
      for (const one of fittingOf(quotes)?.costs ?? []) {
        expect(one.fits).toBe(plus(spent, one.cost) <= amount(`${balance}e-2`));
        if (one.fits) spent = plus(spent, one.cost);
      }
      expect(fittingOf(quotes)?.cost).toBe(spent);
    }),
  );
});
