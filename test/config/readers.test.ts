/** What a configuration may say of readers, and what it may not. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { loadConfig } from '../../src/config/load.ts';
import { ConfigInvalid } from '../../src/config/mistakes.ts';
import { readerName } from '../../src/config/schema/reader.ts';

/** One terminal for each list of readers. */
function load(...terminals: readonly (readonly object[])[]) {
  const folder = mkdtempSync(join(tmpdir(), 'platen-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'platen.yaml');
  const cloud = { baseUrl: 'https://cloud.example', authUrl: 'https://auth.example', apiKey: 'key' };
  const listed = terminals.map((readers, at) => ({
    id: `t${at}`,
    serialNumber: `SN-${at}`,
    readers,
    printer: { uri: 'ipp://10.0.0.7/ipp/print' },
  }));
  writeFileSync(file, stringify({ cloud, terminals: listed }), { mode: 0o600 });
  return loadConfig(file, {});
}

function mistakesIn(...terminals: readonly (readonly object[])[]): readonly string[] {
  try {
    load(...terminals);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error;
    return error.message.split('\n');
  }
}

function expectMistake(found: readonly string[], mistake: RegExp | undefined): void {
  expect(found).toHaveLength(mistake === undefined ? 0 : 1);
  expect(found.join('\n')).toMatch(mistake ?? /^$/);
}

const listen = (more: object) => ({ type: 'tcp-listen', listen: '10.0.0.5:7382', ...more });

describe('the readers of a configuration', () => {
  it('end their numbers with a line end, and may be silent, unless something else is said', () => {
    const [terminal] = load([{ type: 'serial', path: '/dev/x' }]).terminals;
    expect(terminal?.readers).toEqual([
      { type: 'serial', path: '/dev/x', baudRate: 9600, framing: { kind: 'line' }, silentAfterHours: 'off' },
    ]);
  });

  it('have names by which they are known everywhere', () => {
    const [terminal] = load([
      { type: 'serial', path: '/dev/x' },
      { type: 'tcp-connect', address: '[fd00::21]:10001' },
      listen({ from: ['10.0.0.21'], hello: 'LOBBY' }),
      { type: 'tcp-listen', listen: '127.0.0.1:7383', hello: 'ANNEX' },
    ]).terminals;
    expect(terminal?.readers.map(readerName)).toEqual([
      '/dev/x',
      '[fd00::21]:10001',
      'tcp-listen 10.0.0.5:7382 10.0.0.21 LOBBY',
      'tcp-listen 127.0.0.1:7383 ANNEX',
    ]);
  });

  it.each<[string, object, RegExp | undefined]>([
    ['a length', { framing: { kind: 'fixed', length: 10 } }, undefined],
    ['a gap', { framing: { kind: 'gap' } }, undefined],
    ['STX and ETX', { framing: { kind: 'stx-etx' } }, undefined],
    ['no length', { framing: { kind: 'fixed' } }, /framing\.length/],
    ['a length of one byte', { framing: { kind: 'fixed', length: 1 } }, /framing\.length/],
    ['an unknown framing', { framing: { kind: 'morse' } }, /framing\.kind/],
    ['a silence', { silentAfterHours: 12 }, undefined],
    ['no silence at all', { silentAfterHours: 0 }, /silentAfterHours: /],
  ])('may have %s, or not', (_, more, mistake) => {
    expectMistake(mistakesIn([{ type: 'serial', path: '/dev/x', ...more }]), mistake);
  });

  it.each<[string, object, RegExp | undefined]>([
    ['an address', { from: ['10.0.0.21'] }, undefined],
    ['a network', { from: ['10.0.7.0/24', 'fd00:7::/64'] }, undefined],
    ['nobody', {}, /from: must contain the addresses of the reader/],
    ['everybody', { from: ['0.0.0.0/0'] }, /from\[0\]: must be an address or a network/],
    ['a name', { from: ['reader.example'] }, /from\[0\]: must be an address or a network/],
    ['a mask of too many bits', { from: ['10.0.0.0/33'] }, /from\[0\]: must be an address or a network/],
  ])('dial in from %s, or not (T10)', (_, more, mistake) => {
    expectMistake(mistakesIn([listen(more)]), mistake);
  });

  it.each<[string, object, RegExp | undefined]>([
    ['by nothing', {}, /hello: must be the first line that the reader sends/],
    ['by a hello line', { hello: 'LOBBY' }, undefined],
    ['by an address', { from: ['127.0.0.2'] }, undefined],
  ])('dial in from this machine, told from its other users %s, or not (T10)', (_, more, mistake) => {
    expectMistake(mistakesIn([listen({ listen: '127.0.0.1:7383', ...more })]), mistake);
  });

  it.each<[string, object, RegExp]>([
    ['a port nobody can know', { listen: '127.0.0.1:0', hello: 'A' }, /listen: must contain a port/],
    [
      'a name instead of an address',
      { listen: 'localhost:7382', hello: 'A' },
      /listen: must be an address of this machine/,
    ],
  ])('do not dial in at %s', (_, more, mistake) => {
    expect(mistakesIn([{ type: 'tcp-listen', ...more }])).toEqual([expect.stringMatching(mistake)]);
  });

  it.each<[string, object, object, boolean]>([
    ['other addresses', { from: ['10.0.0.21'] }, { from: ['10.0.0.22'] }, true],
    ['other networks', { from: ['10.0.7.0/24'] }, { from: ['10.0.8.0/24'] }, true],
    ['one address in the other one’s network', { from: ['10.0.7.0/24'] }, { from: ['10.0.7.9'] }, false],
    ['the same address', { from: ['10.0.0.21'] }, { from: ['10.0.0.21'] }, false],
    ['hello lines', { from: ['10.0.7.0/24'], hello: 'A' }, { from: ['10.0.7.0/24'], hello: 'B' }, true],
    ['the same hello line', { from: ['10.0.7.1'], hello: 'A' }, { from: ['10.0.7.1'], hello: 'A' }, false],
    ['one hello line', { from: ['10.0.7.1'], hello: 'A' }, { from: ['10.0.7.1'] }, false],
  ])('of two terminals at one address have %s: can be told apart? %j %j %s', (_, one, other, can) => {
    const mistake = can ? undefined : /terminals\[1\]\.readers\[0\]: looks the same to Platen as/;
    expectMistake(mistakesIn([listen(one)], [listen(other)]), mistake);
  });

  it.each<[string, string, boolean]>([
    ['10.0.0.21:10001', '10.0.0.22:10001', true],
    ['10.0.0.21:10001', '10.0.0.21:10002', true],
    ['10.0.0.21:10001', '10.0.0.21:10001', false],
    ['reader.example:10001', 'Reader.example:10001', false],
  ])('of two terminals are dialled at %s and %s: are two readers? %s (I3)', (one, other, are) => {
    const dialled = (address: string) => [{ type: 'tcp-connect', address }];
    const mistake = are ? undefined : /terminals\[1\]\.readers\[0\]: is the same reader as that of t0/;
    expectMistake(mistakesIn(dialled(one), dialled(other)), mistake);
  });
});
