/** Where other machines reach the operations listener, as its gate lets them in. */
import { expect, it } from 'vitest';
import { reachableAt } from '../../src/operations/reachable.ts';

const own = [
  { address: '127.0.0.1', internal: true },
  { address: '169.254.7.7', internal: false },
  { address: '10.0.0.5', internal: false },
];
const at = (host: string, hosts: readonly string[] = []) =>
  reachableAt({ listen: { host, port: 7381 }, hosts }, () => own);

it.each([
  ['127.0.0.1', [], null],
  ['::1', ['gw.example:7381'], null],
  ['localhost', [], null],
  ['10.0.0.5', [], '10.0.0.5:7381'],
  ['2001:db8::5', [], '[2001:db8::5]:7381'],
  ['0.0.0.0', ['gw.example', 'gw.example:7381'], 'gw.example:7381'],
  ['0.0.0.0', ['gw.example'], '10.0.0.5:7381'],
  ['::', [], '10.0.0.5:7381'],
])('a listener at %s that is called %j is reached at %j', (host, hosts, expected) => {
  expect(at(host, hosts)).toBe(expected);
});

it('at all addresses of a machine that has none, nobody reaches it', () => {
  expect(
    reachableAt({ listen: { host: '0.0.0.0', port: 7381 }, hosts: [] }, () => own.slice(0, 2)),
  ).toBeNull();
});
