/** `printerNetwork`, `printer.uri: auto`, and what a configuration leaves to the cloud. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { localSettings } from '../../src/config/local-settings.ts';
import { ConfigInvalid } from '../../src/config/mistakes.ts';

const folder = mkdtempSync(join(tmpdir(), 'platen-config-'));
const file = join(folder, 'platen.yaml');
afterAll(() => rmSync(folder, { recursive: true }));

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
    return error.lines.map((line) => line.replace(`${file}:`, ''));
  }
}

const somewhere = 'printer: { uri: "ipp://10.0.0.7/ipp/print" }';

describe('the network of the printers', () => {
  it('has ports and schemes by default, and no place', () => {
    expect(load(somewhere).printerNetwork).toEqual({
      allow: [],
      ports: [
        { first: 631, last: 631 },
        { first: 443, last: 443 },
        { first: 9100, last: 9109 },
      ],
      schemes: ['ipp', 'ipps', 'socket'],
    });
  });

  it('must be named where the service is to tell an address', () => {
    expect(mistakes('printer: { uri: auto }')).toEqual([
      '2: terminals[0].printer.uri: auto takes the address from the service, but only within printerNetwork.allow, which ' +
        'is empty. Write the network of the printers there, for example allow: [10.0.0.0/24]',
    ]);
    expect(mistakes('printer: { uri: auto }', 'printerNetwork: { allow: [10.0.0.0/24] }')).toEqual([]);
  });

  it.each([
    ['allow: [10.0.0.7]', /allow\[0\]: must be a network/],
    ['allow: [10.0.0.0/33]', /allow\[0\]: must be a network/],
    ['allow: ["fd00::/129"]', /allow\[0\]: must be a network/],
    ['allow: [printer.example/24]', /allow\[0\]: must be a network/],
    ['ports: [0]', /ports\[0\]: must be at least 1/],
    ['ports: [9109-9100]', /ports\[0\]: must be a port/],
    ['ports: [1-2-3]', /ports\[0\]: must be a port/],
    ['ports: [70000]', /ports\[0\]: must be at most 65535/],
    ['schemes: [http]', /schemes\[0\]: must be ipp/],
  ])('is refused as %s', (setting, mistake) => {
    expect(mistakes(somewhere, `printerNetwork: { ${setting} }`)).toEqual([expect.stringMatching(mistake)]);
  });
});

describe('what a terminal settles itself', () => {
  it('is nothing by default but the printer', () => {
    const [terminal] = load(somewhere).terminals;
    const settled = Object.entries(terminal ? localSettings(terminal) : {}).filter(
      ([, value]) => value !== undefined,
    );
    expect(settled).toEqual([['printerUri', 'ipp://10.0.0.7/ipp/print']]);
  });

  it('is what it writes', () => {
    const [terminal] = load(
      `printer: { uri: auto, outputType: pdf, monochrome: true, sendUsername: false, softwareCopies: false,
        reverseOutput: false }, card: { decimal: true, trim: off },
        session: { autoRelease: false, logoutTimeoutSeconds: 20 },
        login: { shortId: true, password: false, enrollment: true }`,
      'printerNetwork: { allow: ["fd00::/8"] }',
    ).terminals;
    expect(terminal && localSettings(terminal)).toEqual({
      printerUri: undefined,
      outputType: 'pdf',
      autoRelease: false,
      logoutTimeoutSeconds: 20,
      monochrome: true,
      sendUsername: false,
      softwareCopyCollation: false,
      isReverseFinisher: false,
      trimCardId: false,
      decimalFormatForCardIds: true,
      shortIdLogin: true,
      passwordLogin: false,
      cardEnrollment: true,
    });
  });

  it.each([['softwareCopies'], ['reverseOutput']])('may be %s', (key) => {
    const [terminal] = load(`printer: { uri: "ipp://10.0.0.7/", ${key}: true }`).terminals;
    expect(terminal?.printer).toMatchObject({ [key]: true });
  });
});
