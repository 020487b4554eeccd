import { expect, it } from 'vitest';
import { didYouMean, nearWord } from '../../../src/core/text/near-word.ts';

const words = ['apiKey', 'authUrl', 'baseUrl', 'caFile', 'finish', 'serialNumber', 'id'];

it.each([
  ['apiKeys', 'apiKey'],
  ['apikey', 'apiKey'],
  ['finsh', 'finish'],
  ['baesUrl', 'baseUrl'],
  ['serialNumbre', 'serialNumber'],
  ['colour', undefined],
  ['x', undefined],
  ['', undefined],
])('%s is meant to be %s', (typed, meant) => {
  expect(nearWord(typed, words)).toBe(meant);
});

it('asks only where a word is near', () => {
  expect(didYouMean('loby', ['lobby', 'hall'])).toBe('; did you mean lobby?');
  expect(didYouMean('garage', ['lobby', 'hall'])).toBe('');
  expect(didYouMean('lobby', [])).toBe('');
});
