/** What a message says of its gateway: the address in it is one that opens the page for administrators. */
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { tellerOf } from '../../src/agent/notifying.ts';
import { checkConfig } from '../../src/config/load.ts';

const cloud = { baseUrl: 'https://cloud.example', authUrl: 'https://cloud.example', apiKey: 'key' };
const address = (operations: object) =>
  tellerOf(
    checkConfig(stringify({ cloud, stateDir: '/state', operations }), { file: '/platen.yaml', env: {} }),
  ).url;
const token = '0123456789abcdef';

it.each([
  [{ listen: '10.0.0.5:7381', token }, 'http://10.0.0.5:7381/ui/'],
  [{ listen: '10.0.0.5:7381', token, hosts: ['gw', 'gw.example:7381'] }, 'http://gw.example:7381/ui/'],
  [{ listen: '0.0.0.0:7381', token, hosts: ['gw.example:443'] }, 'http://gw.example:443/ui/'],
  [{ listen: '127.0.0.1:7381', hosts: ['gw.example:7381'] }, undefined],
])('of a listener as %j it is %s', (operations, expected) => {
  expect(address(operations)).toBe(expected);
});

it('of a listener at all addresses it is one of the machine, and not 0.0.0.0', () => {
  expect(address({ listen: '0.0.0.0:7381', token }) ?? '').not.toContain('0.0.0.0');
});
