/** What a configuration may say of the light, the relay and the USB device of a reader that sends text. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { ConfigInvalid } from '../../src/config/mistakes.ts';
import { readerName } from '../../src/config/schema/reader.ts';

/** One terminal for each reader, which is a line of YAML. */
function load(...readers: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'platen-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'platen.yaml');
  const terminals = readers.map(
    (reader, at) =>
      `  - { id: t${at}, serialNumber: SN-${at}, printer: { uri: ipp://10.0.0.7/ipp/print }, readers: [${reader}] }\n`,
  );
  const cloud = 'cloud: { baseUrl: https://a.example, authUrl: https://b.example, apiKey: key }\n';
  writeFileSync(file, `${cloud}terminals:\n${terminals.join('')}`, { mode: 0o600 });
  return loadConfig(file, {}).terminals.flatMap(({ readers: loaded }) => loaded);
}

function mistakesIn(...readers: readonly string[]): string {
  try {
    load(...readers);
    return '';
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error;
    return error.message;
  }
}

const serial = (more: string) => `{ type: serial, path: /dev/x, ${more} }`;

describe('the signals of a reader', () => {
  it('are written as YAML writes bytes, one a character', () => {
    const [reader] = load(serial('signals: { accepted: "\\x02L2\\xFF\\r", done: "B\\n" }'));
    expect(reader).toMatchObject({ signals: { accepted: '\u0002L2\u00ff\r', done: 'B\n' } });
  });

  it.each([
    ['a command without double quotes', 'accepted: \\x02L2\\r', /must be in double quotes/],
    ['a command in single quotes', "accepted: 'L2\\r'", /must be in double quotes/],
    ['a character that is no byte', 'accepted: "€"', /not above \\xFF/],
    ['an empty command', 'accepted: ""', /must be 1 to 256 characters/],
    ['a command of more than 256 bytes', `accepted: "${'x'.repeat(257)}"`, /must be 1 to 256 characters/],
    ['an unknown moment', 'happy: "x"', /signals.*happy/],
  ])('may not hold %s', (_, signals, mistake) => {
    expect(mistakesIn(serial(`signals: { ${signals} }`))).toMatch(mistake);
  });
});

describe('the relay of a reader', () => {
  it.each([
    ['mac: "00:80:a3:00:00:08"', '00:80:A3:00:00:08'],
    ['mac: 0080.A300.0008, format: lower-dash', '00-80-a3-00-00-08'],
  ])('spells the address as the service does: %s', (relay, mac) => {
    expect(load(`{ type: tcp-connect, address: 10.0.0.21:10001, relay: { ${relay} } }`)).toMatchObject([
      { relay: { mac } },
    ]);
  });

  it.each([
    ['mac: "00:80:a3"', /relay\.mac: must be a MAC address/],
    ['mac: "00:80:a3:00:00:08", format: mixed', /relay\.format/],
    ['format: upper-colon', /relay\.mac/],
  ])('is refused with %s', (relay, mistake) => {
    expect(mistakesIn(serial(`relay: { ${relay} }`))).toMatch(mistake);
  });
});

describe('a serial reader', () => {
  it('may be named by its USB device, and is known by that', () => {
    expect(load('{ type: serial, device: "0403:6001:AH06W0EQ" }').map(readerName)).toEqual([
      '0403:6001:AH06W0EQ',
    ]);
  });

  it.each([
    ['neither path nor device', ['{ type: serial }'], /path: must be set, or device/],
    ['both', [serial('device: "0403:6001"')], /path: must be set, or device/],
    ['no such numbers', ['{ type: serial, device: FTDI }'], /device: must be vendor:product/],
    [
      'numbers that another terminal has too',
      ['{ type: serial, device: "0403:6001" }', '{ type: serial, device: "0403:6001:A1" }'],
      /readers\[0\]: is the same device as the reader of t0/,
    ],
    ['the path of another terminal', [serial(''), serial('')], /is the same device as the reader of t0/],
  ])('is refused with %s', (_, readers, mistake) => {
    expect(mistakesIn(...readers)).toMatch(mistake);
  });
});
