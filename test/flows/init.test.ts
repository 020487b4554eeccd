/** An administrator sets a machine up with `platen init`: by flags, and in a dialogue at a terminal. */
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { attribute } from '../../src/ipp/message.ts';
import { textWithoutLanguage } from '../../src/ipp/values.ts';
import type { CloudOptions, SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import type { VirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { freePort } from '../support/ports.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { startAtTerminal } from './terminal-program.ts';

/** Of this machine and no loopback address, so that a connection is refused at once; else one for documentation. */
const ownAddress = (): string =>
  Object.values(networkInterfaces())
    .flatMap((infos) => infos ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '192.0.2.7';

interface Machine extends AsyncDisposable {
  readonly folder: string;
  readonly file: string;
  readonly cloud: SimulatedCloud;
  readonly printer: VirtualPrinter;
  /** The three answers, as flags. */
  readonly flags: readonly string[];
}

/** A machine with the example of the package, and what a test needs so as to disturb nobody. */
async function setUp(options: CloudOptions): Promise<Machine> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'platen-init-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const cloud = opened.use(await startCloud(options));
  const printer = opened.use(await startVirtualPrinter());
  const file = join(folder, 'platen.yaml');
  await writeFile(join(folder, 'key'), 'sample-api-key\n');
  await writeFile(
    file,
    `# The kiosk at the entrance.
cloud:
  baseUrl: https://cloud.example:7300
  authUrl: https://cloud.example:7400
  apiKey: { file: api-key } # never in here
device: { description: Entrance, poll: { firstSeconds: 1 } }
stateDir: state
kiosk: { listen: 127.0.0.1:${await freePort()} }
operations: { listen: 127.0.0.1:${await freePort()} }
terminals: []
`,
  );
  const held = opened.move();
  const flags = ['--base-url', cloud.baseUrl, '--api-key-file', join(folder, 'key')];
  return {
    folder,
    file,
    cloud,
    printer,
    flags: ['init', '-c', file, ...flags, '--printer', `lobby=${printer.uri},serial=SN-0001`],
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

it('by flags goes the whole way: written, registered, approved, ready, a page printed, and comments kept', async () => {
  await using machine = await setUp({ approval: 'by-hand', userCodes: 'given' });
  const { cloud, printer, file, flags } = machine;
  await using init = startProgram([...flags, '--description', 'Main entrance', '--test-page']);
  await init.printed('in the list of endpoints, approve "Main entrance" of type printer.');
  await init.printed('waiting for an administrator to approve, user code WDJB-MJHT');
  cloud.approve();
  expect(await init.exited).toEqual({ code: 0, signal: null });
  expect(init.stdout()).toContain('Ready: lobby\n');
  expect(init.stdout()).toMatch(/test page at lobby .* printed as job \d+; the printer confirmed it/);
  expect(init.stderr()).toBe('');
  expect(printer.outputs).toHaveLength(1);
  expect(cloud.state.endpoints).toMatchObject([{ description: 'Main entrance' }]);
  expect(init.stdout()).not.toContain('sample-api-key');
  expect(await readFile(file, 'utf8')).toContain('  apiKey: { file: api-key } # never in here\n');
  expect([...cloud.deviations, ...printer.deviations]).toEqual([]);
  const { stdout: deeds } = await runProgram(['timeline', '--admin', '--json', '-c', file]);
  expect(JSON.parse(deeds)).toMatchObject({
    what: 'administrator acted',
    action: 'init',
    by: process.getuid?.(),
    changed: expect.arrayContaining(['cloud.baseUrl', 'device.description']),
  });
  expect(deeds).not.toContain('Main entrance');
});

it('asks at a terminal, shows no key, is not led by what lies in DNS-SD (T13, T21), and may be left and gone on with', async () => {
  await using machine = await setUp({ approval: 'by-hand' });
  const { cloud, printer, folder, file } = machine;
  const programs = join(folder, 'bin');
  await mkdir(programs);
  // As avahi-browse 0.8 prints it; nobody listens there.
  const found = String.raw`=;eth0;IPv4;Evil\027]0\059owned\007\010;_ipp._tcp;local;e.local;${ownAddress()};9;"rp=ipp/print"`;
  await writeFile(join(programs, 'avahi-browse'), `#!/bin/sh\ncat <<'END'\n${found}\nEND\n`);
  await chmod(join(programs, 'avahi-browse'), 0o755);

  await using terminal = startAtTerminal(['init', '-c', file], {
    before: programs,
    then: 'echo exit $?; stty -a',
  });
  await terminal.answer('Address of the print service:', 'gopher://x');
  await terminal.shows('must be an https:// address');
  await terminal.answer('Address of the print service:', cloud.baseUrl);
  await terminal.answer('API key (not shown):', 'mistyped');
  await terminal.shows('The service does not accept the API key');
  await terminal.answer('Use it anyway? (yes or no) [no]:', '');
  await terminal.answer('API key (not shown):', 'sample-api-key');
  await terminal.shows('The service answers, has version 1.0.0-simulated, and accepts the API key.');
  await terminal.shows(`Devices sign in at ${cloud.authUrl}.`);
  await terminal.shows(`ipp://${ownAddress()}:9/ipp/print`);
  await terminal.answer('Printer: its number, or its address:', printer.uri);
  await terminal.shows('Platen Virtual Printer, idle, takes application/pdf');
  await terminal.answer('Its serial number in the print service', 'SN-0001');
  await terminal.shows('the API key: a new one (not shown)');
  await terminal.shows(`Written: ${file}`);
  await terminal.shows('waiting for an administrator to approve');
  terminal.type('\u0003');
  await terminal.shows('platen: Run this again to continue');
  await terminal.exited;
  const { stdout: deeds } = await runProgram(['timeline', '--admin', '--json', '-c', file]);
  expect(deeds.split('\n').filter((line) => line.includes('"init"'))).toHaveLength(1);
  expect(terminal.output()).toMatch(/exit 4\r\n.* icanon .* echo /s);
  expect(cloud.state.endpoints).toHaveLength(1);
  expect(printer.outputs).toEqual([]);

  expect(terminal.output()).not.toContain('sample-api-key');
  expect(terminal.output()).not.toContain('\u001b]0;');
  expect(terminal.output()).toContain(String.raw`Evil\u001b]0;owned\u0007\u000a`);
  const config = loadConfig(file, {});
  expect(config.cloud.apiKey.reveal()).toBe('sample-api-key');
  expect(config.terminals.map(({ id, serialNumber }) => [id, serialNumber])).toEqual([
    ['platen-virtual-printer', 'SN-0001'],
  ]);
});

it('needs three answers where the printer tells its serial number, and asks nothing else before it is written', async () => {
  await using cloud = await startCloud({ approval: 'at-once' });
  await using printer = await startVirtualPrinter({
    attributes: [attribute('printer-serial-number', textWithoutLanguage('SN-0001'))],
  });
  const folder = await mkdtemp(join(tmpdir(), 'platen-init-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'platen.yaml');
  await writeFile(file, await readFile('systemd/debian/platen.yaml', 'utf8'));
  await using terminal = startAtTerminal(['init', '--no-wait', '-c', file], {
    before: folder,
    then: 'echo exit $?',
  });
  await terminal.shows('A print service has two addresses');
  await terminal.answer('Address of the print service:', cloud.baseUrl);
  await terminal.answer('API key (not shown):', 'sample-api-key');
  await terminal.answer('Printer: its', printer.uri);
  await terminal.shows('exit 0');
  const config = loadConfig(file, {});
  expect(config.cloud.authUrl).toBe(cloud.authUrl);
  expect(config.terminals).toMatchObject([{ id: 'entrance', serialNumber: 'SN-0001' }]);
  expect(await readFile(file, 'utf8')).toContain(
    '# 3. The printer: its serial number as the service knows it',
  );
  expect(cloud.state.endpoints).toEqual([]);
});

it('writes nothing for a key that the service refuses, with exit 1', async () => {
  await using machine = await setUp({});
  await writeFile(join(machine.folder, 'key'), 'mistyped\n');
  const before = await readFile(machine.file, 'utf8');
  const { code, stderr } = await runProgram([...machine.flags, '--yes']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('The service does not accept the API key')]);
  expect(stderr).toContain('Nothing was written');
  expect(await readFile(machine.file, 'utf8')).toBe(before);
  expect((await readdir(machine.folder)).sort()).toEqual(['key', 'platen.yaml']);
});
