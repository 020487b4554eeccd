/** Which reader of pcscd a configuration means. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canNameOne, namesReader } from '../../src/domain/terminal/smart-card-reader.ts';

describe('the name of a smart-card reader', () => {
  it.each([
    ['ACS ACR122U PICC Interface', 'ACS ACR122U PICC Interface 00 00', true],
    ['ACS ACR122U PICC Interface 00 00', 'ACS ACR122U PICC Interface 01 00', true],
    ['ACS ACR122*', 'ACS ACR122U PICC Interface 00 00', true],
    ['*PICC*', 'ACS ACR122U PICC Interface 0A 01', true],
    ['*', 'ACS ACR122U PICC Interface 00 00', true],
    ['ACS ACR122', 'ACS ACR122U PICC Interface 00 00', false],
    ['acs*', 'ACS ACR122U PICC Interface 00 00', false],
    ['*SAM*', 'ACS ACR122U PICC Interface 00 00', false],
    ['ACS.*', 'ACS ACR122U', false],
  ])('%s: for %s it is %s', (pattern, name, fits) => {
    expect(namesReader(pattern, name)).toBe(fits);
  });

  it.each([
    ['ACS*', '*PICC*', true],
    ['ACS*', 'HID*', false],
    ['*A', '*B', false],
    ['A*C', 'AB*', true],
    ['ACS ACR122U 00 00', 'ACS ACR122U 01 00', true],
    ['**', '', true],
  ])('%s and %s: that one reader can have both is %s', (one, other, can) => {
    expect([canNameOne(one, other), canNameOne(other, one)]).toEqual([can, can]);
  });

  it('fits what came of the pattern by putting any text for each *', () => {
    const text = fc.stringMatching(/^[ABC]{0,4}$/);
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), fc.array(text), (parts, fillings) => {
        const name = parts.reduce((whole, part, at) => `${whole}${fillings[at - 1] ?? ''}${part}`);
        expect(namesReader(parts.join('*'), name)).toBe(true);
      }),
    );
  });
});
