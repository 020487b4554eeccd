/** `kiosk.currency` and a terminal's `place`: what a screen says of itself besides. */
import { expect, it } from 'vitest';
import { currency } from '../../src/config/schema/kiosk.ts';
import { place } from '../../src/config/schema/terminal.ts';

it.each(['EUR', 'JPY', undefined])('%s is a currency', (code) => {
  expect(currency.parse(code)).toBe(code);
});

it.each(['Euro', 'eur', '€', ''])('%j is a mistake that says what to write', (code) => {
  expect(currency.safeParse(code).error?.issues.map(({ message }) => message)).toEqual([
    'must be the code of a currency (ISO 4217), for example EUR',
  ]);
});

it.each(['', 'here\nthere', 'x'.repeat(81)])('%j is no place', (text) => {
  expect(place.safeParse(text).error?.issues.map(({ message }) => message)).toEqual([
    'must be one line of 1 to 80 characters',
  ]);
});
