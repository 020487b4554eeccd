/** The unit's addresses (I10, T11): what the configuration names, who is missing from a list, and when there is none. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addressListFor, writeAddressList } from '../../src/commands/init/service/service.ts';
import { checkConfig } from '../../src/config/load.ts';
import { peersOf } from '../../src/config/peers.ts';
import { addressListText, missingFrom } from '../../src/operations/address-list.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const text = (more = '', base = 'https://print.corp.test:7300') => `
cloud: { baseUrl: "${base}", authUrl: "${base}", apiKey: key, proxyUrl: "http://10.1.0.9:3128" }
stateDir: /var/lib/platen
printerNetwork: { allow: [10.7.0.0/16] }
terminals:
  - id: lobby
    serialNumber: SN-1
    printer: { uri: "ipp://10.0.0.7/ipp/print" }
    readers:
      - { type: tcp-listen, listen: "10.0.0.5:7382", from: [10.0.0.21, 10.8.0.0/24] }
      - { type: tcp-connect, address: "[fd00::22]:9000" }
  - { id: hall, serialNumber: SN-2, printer: { uri: "cups:hall" } }
  - { id: yard, serialNumber: SN-3, printer: { uri: "socket://[fd00::7]:9100" } }
${more}`;
const config = (...args: Parameters<typeof text>) =>
  checkConfig(text(...args), { file: '/etc/platen/platen.yaml', env: {} });
const names: Readonly<Record<string, readonly string[]>> = {
  'print.corp.test': ['10.2.0.1', 'fd00::1'],
  'print.example.com': ['93.184.216.34'],
};
const resolve = async (host: string) => names[host] ?? [];
const resolvers = 'nameserver 10.0.0.53\nnameserver 127.0.0.53\n';
const listOf = (...args: Parameters<typeof text>) => addressListFor(config(...args), { resolvers, resolve });

it('are those of the service, the proxy, the printers, the readers and the resolvers, and nobody else', async () => {
  const list = await listOf();
  expect(list.kind === 'list' && list.text.split('\n').filter((line) => !line.startsWith('#'))).toEqual([
    '[Service]',
    'IPAddressDeny=any',
    ...[
      'localhost',
      '10.0.0.21',
      '10.0.0.53',
      '10.0.0.7',
      '10.1.0.9',
      '10.2.0.1',
      '127.0.0.53',
      'fd00::1',
    ].map((one) => `IPAddressAllow=${one}`),
    ...['fd00::22', 'fd00::7', '10.7.0.0/16', '10.8.0.0/24'].map((one) => `IPAddressAllow=${one}`),
    '',
  ]);
});

it.each([
  [
    'a name in the internet, that may move',
    ['', 'https://print.example.com'],
    /print\.example\.com is a name/,
  ],
  ['a name that leads nowhere', ['', 'https://gone.corp.test'], /gone\.corp\.test has no address now/],
  [
    'a listener that is open to callers nobody named',
    ['operations: { listen: "10.0.0.5:7381", token: 0123456789abcdef0123456789abcdef }'],
    /operations\.listen accepts callers/,
  ],
] as const)('are not listed for %s', async (_, args, why) => {
  const list = await listOf(...args);
  expect(list).toMatchObject({ kind: 'none', why: expect.stringMatching(why) });
});

it('that a list lacks are told, each by what the configuration calls it; where there is no list none is missed', async () => {
  using folder = temporaryDirectory();
  const file = join(folder.path, 'addresses.conf');
  const peers = peersOf(config());
  expect(await missingFrom(peers, { file, resolve, resolvers: '' })).toEqual([]);
  await writeFile(file, addressListText(['10.0.0.0/24', '10.2.0.1', 'fd00::/16', '10.7.0.0/16']));
  expect(await missingFrom(peers, { file, resolve, resolvers: '' })).toEqual(['10.1.0.9', '10.8.0.0/24']);
  await writeFile(file, addressListText(['10.0.0.0/8', 'fd00::7', 'fd00::22', '10.7.0.0/16', '10.8.0.0/24']));
  expect(await missingFrom(peers, { file, resolve, resolvers: '' })).toEqual(['print.corp.test (fd00::1)']);
});

it('name a resolver of one link without the link, of which systemd reads nothing', async () => {
  const list = await addressListFor(config(), { resolvers: 'nameserver fe80::1%eth0\n', resolve });
  expect(list).toMatchObject({ kind: 'list', text: expect.stringContaining('\nIPAddressAllow=fe80::1\n') });
});

it('that a list lacks are told of the resolvers too, which a network may change at any time', async () => {
  using folder = temporaryDirectory();
  const file = join(folder.path, 'addresses.conf');
  const list = await listOf();
  await writeFile(file, list.kind === 'list' ? list.text : '');
  const peers = peersOf(config());
  expect(await missingFrom(peers, { file, resolve, resolvers })).toEqual([]);
  const moved = 'nameserver 10.0.0.54\nnameserver 127.0.0.53\nnameserver ::1\n';
  expect(await missingFrom(peers, { file, resolve, resolvers: moved })).toEqual([
    '10.0.0.54 (/etc/resolv.conf)',
  ]);
});

it('are those of a proxy that only the environment names too', () => {
  const bare = text().replace(/, proxyUrl: "[^"]*"/, '');
  const hostsBy = (env: Readonly<Record<string, string>>) =>
    peersOf(checkConfig(bare, { file: '/etc/platen/platen.yaml', env: {} }), env).hosts;
  expect(hostsBy({ HTTPS_PROXY: 'http://10.1.0.8:3128' })).toContain('10.1.0.8');
  expect(hostsBy({ https_proxy: 'http://[fd00::8]:3128' })).toContain('fd00::8');
  expect(hostsBy({ https_proxy: 'no address' })).toEqual(hostsBy({}));
});

it('are written once, and go where there is to be no list any more', async () => {
  using folder = temporaryDirectory();
  const file = join(folder.path, 'unit.d', 'addresses.conf');
  const list = await listOf();
  expect([await writeAddressList(list, file), await writeAddressList(list, file)]).toEqual([true, false]);
  expect(await readFile(file, 'utf8')).toContain('IPAddressDeny=any');
  expect(await writeAddressList({ kind: 'none', why: 'x' }, file)).toBe(true);
  expect(await writeAddressList({ kind: 'none', why: 'x' }, file)).toBe(false);
});

it("name the hosts of a fleet's engine, but for this machine", () => {
  const key = Buffer.alloc(32, 7).toString('base64');
  const url = 'postgresql://platen@127.0.0.1,10.3.0.1,[fd00::31]:5433/fleet';
  const { hosts } = peersOf(config(`fleet: { engine: { url: "${url}" }, key: "${key}" }`));
  expect(hosts).toEqual(expect.arrayContaining(['10.3.0.1', 'fd00::31']));
  expect(hosts).not.toContain('127.0.0.1');
});
