/** The errorCodes of the spec (Errors 3 and 4) as named problems. */
import { describe, expect, it } from 'vitest';
import { meaningOf, sentenceOf } from '../../src/cloud/http/error-code.ts';

const published = [
  0, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 1015, 1016,
  1017, 1030, 1031, 1032, 1040, 1041, 1042, 1043, 1044, 1050, 1051, 1052, 1060, 1070, 1080, 1090, 10000,
];
const certificateDeletes = [1130, 1131, 1134, 1135];

describe('the error codes', () => {
  it.each([...published, ...certificateDeletes])(
    '%i has a name and a sentence for the operator',
    (errorCode) => {
      const { name, says } = meaningOf(errorCode);
      expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(name).not.toBe('unlisted-error');
      expect(says).toMatch(/^[A-Z].{20,120}\.$/);
      expect(sentenceOf(errorCode)).toBe(`error ${errorCode} (${name}): ${says}`);
    },
  );

  it('have names of their own', () => {
    const names = published.map((errorCode) => meaningOf(errorCode).name);
    expect(new Set(names).size).toBe(published.length);
  });

  it.each([
    [1000, 'not-implemented', 'cloud-feature-off'],
    [1042, 'output-not-ready', 'printer-not-ready'],
    [1051, 'license-expired', 'cloud-denied'],
    [1005, 'enroll-card-error', 'cloud-rejected'],
    [10000, 'unknown-error', 'cloud-busy'],
    [4711, 'unlisted-error', 'cloud-rejected'],
  ])('%i is %s and becomes %s', (errorCode, name, code) => {
    expect(meaningOf(errorCode)).toMatchObject({ name, code });
  });
});
