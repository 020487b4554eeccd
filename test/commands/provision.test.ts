import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { OutputPortInfo } from '../../src/simulator/cloud/state.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { startProgram } from '../flows/program.ts';
import type { ServiceStage, ServiceStageOptions } from './service-stage.ts';
import { password, setServiceStage } from './service-stage.ts';

const terminal = (id: string, serialNumber: string, uri: string, more: object = {}) => ({
  ...{ id, serialNumber, ...more },
  printer: { uri },
});
const annex = terminal('annex', 'SN-0100', 'ipp://10.0.0.100/ipp/print');

const setStage = (terminals: readonly object[], options: ServiceStageOptions = {}) =>
  setServiceStage({ ...options, terminals });

/** As the embedded administrator. */
const provision = (stage: ServiceStage, ...options: readonly string[]) =>
  stage.platen('provision', '--user', 'admin', '--password-file', stage.passwordFile, ...options);

const portOf = ({ cloud }: ServiceStage, deviceSerial: string): OutputPortInfo | undefined =>
  cloud.state.outputPorts.find((port) => port.deviceSerial === deviceSerial);

/** The calls that would change something. */
const changesAt = ({ cloud }: ServiceStage): readonly string[] =>
  cloud.calls
    .filter(({ path }) => path.includes('/outputports'))
    .map(({ method }) => method)
    .filter((method) => method !== 'GET');

const lobbyAt = (uri: string) => terminal('lobby', 'SN-0001', uri);

describe('platen provision', () => {
  it('tells what it would make, and makes nothing', async () => {
    await using stage = await setStage([annex]);
    const { code, out, error } = await provision(stage);
    expect([code, error]).toEqual([0, '']);
    expect(out.split('\n')).toEqual([
      'annex: would be created in example.org: portName annex, address 10.0.0.100, printProtocol ipp, ' +
        'printerIppUrl ipp://10.0.0.100/ipp/print, deviceSerial SN-0100, description Platen print-release terminal',
      'Nothing was changed. To make these changes, add --apply.',
    ]);
    expect(changesAt(stage)).toEqual([]);
  });

  it('makes the missing port with --apply, and finds it in order then', async () => {
    const typed = { ...annex, printer: { ...annex.printer, outputType: 'pcl6' } };
    await using stage = await setStage([typed]);
    const made = await provision(stage, '--apply');
    expect(made).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^annex: created as output port \d+ in example.org/),
    });
    expect(portOf(stage, 'SN-0100')).toMatchObject({
      ...{ name: 'annex', address: '10.0.0.100', portType: 1, printProtocol: 1, outputType: 3, accountId: 2 },
      printerIppUrl: 'ipp://10.0.0.100/ipp/print',
      description: 'Platen print-release terminal',
    });
    expect((await provision(stage, '--apply')).out).toMatch(/^annex: output port \d+ is correct$/);
    expect(changesAt(stage)).toEqual(['POST']);
  });

  it('makes it in the given domain', async () => {
    await using stage = await setStage([annex]);
    await provision(stage, '--apply', '--domain', 'kitchen.example.org');
    expect(portOf(stage, 'SN-0100')).toMatchObject({
      ...{ accountId: 2, parentAccountOrContainerId: 5, containerName: 'Kitchen' },
    });
    expect(stage.cloud.calls.some(({ path }) => path.endsWith('/account'))).toBe(false);
  });

  it('changes what differs and nothing else, and an IPv6 address stands without its brackets', async () => {
    await using stage = await setStage([lobbyAt('ipps://[fd00::7]/ipp/print')]);
    const before = portOf(stage, 'SN-0001');
    const differences =
      'changed: address 127.0.0.1 -> fd00::7, printerIppUrl none -> ipps://[fd00::7]/ipp/print';
    expect((await provision(stage)).out).toContain(`lobby: output port 7 would be ${differences}`);
    expect(changesAt(stage)).toEqual([]);
    expect((await provision(stage, '--apply')).out).toBe(`lobby: output port 7 is ${differences}`);
    expect(portOf(stage, 'SN-0001')).toEqual({
      ...before,
      address: 'fd00::7',
      printerIppUrl: 'ipps://[fd00::7]/ipp/print',
    });
    expect(changesAt(stage)).toEqual(['PATCH']);
  });

  it.each([
    ['the account', 2, [], 'example.org'],
    ['its container', 5, [], 'kitchen.example.org'],
    ['where it stands, wherever new ones go', 2, ['--domain', 'kitchen.example.org'], 'example.org'],
  ])(
    'names the port that it changes by its domain, of %s (row 49)',
    async (_, parent, options, domainname) => {
      const [lobby, ...others] = sampleData.outputPorts;
      const moved = lobby && [{ ...lobby, portType: 0, parentAccountOrContainerId: parent }, ...others];
      const seed = { ...sampleData, outputPorts: moved ?? others };
      await using stage = await setStage([lobbyAt('ipp://10.0.0.7/ipp/print')], { cloud: { seed } });
      expect(await provision(stage, '--apply', ...options)).toMatchObject({ code: 0 });
      const sent = stage.cloud.calls.find(({ method }) => method === 'PATCH')?.body;
      expect(Object.fromEntries(new URLSearchParams(sent))).toEqual({
        ...{ domainname, portname: 'Lobby', porttype: '0', deviceserial: 'SN-0001' },
        ...{ address: '10.0.0.7', printerippurl: 'ipp://10.0.0.7/ipp/print' },
      });
    },
  );

  it('goes on after a failure, and tells of it with exit 1', async () => {
    const other = terminal('other', 'SN-0101', 'ipp://10.0.0.101/ipp/print');
    await using stage = await setStage([annex, lobbyAt('ipp://10.0.0.7/ipp/print'), other]);
    stage.cloud.answerNext(
      { method: 'POST', path: /outputports/ },
      { kind: 'status', status: 400, body: '{"errorCode":1009}' },
    );
    const { code, out, error } = await provision(stage, '--apply');
    expect(code).toBe(1);
    expect(error).toMatch(/^platen: annex: POST .*error 1009 \(create-output-port-error\)/);
    expect(out.split('\n')).toMatchObject([
      expect.stringContaining('lobby: output port 7 is changed'),
      expect.stringContaining('other: created as output port'),
    ]);
    expect(changesAt(stage)).toEqual(['POST', 'PATCH', 'POST']);
  });

  it('says that a port may have been made where the answer was lost, and does not make another', async () => {
    await using stage = await setStage([annex]);
    stage.cloud.answerNext({ method: 'POST', path: /outputports/ }, { kind: 'answer-lost' });
    const lost = await provision(stage, '--apply');
    expect([lost.code, lost.error]).toEqual([1, expect.stringContaining('run this again to see')]);
    expect(await provision(stage, '--apply')).toMatchObject({
      code: 0,
      out: expect.stringContaining('is correct'),
    });
    expect(changesAt(stage)).toEqual(['POST']);
  });

  it('prints all of it as JSON', async () => {
    await using stage = await setStage([annex, lobbyAt('ipp://10.0.0.7/ipp/print')]);
    const { code, out } = await provision(stage, '--json', '--apply');
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      [
        { terminal: 'annex', state: 'created', outputPortId: portOf(stage, 'SN-0100')?.id },
        { terminal: 'lobby', state: 'changed', outputPortId: 7 },
      ],
    ]);
  });
});

