import { expect, it } from 'vitest';
import { patternMistake, searchFor } from '../../../src/domain/card/regex.ts';
import { patience } from '../../support/patience.ts';

it.each([
  String.raw`^0*(\d+)$`,
  '[0-9A-F]{8,14}',
  String.raw`^[^=]*=(.*)$`,
  '^(?:AB|CD)?([0-9]+)',
  '(?<number>[0-9A-F]+)[^0-9A-F]',
  String.raw`^\w*-(\d+)-`,
  '(?:AB){4}',
  '^.*:.*:(.*)',
])('%s may be used', (pattern) => {
  expect(patternMistake(pattern)).toBeUndefined();
});

it.each([
  ['(a+)+$', /must not repeat a group/],
  ['(a|a)*b', /must not repeat a group/],
  ['(?:a?){40}a{40}', /must not repeat a group/],
  ['((a*)b)*', /must not repeat a group/],
  ['.*.*.*x', /could search for too long/],
  ['^.*.*.*.*x', /could search for too long/],
  [`${'a?'.repeat(30)}${'a'.repeat(30)}`, /could search for too long/],
  ['^a|.*b.*c.*d', /could search for too long/],
  [String.raw`(a)\1`, /must not refer back/],
  [String.raw`(?<n>a)\k<n>`, /must not refer back/],
  ['(?=a)', /must not look ahead or behind/],
  ['(?<!a)b', /must not look ahead or behind/],
  ['[', /is not a regular expression/],
  ['a{2,1}', /is not a regular expression: numbers out of order/],
])('%s is refused', (pattern, mistake) => {
  expect(patternMistake(pattern)).toMatch(mistake);
});

it.each(['^.*:.*:.*:$', '.*-.*=$', `${'a?'.repeat(14)}b`])(
  '%s, among the slowest that may be used, is through with the worst number',
  (pattern) => {
    expect(patternMistake(pattern)).toBeUndefined();
    const search = searchFor(pattern);
    for (const number of ['a', ':', '-'].map((char) => char.repeat(256))) {
      const begin = performance.now();
      search(number);
      expect(performance.now() - begin).toBeLessThan(patience());
    }
  },
);
