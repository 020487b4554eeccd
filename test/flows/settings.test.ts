/** The administrator changes what the service says of a terminal, and the terminal follows. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { minutes } from '../../src/core/duration.ts';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import type { ForwardClock } from '../support/forward-clock.ts';
import { forwardClock } from '../support/forward-clock.ts';
import type { Running, StageOptions } from '../support/agent/stage.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';

/** The stage's printer is on loopback, which no service may name unless the administrator does. */
const fromTheService: StageOptions = {
  terminal: { printer: { uri: 'auto', stallSeconds: 5 } },
  config: { printerNetwork: { allow: ['127.0.0.1/32'], ports: ['1024-65535'] } },
};

type PortFacts = Partial<SimulatedCloud['state']['outputPorts'][number]>;

function setPort({ state }: SimulatedCloud, facts: PortFacts): void {
  state.outputPorts = state.outputPorts.map((port) => (port.id === 7 ? { ...port, ...facts } : port));
}

/** The terminal looks hourly. */
async function nextLook(clock: ForwardClock, reported: Promise<unknown>): Promise<void> {
  clock.forward(minutes(70));
  await clock.hurry(reported);
}

interface TerminalStatus {
  readonly ready: boolean;
  readonly printer: { readonly uri: string };
  readonly settings: Readonly<Record<string, { readonly value: unknown; readonly from: string }>>;
  readonly settingsSince: string | null;
  readonly settingsRead: string | null;
}

async function statusOf(agent: Running): Promise<TerminalStatus> {
  const response = await fetch(`${agent.operations}/status`);
  const { terminals } = (await response.json()) as { terminals: TerminalStatus[] };
  const [terminal] = terminals;
  if (!terminal) throw new Error('no terminal in the status');
  return terminal;
}

it('another printer, autoRelease and a time limit: the terminal follows after its next look', async () => {
  const clock = forwardClock();
  await using stage = await setStage({ ...fromTheService, clock });
  await using second = await startVirtualPrinter();
  const { cloud, printer, reader } = stage;
  setPort(cloud, { printerIppUrl: printer.uri, autoRelease: false, logoutTimeout: 60 });
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  expect(await statusOf(agent)).toMatchObject({
    printer: { uri: printer.uri },
    settings: {
      autoRelease: { value: false, from: 'output port' },
      logoutTimeoutSeconds: { value: 60, from: 'output port' },
    },
  });

  setPort(cloud, { printerIppUrl: second.uri, autoRelease: true, logoutTimeout: 120 });
  await nextLook(
    clock,
    agent.told('settings adopted', ({ changed }) => String(changed).includes('printerUri')),
  );
  await agent.told('printer address adopted', (record) => record['printer'] === second.uri);
  expect((await statusOf(agent)).settings['logoutTimeoutSeconds']).toEqual({
    value: 120,
    from: 'output port',
  });

  reader.tap(aliceCard);
  await clock.hurry(agent.told('session closed', ({ reason }) => reason === 'released'));
  expect([printer.outputs.length, second.outputs.length]).toEqual([0, 2]);
});

it('after a restart with the service away, what it said before holds', async () => {
  const clock = forwardClock();
  await using stage = await setStage({ ...fromTheService, clock });
  const { cloud, printer } = stage;
  setPort(cloud, { printerIppUrl: printer.uri, autoRelease: true });
  const before = await stage.start();
  await before.told('terminal ready');
  const { settings, settingsSince } = await statusOf(before);
  await before.stop();
  await cloud[Symbol.asyncDispose]();

  const after = await stage.start();
  expect(await statusOf(after)).toMatchObject({
    printer: { uri: printer.uri },
    settings,
    settingsSince,
    settingsRead: null,
  });
});

it('an address where no printer may be is refused, and nothing connects to it (D9, T11)', async () => {
  const visits: unknown[] = [];
  const canary = createServer((socket) => void visits.push(socket.destroy()));
  canary.listen(0, '127.0.0.9');
  await once(canary, 'listening');
  onTestFinished(() => void canary.close());
  const address = canary.address();
  const port = typeof address === 'object' ? address?.port : undefined;

  const clock = forwardClock();
  await using stage = await setStage({ ...fromTheService, clock });
  const { cloud, printer, reader } = stage;
  setPort(cloud, { printerIppUrl: `ipp://127.0.0.9:${port}/ipp/print`, autoRelease: true });
  const agent = await stage.start();
  const raised = await agent.told('condition raised', ({ code }) => code === 'printer-address-refused');
  expect(raised).toMatchObject({
    scope: 'lobby',
    subject: 'printer',
    detail: `the service says ipp://127.0.0.9:${port}/ipp/print: 127.0.0.9 is a loopback address`,
  });
  await agent.told('terminal ready');
  await agent.told('reader up');
  reader.tap(aliceCard);
  expect(await agent.told('release ended')).toMatchObject({
    outcome: 'failed',
    code: 'printer-address-refused',
  });
  expect([visits, printer.outputs]).toEqual([[], []]);

  setPort(cloud, { printerIppUrl: printer.uri });
  await nextLook(
    clock,
    agent.told('condition cleared', ({ code }) => code === 'printer-address-refused'),
  );
  expect(visits).toEqual([]);
});

it.each([
  ['its output port', (cloud: SimulatedCloud, works: boolean) => setPort(cloud, { active: works })],
  [
    'printing in its terminal config',
    ({ state }: SimulatedCloud, enabled: boolean) => {
      const [{ config } = { config: undefined }] = sampleData.terminalConfigs;
      if (!config) throw new Error('the sample has no terminal config');
      const { services } = config;
      const changed = { ...config, services: { ...services, print: { ...services.print, enabled } } };
      state.terminalConfigs = [{ id: 31, name: 'Lobby terminal', devices: [7], config: changed }];
    },
  ],
])('a terminal is out of service while the service switches %s off', async (_what, set) => {
  const clock = forwardClock();
  await using stage = await setStage({ clock });
  const { cloud, reader } = stage;
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');

  set(cloud, false);
  await nextLook(
    clock,
    agent.told('condition raised', ({ code }) => code === 'terminal-disabled'),
  );
  reader.tap(aliceCard);
  await clock.hurry(agent.told('card ignored'));
  expect((await statusOf(agent)).ready).toBe(false);

  set(cloud, true);
  await nextLook(
    clock,
    agent.told('condition cleared', ({ code }) => code === 'terminal-disabled'),
  );
  await agent.told('terminal ready');
  await expect.poll(async () => (await statusOf(agent)).ready).toBe(true);
});

it('a card is shown to the service in the form it stores cards in', async () => {
  const users = sampleData.users.map((user) =>
    user.userName === 'alice' ? { ...user, cards: [BigInt(`0x${aliceCard}`).toString()] } : user,
  );
  const outputPorts = sampleData.outputPorts.map((port) => ({ ...port, decimalFormatForCardIds: true }));
  await using stage = await setStage({ cloud: { seed: { ...sampleData, users, outputPorts } } });
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  stage.reader.tap(aliceCard);
  await agent.told('session opened');
});