describe('the login of platen provision', () => {
  it('takes the password from standard input, which shows it nowhere', async () => {
    await using stage = await setStage([annex]);
    await using platen = startProgram(['provision', '-c', stage.configFile, '--user', 'admin']);
    platen.child.stdin?.end(`${password}\n`);
    expect((await platen.exited).code).toBe(0);
    expect(platen.stdout()).toContain('annex: would be created');
    expect(platen.stdout() + platen.stderr()).not.toContain(password);
  });

  it.each([
    ['with another password', 'bob', password, 'status 401'],
    ['without the permission', 'alice', 'alice-secret', 'status 403'],
  ])('%s makes nothing: exit 1', async (_, user, given, named) => {
    await using stage = await setStage([annex]);
    await writeFile(stage.passwordFile, given);
    const { code, error } = await stage.platen(
      'provision',
      ...['--user', user, '--password-file', stage.passwordFile, '--apply'],
    );
    expect([code, error, portOf(stage, 'SN-0100')]).toEqual([1, expect.stringContaining(named), undefined]);
    expect(error).not.toContain(given);
  });

  it('needs a device that was approved', async () => {
    await using stage = await setStage([annex], { device: 'new' });
    const { code, error } = await provision(stage);
    expect([code, error]).toEqual([1, expect.stringContaining('Start the agent, and have it approved')]);
  });

  it('is a mistake of use when it names nobody', async () => {
    await using stage = await setStage([annex], { device: 'new' });
    const { code, error } = await stage.platen('provision', '--apply');
    expect([code, error, stage.cloud.calls]).toEqual([64, expect.stringContaining('--user'), []]);
  });

  it('asks for the domain where the account has none', async () => {
    const accounts = sampleData.accounts.map((account) => ({ ...account, domainNames: [] }));
    await using stage = await setStage([annex], { cloud: { seed: { ...sampleData, accounts } } });
    const { code, error } = await provision(stage, '--apply');
    expect([code, error]).toEqual([
      1,
      'platen: annex: the account Example has no primary domain; give --domain',
    ]);
  });
});
