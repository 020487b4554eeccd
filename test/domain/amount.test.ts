/** Money as exact decimals: INVARIANTS.md B.4, 4 Balance. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Amount } from '../../src/domain/amount.ts';
import { parseAmount, plus, printAmount } from '../../src/domain/amount.ts';

const amount = (text: string): Amount => {
  const parsed = parseAmount(text);
  if (parsed === undefined) throw new Error(`${text} is no amount`);
  return parsed;
};

describe('an amount', () => {
  it.each([
    ['0', '0.00'],
    ['-0', '0.00'],
    ['0e99', '0.00'],
    ['3.2', '3.20'],
    ['3.200', '3.20'],
    ['007', '7.00'],
    ['-12.005', '-12.005'],
    ['0.30000000000000004', '0.30000000000000004'],
    ['0.5000000000000000000000000000000', '0.50'],
    ['1e2', '100.00'],
    ['1.5E+1', '15.00'],
    ['25e-3', '0.025'],
    ['1000000000000000000e-18', '1.00'],
    ['1e-18', '0.000000000000000001'],
    ['999999999999999999.99', '999999999999999999.99'],
  ])('is read from %s and printed as %s', (text, printed) => {
    expect(printAmount(amount(text))).toBe(printed);
  });

  it.each([
    '',
    ' ',
    'NaN',
    'Infinity',
    '-Infinity',
    '1e400',
    '1e-400',
    '1e9999',
    '0x10',
    '1_000',
    '1,50',
    '+1',
    '.5',
    '1.',
    ' 1',
    '1\n',
    '--1',
    '1e',
    '1e1.5',
    '٣',
    '1e18',
    '1e-19',
    '1'.repeat(40),
    `0.${'1'.repeat(40)}`,
  ])('is not read from %j', (text) => {
    expect(parseAmount(text)).toBeUndefined();
  });

  it('has no rounding: 0.1 and 0.2 are 0.3 (B.4, 4)', () => {
    expect(plus(amount('0.1'), amount('0.2'))).toBe(amount('0.3'));
    expect(amount('0.3') < amount('0.30000000000000004')).toBe(true);
  });
});

const cents = fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n });
const inCents = (count: bigint): Amount => amount(`${count}e-2`);

it('adds and compares as whole cents do', () => {
  fc.assert(
    fc.property(cents, cents, (a, b) => {
      expect(plus(inCents(a), inCents(b))).toBe(inCents(a + b));
      expect(inCents(a) < inCents(b)).toBe(a < b);
    }),
  );
});

it('is itself again after it was printed and read', () => {
  const text = fc
    .tuple(cents, fc.integer({ min: -18, max: 0 }))
    .map(([digits, exponent]) => `${digits}e${exponent}`);
  fc.assert(
    fc.property(text, (one) => {
      expect(amount(printAmount(amount(one)))).toBe(amount(one));
    }),
  );
});

it('is read from any text as the number it is, or not at all (G7)', () => {
  const loose = fc.stringMatching(/^[-+.eE0-9]{0,24}$/);
  fc.assert(
    fc.property(fc.oneof(loose, fc.string()), (text) => {
      const parsed = parseAmount(text);
      return parsed === undefined || Number(printAmount(parsed)) - Number(text) === 0;
    }),
  );
});
