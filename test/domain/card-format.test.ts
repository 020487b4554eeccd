import { expect, it } from 'vitest';
import { formatCard } from '../../src/domain/card-format.ts';
import { CardNumber } from '../../src/domain/card.ts';

const both = { decimal: true, trim: true };

it.each([
  // The vectors of api-supplement.md 9.3.
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
