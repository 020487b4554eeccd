/**
 * Money and prices as exact decimals, never floats (INVARIANTS.md B.4, 4 Balance). An amount is a count of 10^-18 of
 * the account's unit, which the service does not name; native `<` and `===` compare two of them.
 */
declare const unit: unique symbol;
export type Amount = bigint & { readonly [unit]: 'amount' };

export const zero = 0n as Amount;

const scale = 18;
/** Digits before the point. Together with the scale they limit the amounts that are accepted as money. */
const mostWholeDigits = 18;

const decimal = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:[eE](?<exponent>[+-]?\d{1,3}))?$/;

/**
 * From decimal text as JSON spells a number (RFC 8259 section 6), an exponent included. `undefined` if the text is no
 * finite decimal, or has more than 18 digits before or behind the point.
 */
export function parseAmount(text: string): Amount | undefined {
  const match = decimal.exec(text);
  if (!match?.groups) return undefined;
  const { sign = '', whole = '', fraction = '', exponent = '0' } = match.groups;
  const significant = (whole + fraction).replace(/0+$/, '');
  const digits = significant.replace(/^0+/, '');
  if (digits === '') return zero;
  // The power of ten that the last significant digit stands for, and the place of the first one.
  const last = whole.length - significant.length + Number(exponent);
  if (last < -scale || digits.length + last > mostWholeDigits) return undefined;
  const units = BigInt(digits) * 10n ** BigInt(last + scale);
  return (sign === '-' ? -units : units) as Amount;
}

export const plus = (a: Amount, b: Amount): Amount => (a + b) as Amount;

/** With all its decimals, at least two: `3.20`, `-0.005`. */
export function printAmount(amount: Amount): string {
  const sign = amount < 0n ? '-' : '';
  const digits = String(amount)
    .slice(sign.length)
    .padStart(scale + 1, '0');
  const fraction = digits.slice(-scale).replace(/0+$/, '').padEnd(2, '0');
  return `${sign}${digits.slice(0, -scale)}.${fraction}`;
}
