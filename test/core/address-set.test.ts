import { expect, it } from 'vitest';
import { AddressSet } from '../../src/core/address-set.ts';

const set = new AddressSet(['10.0.0.21', '10.0.7.0/24', 'fd00::/8', '::1']);

it.each(['10.0.0.21', '10.0.7.0', '10.0.7.255', 'fd12::1', '::1'])('has %s', (address) => {
  expect(set.has(address)).toBe(true);
});

it.each(['10.0.0.22', '10.0.8.0', '::2', '::ffff:10.0.0.21', 'localhost', ''])('has no %j', (address) => {
  expect(set.has(address)).toBe(false);
});

it('of nothing has nothing', () => {
  expect(new AddressSet([]).has('127.0.0.1')).toBe(false);
});
