import { expect, it } from 'vitest';
import { explainFormat, formatCard } from '../../../src/domain/card/format.ts';
import { parseCardRule } from '../../../src/domain/card/rule-text.ts';
import { CardNumber } from '../../../src/domain/card/card-number.ts';

const both = { decimal: true, trim: true };

it.each([
  // The vectors of src/cloud/README.md 9.
  ['1000AB', { decimal: true, trim: false }, '1048747'],
  ['946EBD28', { decimal: true, trim: false }, '2490285352'],
  ['A4BC', { decimal: true, trim: false }, '42172'],
  ['529D06E3', { decimal: true, trim: false }, '1386022627'],
  ['80A1B2C3D4E5F6', { decimal: true, trim: false }, '36206586180724214'],
  ['00001234', { decimal: true, trim: false }, '4660'],
  ['0000A4BC', { decimal: false, trim: true }, 'A4BC'],
  ['0012', both, '18'],
  ['000', { decimal: false, trim: true }, '0'],
  ['0', both, '0'],
  ['00XY', both, 'XY'],
  ['XYZ-1', { decimal: true, trim: false }, 'XYZ-1'],
  ['0A', { decimal: false, trim: false }, '0A'],
])('%s as %j is %s (rows 22 and 23)', (read, format, stored) => {
  expect(formatCard(new CardNumber(read), format).reveal()).toBe(stored);
});

it('the rule comes first, then decimal, then trim; each that changes something is told', () => {
  const format = { rule: parseCardRule('Substring(4)'), decimal: true, trim: true };
  expect(formatCard(new CardNumber('00FF99'), format).reveal()).toBe('255');
  expect(explainFormat('0012', { decimal: false, trim: true })).toEqual({
    steps: [{ rule: 'trim', output: '12' }],
    output: '12',
  });
});

it('a number that the rule does not fit is a problem that does not name it (I5)', () => {
  const format = { rule: parseCardRule('Hex2Dec'), decimal: false, trim: false };
  const problem = caught(() => formatCard(new CardNumber('XYZ-99'), format));
  expect(problem).toMatchObject({
    code: 'card-not-convertible',
    message: 'Hex2Dec needs hexadecimal digits, 0 to F',
    person: 'This card cannot be read here.',
  });
});

function caught(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}
