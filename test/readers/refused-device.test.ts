import { expect, it } from 'vitest';
import { whyRefused } from '../../src/readers/device-node.ts';

it.each([
  ['EPERM', /^is there, but platen\.service may not open it \(EPERM\)\..*systemctl restart platen/],
  ['EACCES', /^may not be opened by this user/],
])('a device that is there and not opened says why: %s', (code, words) => {
  expect(whyRefused(code)).toMatch(words);
});

it('what the system says of it stands where nothing can be added', () => {
  expect(whyRefused('ENXIO')).toBeUndefined();
});
