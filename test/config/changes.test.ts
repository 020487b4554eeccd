import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { changesBetween, isSameValue, keysInForce } from '../../src/config/changes.ts';
import { configJsonSchema } from '../../src/config/known-keys.ts';
import { loadConfig } from '../../src/config/load.ts';
import { Secret } from '../../src/core/secret.ts';
import { useSameDevice } from '../../src/config/doubtful-readers.ts';

const folder = mkdtempSync(join(tmpdir(), 'platen-changes-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Written {
  readonly apiKey?: string;
  readonly cloud?: string;
  readonly rest?: string;
  readonly terminal?: string;
}

function configOf({ apiKey = 'key', cloud = '', rest = '', terminal = '' }: Written = {}) {
  writeFileSync(join(folder, 'api-key'), apiKey);
  const file = join(folder, 'platen.yaml');
  writeFileSync(
    file,
    `
cloud: { baseUrl: "https://cloud.example:7300", authUrl: "https://cloud.example:7400", apiKey: { file: api-key } ${cloud} }
terminals:
  - { id: lobby, serialNumber: SN-0001, printer: { uri: "ipp://10.0.0.7/ipp/print" } ${terminal} }
${rest}
`,
  );
  return loadConfig(file, { STATE_DIRECTORY: folder });
}

it('every key of the file has an entry that says how it comes into force, and no entry is of another key', () => {
  const { properties } = JSON.parse(configJsonSchema()) as {
    properties: Record<string, { properties?: object }>;
  };
  const keys = Object.entries(properties)
    .filter(([section]) => section !== 'terminals')
    .flatMap(([section, { properties: inside = {} }]) =>
      keysInForce.has(section) ? [section] : Object.keys(inside).map((key) => `${section}.${key}`),
    );
  expect(keys.toSorted()).toEqual([...keysInForce.keys()].toSorted());
});

describe('what a new configuration changes', () => {
  it.each<[string, Written, { changed: string[]; restart: string[] }]>([
    ['nothing', {}, { changed: [], restart: [] }],
    ['a secret in a file beside it', { apiKey: 'rotated' }, { changed: ['cloud.apiKey'], restart: [] }],
    ['the level of the log', { rest: 'log: { level: warn }' }, { changed: ['log'], restart: [] }],
    [
      'the interval of reports, and where they go',
      { rest: 'status: { intervalSeconds: 10, report: off }' },
      { changed: ['status.intervalSeconds'], restart: ['status.report'] },
    ],
    [
      'limits and a proxy',
      { cloud: ', limits: { burst: 7 }, proxyUrl: "http://proxy.example:3128"' },
      { changed: ['cloud.limits'], restart: ['cloud.proxyUrl'] },
    ],
    ['a listener', { rest: 'kiosk: { listen: "127.0.0.1:9" }' }, { changed: [], restart: ['kiosk.listen'] }],
    ['a terminal alone', { terminal: ', finish: keep' }, { changed: [], restart: [] }],
  ])('%s', (_what, written, expected) => {
    const { changed, restart } = changesBetween(configOf(), configOf(written));
    expect({ changed, restart }).toEqual(expected);
  });

  it('but for what needs a restart: that stays as it was, beside what comes into force', () => {
    const before = configOf();
    const after = configOf({
      apiKey: 'rotated',
      cloud: ', proxyUrl: "http://proxy.example:3128"',
      rest: 'kiosk: { listen: "127.0.0.1:9", support: "https://help.example/{reference}" }\nstateDir: elsewhere',
    });
    const { config } = changesBetween(before, after);
    expect(config.cloud.apiKey.reveal()).toBe('rotated');
    expect(config.cloud.proxyUrl).toBeUndefined();
    expect(config.kiosk).toEqual({ ...before.kiosk, support: 'https://help.example/{reference}' });
    expect(config.stateDir).toBe(before.stateDir);
    expect(changesBetween(config, after).restart).toEqual(['cloud.proxyUrl', 'stateDir', 'kiosk.listen']);
  });
});

describe('the engine of a fleet', () => {
  const keyText = Buffer.alloc(32, 7).toString('base64');
  const fleet = (password: string, more = '') => ({
    rest: `fleet: { engine: { url: "postgresql://u:${password}@127.0.0.1/d" }, key: "${keyText}" ${more} }`,
  });

  it('is followed at once; the rest of its section at the next start', () => {
    const before = configOf(fleet('one'));
    const { config, changed, restart } = changesBetween(before, configOf(fleet('two', ', site: annex')));
    expect({ changed, restart }).toEqual({ changed: ['fleet.engine'], restart: ['fleet.site'] });
    expect(config.fleet?.engine.url.password.reveal()).toBe('two');
    expect(config.fleet?.site).toBe('main');
  });

  it('comes and goes with the whole section, at the next start', () => {
    const keys = ['fleet.engine', 'fleet.key', 'fleet.site', 'fleet.signers'];
    const [without, within] = [configOf(), configOf(fleet('one'))];
    const coming = changesBetween(without, within);
    expect([coming.config.fleet, coming.changed, coming.restart]).toEqual([undefined, [], keys]);
    const going = changesBetween(within, without);
    expect([going.config.fleet, going.changed, going.restart]).toEqual([within.fleet, [], keys]);
  });
});

describe('two terminals', () => {
  const rule = (text: string) => configOf({ terminal: `, card: { rule: "${text}" }` }).terminals[0];
  it('are the same with the same card rule, and others with another', () => {
    expect(isSameValue(rule('Hex2Dec'), rule('Hex2Dec'))).toBe(true);
    expect(isSameValue(rule('Hex2Dec'), rule('Dec2Hex'))).toBe(false);
  });

  it('are others with another password of the printer', () => {
    const at = (password: string) => ({ credentials: { password: new Secret(password) } });
    expect(isSameValue(at('one'), at('one'))).toBe(true);
    expect(isSameValue(at('one'), at('two'))).toBe(false);
  });

  it.each([
    [
      'readers: [{ type: serial, path: /dev/ttyUSB0 }]',
      'readers: [{ type: serial, path: /dev/ttyUSB0 }]',
      true,
    ],
    [
      'readers: [{ type: serial, path: /dev/ttyUSB0 }]',
      'readers: [{ type: serial, path: /dev/ttyUSB1 }]',
      false,
    ],
    ['prompt: /dev/tty2', 'prompt: /dev/tty2', true],
    ['prompt: /dev/tty2', 'prompt: /dev/tty3', false],
  ])('use one device, with %s and %s: %s', (one, other, expected) => {
    const [a] = configOf({ terminal: `, ${one}` }).terminals;
    const [b] = configOf({ terminal: `, ${other}` }).terminals;
    expect(a && b && useSameDevice(a, b)).toBe(expected);
  });
});
