/** `platen init` by flags and by a file of answers: what it writes, what it refuses, what it leaves alone. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { givenText } from '../../../src/commands/init/printers/given-file.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { VirtualPrinter } from '../../../src/simulator/printer/printer.ts';
import { startVirtualPrinter } from '../../../src/simulator/printer/printer.ts';
import { commandHere } from '../../support/command-here.ts';

const key = 'canary-key-1';
let printer: VirtualPrinter;
let folder: string;
let file: string;

beforeAll(async () => {
  printer = await startVirtualPrinter();
});
afterAll(() => printer[Symbol.asyncDispose]());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-init-'));
  file = join(folder, 'etc', 'platen.yaml');
  await writeFile(join(folder, 'key'), `${key}\n`);
  return () => rm(folder, { recursive: true });
});

const init = (...flags: readonly string[]) =>
  commandHere(['init', '-c', file, '--yes', '--no-wait', ...flags]);
const service = ['--base-url', 'https://cloud.test:7300'] as const;
const keyFile = () => ['--api-key-file', join(folder, 'key')];
const lobby = () => ['--printer', `lobby=${printer.uri},serial=SN-0001`];
const settings = async () => parse(await readFile(file, 'utf8')) as unknown;

describe('three answers', () => {
  it('are a configuration that the agent takes, readable for its user alone (T19)', async () => {
    const { code, out, error } = await init(
      ...service,
      ...keyFile(),
      ...lobby(),
      '--reader',
      'serial:0403:6001',
    );
    expect([code, error]).toEqual([
      0,
      expect.stringMatching(/^platen: No print service answers at .*\nplaten: Devices/),
    ]);
    expect(out).toContain(`lobby: ${printer.uri} Platen Virtual Printer, idle, takes application/pdf`);
    expect(await settings()).toMatchObject({
      cloud: {
        baseUrl: 'https://cloud.test:7300',
        authUrl: 'https://cloud.test:7400',
        apiKey: { file: 'api-key' },
      },
      device: { description: expect.stringContaining('Platen on ') as string },
      terminals: [{ id: 'lobby', serialNumber: 'SN-0001', printer: { uri: printer.uri } }],
    });
    const config = loadConfig(file, {});
    expect(config.cloud.apiKey.reveal()).toBe(key);
    expect(config.terminals[0]?.readers).toMatchObject([{ type: 'serial', device: '0403:6001' }]);
    for (const name of await readdir(join(folder, 'etc'))) {
      expect((await stat(join(folder, 'etc', name))).mode & 0o777).toBe(0o600);
    }
    expect(out).not.toContain(key);
    expect(printer.outputs).toEqual([]);
  });

  it.each([
    ['tcp-connect:reader.test:10001', { type: 'tcp-connect', address: 'reader.test:10001' }],
    ['tcp-connect:[fd00::21]:10001', { type: 'tcp-connect', address: '[fd00::21]:10001' }],
    [
      'tcp-listen:10.0.0.5:7382?from=10.0.0.21&from=10.0.7.0/24&hello=LOBBY 1',
      { type: 'tcp-listen', listen: '10.0.0.5:7382', from: ['10.0.0.21', '10.0.7.0/24'], hello: 'LOBBY 1' },
    ],
  ])('take a reader on the network, and the same again changes nothing: %s', async (reader, written) => {
    const answers = [...service, ...keyFile(), ...lobby(), '--reader', reader];
    expect((await init(...answers)).code).toBe(0);
    expect(await settings()).toMatchObject({ terminals: [{ readers: [written] }] });
    expect((await init(...answers)).out).toContain('Nothing was changed');
  });

  it.each([
    ['tcp-connect:reader.test', /address: must /],
    ['tcp-listen:10.0.0.5:7382', /from: must contain the addresses of the reader/],
    ['tcp-listen:127.0.0.1:7382', /hello: must be the first line that the reader sends/],
    ['tcp-listen:10.0.0.5:7382?hello=A&hello=B', /must be \/dev/],
  ])('refuse a reader on the network that nobody could use: %s', async (reader, reported) => {
    const { code, error } = await init(...service, ...keyFile(), ...lobby(), '--reader', reader);
    expect([code, error]).toEqual([expect.any(Number), expect.stringMatching(reported)]);
    expect(code).not.toBe(0);
    await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('given again change nothing and say so; others show the difference and keep a dated copy', async () => {
    const answers = [...service, ...keyFile(), ...lobby()];
    await init(...answers);
    const comment = `# ours\n${await readFile(file, 'utf8')}`;
    await writeFile(file, comment);
    const again = await init(...answers);
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('Nothing was changed')]);
    expect(await readdir(join(folder, 'etc'))).toEqual(['api-key', 'platen.yaml']);

    await writeFile(join(folder, 'key'), 'canary-key-2\n');
    const other = await init(...answers, '--description', 'Lobby', '--reader', '/dev/ttyS9');
    expect(other.code).toBe(0);
    expect(other.out).toMatch(/device\.description: "Platen on .*" -> "Lobby"/);
    expect(other.out).toContain('terminals[0].readers: [{"type":"serial","path":"/dev/ttyS9"}]');
    expect(other.out).toContain('the API key: a new one (not shown)');
    expect(other.out).not.toMatch(/canary/);
    const [, now, copy] = await readdir(join(folder, 'etc'));
    expect([now, copy]).toEqual([
      'platen.yaml',
      expect.stringMatching(/^platen\.yaml\.\d{4}-\d\d-\d\dT[\d.-]+Z$/),
    ]);
    expect(await readFile(join(folder, 'etc', copy ?? ''), 'utf8')).toBe(comment);
    expect(await readFile(file, 'utf8')).toMatch(/^# ours\n/);
    expect(loadConfig(file, {}).cloud.apiKey.reveal()).toBe('canary-key-2');
  });

  it('stand in one file as well, and a flag goes before it', async () => {
    const answers = join(folder, 'answers.yaml');
    await writeFile(
      answers,
      `baseUrl: https://one.test:7300
apiKeyFile: key
description: From the file
printers:
  - { id: lobby, uri: "${printer.uri}", serialNumber: SN-0001, reader: pcsc }
wait: false
`,
    );
    const { code } = await init(
      '--answers',
      answers,
      '--base-url',
      'https://two.test',
      '--printer',
      `yard=${printer.uri},serial=SN-2`,
    );
    expect(code).toBe(0);
    expect(await settings()).toMatchObject({
      cloud: { baseUrl: 'https://two.test', authUrl: 'https://two.test' },
      device: { description: 'From the file' },
      terminals: [
        { id: 'lobby', readers: [{ type: 'pcsc' }] },
        { id: 'yard', serialNumber: 'SN-2' },
      ],
    });
  });

  it('replace what the shipped example says by way of example, and keep its comments', async () => {
    await init(...service, ...keyFile(), ...lobby());
    await writeFile(file, await readFile('config/kiosk.yaml', 'utf8'));
    const { code } = await init(...service, ...lobby());
    expect(code).toBe(0);
    expect(await readFile(file, 'utf8')).toContain('# A kiosk: one printer, one reader, one screen.');
    expect(loadConfig(file, {}).terminals.map(({ id }) => id)).toEqual(['lobby']);
  });
});

describe('the file of the package', () => {
  const shipped = () => readFile('systemd/debian/platen.yaml', 'utf8');
  beforeEach(async () => {
    await mkdir(join(folder, 'etc'));
    await writeFile(file, await shipped());
    await writeFile(join(folder, 'etc', 'api-key'), '');
  });

  it('wants three answers', async () => {
    const { code, error } = await init();
    expect([code, error.split('\n')]).toEqual([
      64,
      expect.toSatisfy((lines: string[]) => lines.length === 3),
    ]);
  });

  it('has a terminal that is filled in where it is named, and goes where another one is', async () => {
    expect(
      (await init(...service, ...keyFile(), '--printer', `entrance=${printer.uri},serial=SN-1`)).code,
    ).toBe(0);
    expect(loadConfig(file, {}).terminals.map(({ id, serialNumber }) => [id, serialNumber])).toEqual([
      ['entrance', 'SN-1'],
    ]);
    expect(await readFile(file, 'utf8')).toContain('# 1. Where the service is');
    await writeFile(file, await shipped());
    expect((await init(...service, ...lobby())).code).toBe(0);
    expect(loadConfig(file, {}).terminals.map(({ id }) => id)).toEqual(['lobby']);
  });
});

describe('what is not right', () => {
  it('is all named at once where it is missing, and nothing is written', async () => {
    const { code, error } = await init('--reader', 'lobby=/dev/ttyS9');
    expect(code).toBe(64);
    expect(error.split('\n').map((line) => line.slice(0, 52))).toEqual([
      'platen: the address of the service is missing: --bas',
      'platen: the API key is missing: --api-key-file FILE ',
      'platen: a printer is missing: --printer ID=URI,seria',
      'platen: --reader lobby=/dev/ttyS9: there is no termi',
    ]);
    expect(await readdir(folder)).toEqual(['key']);
  });

  it('is a terminal that is answered for twice', async () => {
    const { code, error } = await init(...service, ...keyFile(), ...lobby(), ...lobby());
    expect([code, error]).toEqual([64, expect.stringContaining('lobby is given twice')]);
  });

  it('is told by the schema, with exit 78, and the file stays as it was', async () => {
    await init(...service, ...keyFile(), ...lobby());
    const before = await readFile(file, 'utf8');
    const { code, error } = await init(
      '--base-url',
      'http://cloud.test',
      '--printer',
      'yard=lpt1:,serial=SN-2',
    );
    expect(code).toBe(78);
    expect(error).toContain('cloud.baseUrl: http:// is allowed only for a loopback address');
    expect(error).toContain('terminals[1].printer.uri: must be ipp://');
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it.each([
    [
      'printers: 3\ncolour: red\n',
      78,
      /answers\.yaml:1: printers: must be an array\n.*:2: colour: is not a key/,
    ],
    ['a: [\n', 78, /answers\.yaml/],
    ['wait: 0\n', 78, /wait: must be above 0, or false if the command must not wait/],
    ['baseUrl: *nothing\n', 78, /answers\.yaml: Line 1: put quotes around/],
  ])('is a mistake in the answers: %j', async (text, wanted, why) => {
    const answers = join(folder, 'answers.yaml');
    await writeFile(answers, text);
    const { code, error } = await init('--answers', answers);
    expect([code, error]).toEqual([wanted, expect.stringMatching(why)]);
  });

  it.each([
    ['--printer', 'Lobby=ipp://x/'],
    ['--printer', 'lobby'],
    ['--wait', '0'],
  ])('is a mistake of use: %s %s', async (...flags) => {
    expect((await init(...flags)).code).toBe(64);
  });

  it('is a printer that does not answer: told with what to do, and written all the same', async () => {
    const away = 'ipp://127.0.0.1:9/ipp/print';
    const { code, error } = await init(...service, ...keyFile(), '--printer', `lobby=${away},serial=SN-0001`);
    expect([code, error]).toEqual([0, expect.stringContaining(`lobby: ${away} does not answer: `)]);
    expect(loadConfig(file, {}).terminals).toHaveLength(1);
    const unnumbered = await init('--printer', `yard=${away}`);
    expect([unnumbered.code, unnumbered.error]).toEqual([
      64,
      expect.stringContaining('the serial number of yard is missing'),
    ]);
  });

  it('is a service that is not there: nothing is written where an agent would be started with it', async () => {
    const { code, error } = await commandHere([
      'init',
      '-c',
      file,
      '--yes',
      '--base-url',
      'http://127.0.0.1:9',
      '--wait',
      '0.1',
      ...keyFile(),
      ...lobby(),
    ]);
    expect([code, error]).toEqual([
      1,
      expect.stringMatching(/connection was refused.*\n.*\n.*Nothing was written/),
    ]);
    expect(await readdir(folder)).toEqual(['key']);
  });

  it("is a list, or answers, that the service's user could have written: root reads none (T26)", async () => {
    const list = join(folder, 'printers.csv');
    await writeFile(list, 'lobby,auto,SN-1\n');
    const { uid, gid } = await stat(list);
    expect(() => givenText(list, { reader: { uid, gid } })).toThrow("the service's user can write to it");
    expect(givenText(list, { reader: undefined })).toBe('lobby,auto,SN-1\n');
  });

  it('is a symbolic link where the file should be: it is not followed (T26)', async () => {
    await init(...service, ...keyFile(), ...lobby());
    await rm(file);
    await writeFile(join(folder, 'other'), 'untouched');
    await symlink(join(folder, 'other'), file);
    const { code, error } = await init(...service, ...lobby());
    expect([code, error]).toEqual([1, expect.stringContaining('is a symbolic link')]);
    expect(await readFile(join(folder, 'other'), 'utf8')).toBe('untouched');
  });

  it('is a key elsewhere: what the configuration names is not overwritten (T26)', async () => {
    await init(...service, ...keyFile(), ...lobby());
    const victim = join(folder, 'victim');
    await writeFile(victim, 'precious\n');
    await writeFile(file, (await readFile(file, 'utf8')).replace('file: api-key', `file: ${victim}`));
    const { code } = await init(...service, ...keyFile(), ...lobby());
    expect([code, await readFile(victim, 'utf8')]).toEqual([1, 'precious\n']);
  });
});
