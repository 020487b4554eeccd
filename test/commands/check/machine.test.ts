/** What `platen check` says of the machine, of the way through a proxy, and of time. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proxyFor } from '../../../src/cloud/link/way-to-server.ts';
import {
  examineMemory,
  examineNetwork,
  examineNode,
  examineTimeZone,
} from '../../../src/commands/check/machine.ts';
import { waitingText, whileWaiting } from '../../../src/commands/check/waiting.ts';
import type { Screen } from '../../../src/commands/terminal-text/screen.ts';
import { spanText } from '../../../src/commands/terminal-text/span-text.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { seconds } from '../../../src/core/duration.ts';
import { Secret } from '../../../src/core/secret.ts';

const address = (text: string, internal: boolean) =>
  ({ address: text, internal, netmask: '', mac: '', cidr: null, family: 'IPv4' }) as const;

describe('the network', () => {
  it('is there with one address that is not of this machine alone', async () => {
    const found = { lo: [address('127.0.0.1', true)], eth0: [address('10.0.0.2', false)] };
    expect(await examineNetwork(found)).toBe('eth0 10.0.0.2');
  });

  it('is not there without, which explains all that would be reached by it', async () => {
    await expect(examineNetwork({ lo: [address('127.0.0.1', true)] })).rejects.toThrow(
      'no network interface has an address. Check the cable, the switch and DHCP; ip address shows them',
    );
  });
});

describe('the time zone', () => {
  it.each([undefined, '', 'Europe/Berlin', ':Asia/Tokyo', 'CET-1CEST', ':/etc/localtime'])(
    '%s is one',
    async (zone) => {
      expect(await examineTimeZone(zone)).toMatch(/[+-]\d\d:\d\d from UTC$/);
    },
  );

  it('is UTC without a word where TZ names none', async () => {
    await expect(examineTimeZone('Europe/Berlyn')).rejects.toThrow('TZ=Europe/Berlyn is not a time zone');
  });
});

describe('Node', () => {
  const { node, openssl } = process.versions;

  it('is told with its age and its OpenSSL, as its distribution dates it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-node-'));
    const program = join(folder, 'bin/node');
    await mkdir(join(folder, 'bin'));
    await writeFile(program, '');
    const heading = (version: string, date: string) =>
      `## ${date}, Version ${version} 'Krypton' (LTS), @aduh95\n`;
    const changes = heading('24.0.0', '2020-01-01') + heading(node, '2026-09-08');
    await writeFile(join(folder, 'CHANGELOG.md'), changes);
    expect(await examineNode(Date.parse('2026-11-23T12:00:00Z'), program)).toBe(
      `${node} of 2026-09-08, 76 days old; OpenSSL ${openssl}`,
    );
    await rm(folder, { recursive: true });
  });

  it('of a system that brings no such list is told without', async () => {
    expect(await examineNode(0, '/bin/sh')).toBe(`${node} of an unknown date; OpenSSL ${openssl}`);
  });
});

describe('memory', () => {
  it.each([
    [30, /30 MB of 512 MB are left\. Stop what uses it/],
    [300, /^300 MB of 512 MB are left$/],
  ])('%i MB', async (free, words) => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-memory-'));
    const file = join(folder, 'meminfo');
    await writeFile(file, `MemTotal:  ${512 * 1024} kB\nMemAvailable:   ${free * 1024} kB\n`);
    const said = await Promise.resolve(examineMemory(file)).catch((error: Error) => error.message);
    expect(said).toMatch(words);
    await rm(folder, { recursive: true });
  });

  it('is not told by every system', async () => {
    expect(await examineMemory('/nowhere/meminfo')).toBe('not known on this system');
  });
});

describe('the proxy of a server', () => {
  const at = (url: string, env: Record<string, string>, proxyUrl?: string) =>
    proxyFor(new URL(url), { env, ...(proxyUrl === undefined ? {} : { proxyUrl: new Secret(proxyUrl) }) })
      ?.host;
  const HTTPS_PROXY = 'http://proxy.example:3128';

  it.each<[string, string | undefined, string | undefined]>([
    [
      'that of the configuration',
      at('https://cloud.example', { HTTPS_PROXY }, 'http://mine:8080'),
      'mine:8080',
    ],
    ['else that of the environment', at('https://cloud.example', { HTTPS_PROXY }), 'proxy.example:3128'],
    [
      'none for an exception',
      at('https://cloud.example', { HTTPS_PROXY, NO_PROXY: 'a, .example' }),
      undefined,
    ],
    [
      'not for a name where all below it are excepted',
      at('https://cloud.example', { HTTPS_PROXY, NO_PROXY: '*.cloud.example' }),
      'proxy.example:3128',
    ],
    ['none for all', at('https://cloud.example', { HTTPS_PROXY, no_proxy: '*' }), undefined],
    [
      'not for another port',
      at('https://c.example:7300', { HTTPS_PROXY, NO_PROXY: 'c.example:443' }),
      'proxy.example:3128',
    ],
    ['none of the environment for this machine', at('http://127.0.0.1:7300', { HTTPS_PROXY }), undefined],
    ['none', at('https://cloud.example', {}), undefined],
  ])('is %s', (_, found, wanted) => {
    expect(found).toBe(wanted);
  });
});

it.each([
  [-5, '0 s'],
  [999, '0 s'],
  [61_000, '1 min 1 s'],
  [3_600_000, '1 h'],
  [7_384_000, '2 h 3 min'],
  [90_061_000, '1 d 1 h'],
])('%i ms is %s', (span, text) => expect(spanText(span)).toBe(text));

it('says what a long check waits for, and of many how many more', () => {
  expect(waitingText(['TLS'])).toBe('waiting for TLS …');
  expect(waitingText(['a', 'b', 'c', 'd', 'e'])).toBe('waiting for a, b, c and 2 more …');
});

describe('on a screen', () => {
  const screenOver = (said: string[]): Screen => ({
    columns: 80,
    rows: 24,
    hasColor: false,
    write: (text) => void said.push(text),
  });

  it('a check says after 2 s what it waits for, and leaves nothing of it', async () => {
    const said: string[] = [];
    const pending = new Map([['printer of lobby', 'printer of lobby, which is waking up']]);
    const work = systemClock.sleep(seconds(2.3)).then(() => 'done');
    expect(await whileWaiting(work, { pending, screen: screenOver(said) })).toBe('done');
    expect([said[0], said.at(-1)]).toEqual([
      '\r\u001B[2Kwaiting for printer of lobby, which is waking up …',
      '\r\u001B[2K',
    ]);
  });

  it('a quick one says nothing', async () => {
    const said: string[] = [];
    await whileWaiting(Promise.resolve(), { pending: new Map(), screen: screenOver(said) });
    expect(said.join('').replaceAll('\r\u001B[2K', '')).toBe('');
  });
});
