/** What a configuration may say of smart-card readers, and where. */
import { describe, expect, it } from 'vitest';
import { readersOfOtherSystems, withoutDistinction } from '../../src/config/doubtful-readers.ts';
import { outsideOf } from '../../src/config/outside.ts';
import { reader as readerIn, readerName } from '../../src/config/schema/reader.ts';

const readerSchema = readerIn(outsideOf('.', {}));

const pcsc = (settings: object = {}) => readerSchema.parse({ type: 'pcsc', ...settings });

const withReaders = (...readers: readonly object[]) => ({
  terminals: readers.map((one, at) => ({ id: `t${at}`, readers: [pcsc(one)] })),
});

describe('a smart-card reader in the configuration', () => {
  it('is any there is, and its card may be taken away', () => {
    const reader = pcsc();
    expect(reader).toEqual({ type: 'pcsc', removalEndsSession: false, silentAfterHours: 'off' });
    expect(readerName(reader)).toBe('pcsc');
  });

  it('is known by the name it is given', () => {
    expect(readerName(pcsc({ reader: 'ACS ACR122*' }))).toBe('pcsc ACS ACR122*');
  });

  it.each<[string, unknown]>([
    ['empty', ''],
    ['not to be printed', 'ACS\n'],
    ['longer than pcscd has them', 'A'.repeat(128)],
    ['no text', 7],
  ])('has no name that is %s', (_, reader) => {
    expect(readerSchema.safeParse({ type: 'pcsc', reader }).success).toBe(false);
  });

  it.each<[string, object, object, boolean]>([
    ['other names', { reader: 'ACS*' }, { reader: 'HID*' }, true],
    ['serial numbers', { reader: 'ACS ACR122U (A1) *' }, { reader: 'ACS ACR122U (A2) *' }, true],
    ['the same name', { reader: 'ACS*' }, { reader: 'ACS*' }, false],
    ['names that one reader can have', { reader: 'ACS*' }, { reader: '*PICC*' }, false],
    [
      'names that differ in their numbers only',
      { reader: 'ACS ACR122U 00 00' },
      { reader: 'ACS ACR122U 01 00' },
      false,
    ],
    ['no name for one of them', { reader: 'ACS*' }, {}, false],
  ])('and one at another terminal: with %s they can be told apart, or not', (_, one, other, can) => {
    const mistakes = withoutDistinction(withReaders(one, other)).map(({ path, message }) => [path, message]);
    const mistake = [
      ['terminals', 1, 'readers', 0],
      expect.stringMatching(/is the same smart-card reader as that of t0/),
    ];
    expect(mistakes).toEqual(can ? [] : [mistake]);
  });

  it.each<[NodeJS.Platform, number]>([
    ['linux', 0],
    ['freebsd', 0],
    ['darwin', 2],
    ['win32', 2],
  ])('on %s is refused %i times of two', (platform, times) => {
    const mistakes = readersOfOtherSystems(withReaders({ reader: 'A' }, { reader: 'B' }), platform);
    expect(mistakes).toHaveLength(times);
  });
});
