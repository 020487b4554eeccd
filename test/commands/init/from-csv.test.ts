/** `platen init --from printers.csv`: a whole house of terminals from a list, looked at before anything is written. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { attribute } from '../../../src/ipp/message.ts';
import { textWithoutLanguage } from '../../../src/ipp/values.ts';
import type { VirtualPrinter } from '../../../src/simulator/printer/printer.ts';
import { startVirtualPrinter } from '../../../src/simulator/printer/printer.ts';
import { startCloud } from '../../../src/simulator/cloud/cloud.ts';
import { commandHere } from '../../support/command-here.ts';

let printer: VirtualPrinter;
let folder: string;
let file: string;
let list: string;

beforeAll(async () => {
  printer = await startVirtualPrinter({
    attributes: [attribute('printer-serial-number', textWithoutLanguage('SN-4711'))],
  });
});
afterAll(() => printer[Symbol.asyncDispose]());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-list-'));
  file = join(folder, 'etc', 'platen.yaml');
  list = join(folder, 'printers.csv');
  await writeFile(join(folder, 'key'), 'mistyped\n');
  return () => rm(folder, { recursive: true });
});

const away = 'ipp://127.0.0.1:9/ipp/print';
const fromList = (...more: readonly string[]) => commandHere(['init', '-c', file, '--from', list, ...more]);
const dryRun = (...more: readonly string[]) => fromList('--dry-run', ...more);
const columns = (line: string | undefined) => line?.split(/ {2,}/);

describe('--dry-run', () => {
  it('shows what each printer answered, and what is still to be said, and writes nothing', async () => {
    await writeFile(
      list,
      `id,printer,serial number\r\nlobby,${printer.uri},\r\n"attic",${away},SN-2\r\nyard,auto,SN-3\r\n`,
    );
    const { code, out, error } = await dryRun();
    expect([code, error]).toEqual([0, '']);
    const lines = out.split('\n');
    const table = lines.slice(lines.findIndex((line) => line.startsWith('TERMINAL')));
    expect(table.slice(0, 4).map(columns)).toEqual([
      ['TERMINAL', 'PRINTER', 'SERIAL NUMBER', 'ANSWER'],
      ['lobby', printer.uri, 'SN-4711', expect.stringContaining('Platen Virtual Printer, idle, takes ')],
      ['attic', away, 'SN-2', expect.stringMatching(/^does not answer: /)],
      ['yard', 'auto', 'SN-3', 'was not asked'],
    ]);
    expect(out).toContain('1 of 2 printers answer.');
    expect(out).toContain('Still missing: the address of the service is missing');
    expect(out).toContain('Nothing was written.');
    expect(await readdir(folder)).toEqual(['key', 'printers.csv']);
  });

  it('gives the same to a program', async () => {
    await writeFile(list, `lobby,${printer.uri}\nattic,${away},SN-2\n`);
    const { code, out } = await dryRun('--json');
    expect([code, JSON.parse(out)]).toEqual([
      0,
      [
        expect.objectContaining({ id: 'lobby', uri: printer.uri, serialNumber: 'SN-4711', state: 'idle' }),
        expect.objectContaining({ id: 'attic', failure: expect.any(String) as string }),
      ],
    ]);
  });

  it('fails where the service would have refused it, as the run itself would', async () => {
    await writeFile(list, `lobby,${printer.uri}\n`);
    await using cloud = await startCloud({});
    const service = ['--base-url', cloud.baseUrl, '--auth-url', cloud.authUrl];
    const wrong = await dryRun(...service, '--api-key-file', join(folder, 'key'));
    expect([wrong.code, wrong.out]).toEqual([1, expect.stringContaining('does not accept the API key')]);
    expect(wrong.out).toContain('Nothing was written.');
    await writeFile(join(folder, 'key'), `${cloud.apiKey}\n`);
    expect(await dryRun(...service, '--api-key-file', join(folder, 'key'))).toMatchObject({ code: 0 });
    await rm(join(folder, 'etc'), { recursive: true, force: true });
  });

  it('asks two hundred, some at a time, and says how far it is', async () => {
    const rows = Array.from({ length: 200 }, (_, at) => `t-${at},${printer.uri},SN-${at}`);
    await writeFile(list, `id,uri,serialNumber\n${rows.join('\n')}\n`);
    const { code, out } = await dryRun();
    expect([code, out.match(/^t-\d+ /gm)?.length]).toEqual([0, 200]);
    expect(out).toContain('asked 100 of 200 printers\n');
    expect(out).toContain('200 of 200 printers answer.');
  });

  it('shows what would change of a file that is there, and leaves it', async () => {
    await writeFile(list, `lobby,${printer.uri},SN-1\n`);
    await mkdir(join(folder, 'etc'));
    const before =
      '# ours\ncloud:\n  baseUrl: http://127.0.0.1:9\n  authUrl: http://127.0.0.1:9\n  apiKey: sample\n';
    await writeFile(file, before);
    const { code, out } = await dryRun();
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('terminals[0]: {"id":"lobby","serialNumber":"SN-1"'),
    ]);
    expect(await readFile(file, 'utf8')).toBe(before);
  });
});

describe('a list', () => {
  it('becomes terminals with their readers, beside those that are there', async () => {
    await writeFile(
      list,
      `Terminal;Printer;Serial;Reader\nlobby;${printer.uri};;pcsc\nattic;${away};SN-2;tcp-connect:10.0.0.21:10001\n`,
    );
    const service = ['--base-url', 'http://127.0.0.1:9', '--api-key-file', join(folder, 'key'), '--no-wait'];
    const { code, out } = await fromList(...service, '--printer', `yard=${printer.uri},serial=SN-3`);
    expect([code, out]).toEqual([0, expect.stringMatching(/^lobby +ipp:/m)]);
    expect(loadConfig(file, {}).terminals).toMatchObject([
      { id: 'lobby', serialNumber: 'SN-4711', readers: [{ type: 'pcsc' }] },
      {
        id: 'attic',
        serialNumber: 'SN-2',
        readers: [{ type: 'tcp-connect', address: { host: '10.0.0.21', port: 10001 } }],
      },
      { id: 'yard', serialNumber: 'SN-3' },
    ]);
  });

  it.each([
    ['lobby,ipp://10.0.0.7/\nLobby,ipp://x/\n', [':2: the id "Lobby": must be 1 to 32 of a-z, 0-9 and -']],
    [
      'lobby,10.0.0.7\n',
      [':1: the printer "10.0.0.7": must be ipp://, ipps://, socket://, cups: or windows:'],
    ],
    ['id,uri\n\nlobby\n', [':3: the printer is missing']],
    [
      'id,uri,colour\n',
      [':1: the column "colour" is unknown. The columns are id, uri, serialNumber, reader'],
    ],
    ['id,uri\n', [': contains no printer']],
    ['serial,reader\na,b\n', [':1: the columns id and uri are missing']],
    ['a,auto,1\nb,auto,2\na,auto,3\n', [':3: the id "a" is already in line 1']],
    ['a,auto,1,wand\n', [':1: the reader "wand": must be /dev/']],
    [
      'a,auto,1,tcp-listen:10.0.0.5:7382?colour=red\n',
      [':1: the reader "tcp-listen:10.0.0.5:7382?colour=red": must be /dev/'],
    ],
    ['a,auto,1,pcsc,more\n', [':1: has more than 4 columns']],
    ['a,"auto,1\n', [':1: a quote is not closed']],
    ['', [': contains no printer']],
  ])('with mistakes is refused with their lines, and nothing is written: %j', async (text, reported) => {
    await writeFile(list, text);
    const { code, out, error } = await fromList('--base-url', 'http://127.0.0.1:9');
    expect([code, out]).toEqual([78, '']);
    const lines = error.split('\n');
    for (const one of reported)
      expect(lines).toContainEqual(expect.stringContaining(`platen: ${list}${one}`));
    expect(await readdir(folder)).toEqual(['key', 'printers.csv']);
  });

  it('that is not there is named', async () => {
    const { code, error } = await dryRun();
    expect([code, error]).toEqual([1, `platen: ${list}: cannot be read (ENOENT)`]);
  });
});
