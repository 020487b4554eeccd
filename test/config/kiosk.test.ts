/** `kiosk.support`, where the QR code of a terminal out of service leads, and what a screen says of itself. */
import { describe, expect, it } from 'vitest';
import { currency, support, supportAddress } from '../../src/config/schema/kiosk.ts';
import { place } from '../../src/config/schema/terminal.ts';

describe('the address of `kiosk.support`', () => {
  it.each([
    ['https://help.example/{terminal}?code={reference}', 'https://help.example/lobby%2F1?code=7K3QF2'],
    [
      'mailto:help@example.org?subject={terminal}%20{reference}',
      'mailto:help@example.org?subject=lobby%2F1%207K3QF2',
    ],
  ])('%s leads to %s', (template, address) => {
    expect(support.parse(template)).toBe(template);
    expect(supportAddress(template, { terminal: 'lobby/1', reference: '7K3QF2' })).toBe(address);
  });

  it('may be left out', () => {
    expect(support.parse(undefined)).toBeUndefined();
  });

  it.each([
    ['http://help.example/{reference}', 'must be an https:// or mailto: address'],
    ['javascript:alert({reference})', 'must be an https:// or mailto: address'],
    ['help desk, {reference}', 'must be an https:// or mailto: address'],
    ['https://help.example/', 'must contain {reference}, which leads to the reason in the log'],
    [
      'https://help.example/{reference}/{user}',
      'may contain only the placeholders {reference} and {terminal}',
    ],
    [
      `https://help.example/{reference}${'x'.repeat(300)}`,
      'must be at most 300 characters. A phone cannot read a larger code from a screen',
    ],
  ])('%s is a mistake: %s', (template, mistake) => {
    expect(support.safeParse(template).error?.issues.map(({ message }) => message)).toEqual([mistake]);
  });
});

/** `kiosk.currency` and a terminal's `place`: what a screen says of itself besides. */
describe('what a screen says of itself', () => {
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
});
