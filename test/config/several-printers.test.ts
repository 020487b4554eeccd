/** Several printers at one screen: the first is the default, and what could not be meant is told with its place. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { ConfigInvalid } from '../../src/config/mistakes.ts';
import { peersOf } from '../../src/config/peers.ts';
import { atPrinter, printersOf, queueOf } from '../../src/config/printers.ts';
import { required } from '../../src/core/required.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const folder = temporaryDirectory();
const file = join(folder.path, 'platen.yaml');
afterAll(() => folder[Symbol.dispose]());

function load(terminal: string, further = '') {
  writeFileSync(
    file,
    `cloud: { baseUrl: "https://cloud.example", authUrl: "https://cloud.example", apiKey: key }
terminals: [{ id: lobby, serialNumber: SN-1, ${terminal} }]
${further}
`,
  );
  return loadConfig(file, {});
}

function mistakes(terminal: string, further?: string): readonly string[] {
  try {
    load(terminal, further);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error;
    return error.lines.map((line) => line.replace(`${file}:2: terminals[0].`, ''));
  }
}

const lobby = '{ name: Lobby, uri: "ipp://10.0.0.7/ipp/print" }';
const colour = '{ name: "Colour, first floor", uri: "ipp://10.0.0.8/ipp/print", monochrome: false }';

describe('a terminal with several printers', () => {
  it('has the first for its default, and each with settings of its own', () => {
    const [terminal] = load(`printers: [${lobby}, ${colour}]`).terminals;
    expect(terminal?.printer).toMatchObject({ name: 'Lobby', uri: 'ipp://10.0.0.7/ipp/print' });
    expect(terminal && printersOf(terminal)).toMatchObject([
      { name: 'Lobby', monochrome: 'auto', stallSeconds: 'auto' },
      { name: 'Colour, first floor', monochrome: false },
    ]);
  });

  it('may reach all of them', () => {
    expect(peersOf(load(`printers: [${lobby}, ${colour}]`), {}).hosts).toEqual([
      '10.0.0.7',
      '10.0.0.8',
      'cloud.example',
    ]);
  });

  it.each([
    [
      `printer: { uri: "ipp://10.0.0.9" }, printers: [${lobby}]`,
      /^printer: must not be set together with printers/,
    ],
    [`printers: [${lobby}, { uri: "ipp://10.0.0.9" }]`, /^printers\[1\]\.name: is missing/],
    [
      `printers: [${lobby}, { name: "LOBBY", uri: "ipp://10.0.0.9" }]`,
      /^printers\[1\]\.name: "LOBBY" is already the name/,
    ],
    [
      `printers: [${lobby}, { name: "Lobby\\u202D", uri: "ipp://10.0.0.9" }]`,
      /^printers\[1\]\.name: "Lobby.+" is already the name/,
    ],
    [`printers: [${lobby}, { name: " x", uri: "ipp://10.0.0.9" }]`, /^printers\[1\]\.name: must be one line/],
    [
      `printers: [${lobby}, { name: Same, uri: "ipp://10.0.0.7:631/ipp/print" }]`,
      /^printers\[1\]\.uri: is already the printer Lobby of this terminal/,
    ],
    [
      `printers: [${lobby}, { name: Away, uri: auto }]`,
      /^printers\[1\]\.uri: auto takes the address of the output port/,
    ],
    [`printers: []`, /^printers: must not be empty/],
    [
      `printers: [${lobby}, ${colour}], delivery: cloud`,
      /^printers: with delivery cloud the service sends the documents/,
    ],
    [`printers: [${lobby}, { name: X, uri: "lpd://x" }]`, /^printers\[1\]\.uri: must be ipp:/],
  ])('%s is a mistake', (terminal, reported) => {
    expect(mistakes(terminal)).toEqual([expect.stringMatching(reported)]);
  });

  it('may leave the first to the output port, within the network of the printers', () => {
    const printers = `printers: [{ name: Lobby, uri: auto }, ${colour}]`;
    expect(mistakes(printers)).toEqual([
      expect.stringMatching(/^printers\[0\]\.uri: auto takes the address/),
    ]);
    expect(mistakes(printers, 'printerNetwork: { allow: [10.0.0.0/24] }')).toEqual([]);
  });
});

it.each([
  [
    ['ipp://10.0.0.7/ipp/print', 'ipp://10.0.0.8/ipp/print'],
    [undefined, undefined],
  ],
  [
    ['cups:grey', 'cups:colour', 'socket://10.0.0.7'],
    ['cups://localhost:631/grey', 'cups://localhost:631/colour', undefined],
  ],
  [
    ['ipp://10.0.0.7/printers/a', 'ipps://10.0.0.7/printers/b'],
    ['ipp://10.0.0.7:631/printers/a', 'ipps://10.0.0.7:631/printers/b'],
  ],
])('%j are told apart, where they are at one host, by %j', (uris, queues) => {
  const list = uris.map((uri) => `{ name: "${uri}", uri: "${uri}" }`).join();
  const terminal = required(load(`printers: [${list}]`).terminals[0], 'terminal');
  expect(printersOf(terminal).map((one) => queueOf(atPrinter(terminal, one)))).toEqual(queues);
});

it('a terminal with one printer is as it was: no list, and an address that is missing has its own path', () => {
  const [terminal] = load('printer: { uri: "ipp://10.0.0.7" }').terminals;
  expect(terminal).not.toHaveProperty('printers');
  expect(terminal && printersOf(terminal)).toEqual([terminal?.printer]);
  expect(mistakes('place: Hall')).toEqual([
    expect.stringMatching(/terminals\[0\]\.printer\.uri: is missing$|^printer\.uri: is missing$/),
  ]);
});
