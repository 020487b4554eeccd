import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { standardFaults } from '../../src/simulator/cloud/standard-faults.ts';
import type { OutputPortInfo } from '../../src/simulator/cloud/state.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { startProgram } from '../support/program.ts';
import type { ServiceStage, ServiceStageOptions } from './service-stage.ts';
import { password, setServiceStage } from './service-stage.ts';

const terminal = (id: string, serialNumber: string, uri: string, more: object = {}) => ({
  id,
  serialNumber,
  ...more,
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
      name: 'annex',
      address: '10.0.0.100',
      portType: 1,
      printProtocol: 1,
      outputType: 3,
      accountId: 2,
      printerIppUrl: 'ipp://10.0.0.100/ipp/print',
      description: 'Platen print-release terminal',
    });
    expect((await provision(stage, '--apply')).out).toMatch(/^annex: output port \d+ is correct$/);
    expect(changesAt(stage)).toEqual(['POST']);
  });

  it('promises nothing in a domain that nothing has', async () => {
    await using stage = await setStage([annex]);
    const { code, out, error } = await provision(stage, '--domain', 'kichen.example.org');
    expect([code, out, error]).toEqual([
      1,
      '',
      'platen: nothing in the service has the domain kichen.example.org. Correct it, or make a container for it with --container NAME',
    ]);
  });

  it('makes it in the given domain', async () => {
    await using stage = await setStage([annex]);
    await provision(stage, '--apply', '--domain', 'kitchen.example.org');
    expect(portOf(stage, 'SN-0100')).toMatchObject({
      accountId: 2,
      parentAccountOrContainerId: 5,
      containerName: 'Kitchen',
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
        domainname,
        portname: 'Lobby',
        porttype: '0',
        deviceserial: 'SN-0001',
        address: '10.0.0.7',
        printerippurl: 'ipp://10.0.0.7/ipp/print',
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
    expect([lost.code, lost.error]).toEqual([1, expect.stringContaining('Run this command again to see')]);
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

describe('platen provision with a place of its own', () => {
  const kitchen = ['--domain', 'kitchen.example.org'];
  const cellar = ['--domain', 'cellar.example.org', '--container', 'Cellar'];
  const callsOf = ({ cloud }: ServiceStage) =>
    cloud.calls
      .filter(({ method, path }) => method !== 'GET' && !/oauth|login/.test(path))
      .map(({ method, path }) => `${method} ${path.replace('/api/v1', '')}`);

  it('moves the ports that stand elsewhere, tells of it before, and finds them there then', async () => {
    await using stage = await setStage([lobbyAt('ipp://127.0.0.1/ipp/print'), annex]);
    const reported = await provision(stage, ...kitchen, '--move');
    expect(reported.out).toMatch(
      /^lobby: output port 7 would be changed: .*; would be moved from example\.org to kitchen\.example\.org$/m,
    );
    expect(callsOf(stage)).toEqual([]);
    const done = await provision(stage, ...kitchen, '--move', '--apply');
    expect([done.code, done.out]).toEqual([
      0,
      expect.stringContaining('; is moved from example.org to kitchen'),
    ]);
    expect(callsOf(stage)).toEqual(['PATCH /outputports/7', 'PUT /outputports/7/move', 'POST /outputports']);
    expect(portOf(stage, 'SN-0001')).toMatchObject({
      containerName: 'Kitchen',
      parentAccountOrContainerId: 5,
    });
    expect((await provision(stage, ...kitchen, '--move', '--apply')).out).toMatch(
      /^lobby: output port 7 is correct\nannex: output port \d+ is correct$/,
    );
  });

  it('makes the container where there is none, puts the ports into it, and makes no second one', async () => {
    await using stage = await setStage([annex]);
    expect((await provision(stage, ...cellar)).out).toContain(
      'container: would be created: Cellar in example.org, with the domain cellar.example.org',
    );
    const made = await provision(stage, ...cellar, '--apply', '--json');
    expect(JSON.parse(made.out)).toMatchObject([
      { about: 'container', state: 'created' },
      { terminal: 'annex', state: 'created' },
    ]);
    expect(portOf(stage, 'SN-0100')).toMatchObject({ containerName: 'Cellar' });
    expect((await provision(stage, ...cellar, '--apply')).out).toContain(
      'container: Cellar has the domain cellar.example.org',
    );
    expect(callsOf(stage)).toEqual(['PUT /account', 'POST /outputports']);
    const asked = stage.cloud.calls.find(({ method, path }) => `${method} ${path}` === 'PUT /api/v1/account');
    expect(Object.fromEntries(new URLSearchParams(asked?.body))).toEqual({
      parentdomain: 'example.org',
      accountname: 'Cellar',
      accounttype: '3',
      domainname: 'cellar.example.org',
      applicationname: 'Cellar',
    });
  });

  it.each([
    [
      ['--domain', 'cellar.example.org', '--container', 'Kitchen'],
      /Kitchen exists already, but with the domains kitchen\.example\.org, not/,
    ],
    [
      ['--domain', 'example.org', '--container', 'Cellar'],
      /example\.org is already the domain of the object with the id 2/,
    ],
  ])('puts nothing anywhere where the container is unclear: %j', async (options, why) => {
    await using stage = await setStage([annex]);
    const { code, error } = await provision(stage, ...options, '--apply');
    expect([code, error]).toEqual([1, expect.stringMatching(why)]);
    expect(callsOf(stage)).toEqual([]);
  });

  it('says how the place is made that nothing has, and what was done to the port before', async () => {
    await using stage = await setStage([lobbyAt('ipp://10.0.0.7/ipp/print')]);
    const { code, error } = await provision(stage, '--domain', 'nowhere.example', '--move', '--apply');
    expect([code, error]).toEqual([
      1,
      expect.stringMatching(
        /output port 7 is changed: .*; nothing in the service has the domain nowhere\.example\. Make a container for it with --container NAME/,
      ),
    ]);
  });

  it('tells what keeps a port where it is', async () => {
    await using stage = await setStage([lobbyAt('ipp://10.0.0.7/ipp/print')]);
    stage.cloud.answerNext({ method: 'PUT', path: /move$/ }, standardFaults['status 403']);
    const { code, error } = await provision(stage, ...kitchen, '--move', '--apply');
    expect([code, error]).toEqual([1, expect.stringMatching(/is changed: .*; not moved: .*status 403/)]);
  });
});

describe('platen provision with a terminal config', () => {
  const config = ['--terminal-config', 'Entrances', '--vendor', 'eop'];
  const workshop = terminal('workshop', 'SN-0002', 'ipp://127.0.0.1/ipp/print');

  it('makes one for the ports that have none, new ones too, and none where each has one', async () => {
    await using stage = await setStage([lobbyAt('ipp://127.0.0.1/ipp/print'), workshop, annex]);
    expect((await provision(stage, ...config)).out).toContain(
      'terminal config: would be created: Entrances, for lobby, annex',
    );
    const { out } = await provision(stage, ...config, '--apply');
    expect(out).toMatch(/terminal config: created with the id \d+: Entrances, for lobby, annex/);
    expect(stage.cloud.state.terminalConfigs.at(-1)).toMatchObject({
      name: 'Entrances',
      devices: [7, portOf(stage, 'SN-0100')?.id],
    });
    expect((await provision(stage, ...config, '--apply')).out).toContain(
      'terminal config: every output port has one',
    );
  });

  it('tells of a refusal with exit 1', async () => {
    await using stage = await setStage([lobbyAt('ipp://127.0.0.1/ipp/print')]);
    stage.cloud.answerNext({ method: 'POST', path: '/terminalconfig' }, standardFaults['status 400']);
    const { code, error } = await provision(stage, ...config, '--apply');
    expect([code, error]).toEqual([1, expect.stringMatching(/^platen: terminal config: .*status 400/)]);
  });
});

describe('an option of platen provision that means nothing alone', () => {
  it.each([
    [['--move'], '--move needs --domain DOMAIN'],
    [['--domain', 'two words'], '--domain two words is not a domain'],
    [['--domain', '-a.example', '--move'], '--domain -a.example is not a domain'],
    [['--container', 'Cellar'], '--container needs --domain DOMAIN'],
    [['--terminal-config', 'Entrances'], 'give --terminal-config NAME and --vendor MAKER together'],
    [['--vendor', 'eop'], 'give --terminal-config NAME and --vendor MAKER together'],
  ])('%j is a mistake of use', async (options, reported) => {
    await using stage = await setStage([annex], { device: 'new' });
    const { code, error } = await provision(stage, ...options);
    expect([code, error, stage.cloud.calls]).toEqual([64, expect.stringContaining(reported), []]);
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
    ['with another password', 'bob', password, 'refuses the name bob or its password (status 401)'],
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
    expect([code, error]).toEqual([1, expect.stringContaining('Start the agent, and get it approved')]);
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
      'platen: annex: the account Example has no primary domain. Give --domain',
    ]);
  });
});
