/**
 * The gateway of the simulation is a model of the agent. Here one real agent lives through the same half hours against the
 * embedded cloud, and the cloud's own log of calls says whether the model still asks what the agent asks.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { startAgent } from '../../src/agent/agent.ts';
import { checkConfig } from '../../src/config/load.ts';
import type { Chance } from '../../src/core/chance.ts';
import type { Duration } from '../../src/core/duration.ts';
import { minutes } from '../../src/core/duration.ts';
import { createLog } from '../../src/core/log.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { startWaitingReader } from '../../src/simulator/reader/network-reader.ts';
import type { Seed } from '../../src/simulator/sample/sample-data.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { diceOf, seededChance } from '../support/dice.ts';
import type { VirtualTime } from '../support/virtual-time.ts';
import { createVirtualTime } from '../support/virtual-time.ts';
import { gatherCrowd } from './crowd.ts';
import type { Kind } from './service.ts';
import { kindOf, kinds } from './service.ts';

const terminals = 3;
const intervalSeconds = 60;
const halfAnHour = minutes(30);
const away = minutes(10);
/** So old is the token of the simulated gateway when it begins. */
const before = minutes(15);

/** Neither draws anything: what they ask has to be the same, to the call. */
const evenChance = (): Chance => ({ ...seededChance(diceOf(1)), jitter: (span) => span });

type Counts = Readonly<Record<Kind, number>>;

interface Half {
  /** From the start. */
  readonly begun: Counts;
  /** From the return of a service that was away. */
  readonly back: Counts;
}

describe('one real agent', () => {
  it('makes the calls that the simulated gateway counts, kind by kind: after its start, and when the service is back', async () => {
    const agent = await callsOfAgent();
    expect(agent).toEqual(await callsOfModel());
    expect(agent.begun).toMatchObject({ version: 1, 'output ports': 1, report: 30 * terminals });
  });
});

async function callsOfModel(): Promise<Half> {
  const crowd = gatherCrowd({ gateways: 1, terminals, intervalSeconds, known: 1, chance: evenChance() });
  const counted = async (): Promise<Counts> => {
    const from = crowd.now();
    await crowd.pass(halfAnHour);
    const seconds = crowd.service.seconds(from, crowd.now());
    return countsBy((kind) => seconds.reduce((sum, second) => sum + second[kind], 0));
  };
  const begun = await counted();
  crowd.service.goAway();
  await crowd.pass(away);
  crowd.service.comeBack();
  const back = await counted();
  await crowd.stop();
  return { begun, back };
}

async function callsOfAgent(): Promise<Half> {
  await using opened = new AsyncDisposableStack();
  const stateDir = await mkdtemp(join(tmpdir(), 'platen-oracle-'));
  opened.defer(() => rm(stateDir, { recursive: true, force: true }));
  const time = createVirtualTime();
  const chance = evenChance();
  const world = { clock: time.clock(), chance };
  const cloud = opened.use(await startCloud({ approval: 'at-once', seed, ...world }));
  const stations = [];
  for (const { id, deviceSerial } of seed.outputPorts) {
    const printer = opened.use(await startVirtualPrinter(world));
    const reader = opened.use(await startWaitingReader());
    stations.push({
      id: `t${id}`,
      serialNumber: deviceSerial,
      printer: { uri: printer.uri },
      readers: [{ type: 'tcp-connect', address: `127.0.0.1:${reader.port}` }],
    });
  }
  const text = stringify({
    cloud: { baseUrl: cloud.baseUrl, authUrl: cloud.authUrl, apiKey: cloud.apiKey },
    kiosk: { listen: '127.0.0.1:0' },
    operations: { listen: '127.0.0.1:0' },
    status: { intervalSeconds },
    stateDir,
    terminals: stations,
  });
  const counted = async (pass: (span: Duration) => Promise<void>): Promise<Counts> => {
    const first = cloud.calls.length;
    await pass(halfAnHour);
    const asked = cloud.calls.slice(first).map(({ method, path }) => kindOf(method, path));
    return countsBy((kind) => asked.filter((one) => one === kind).length);
  };

  // It is approved, and hears its settings.
  await live({ text, time, chance }, (pass) => pass(before));
  return await live({ text, time, chance }, async (pass) => {
    const begun = await counted(pass);
    await time.until(cloud.goAway());
    await pass(away);
    await time.until(cloud.comeBack());
    return { begun, back: await counted(pass) };
  });
}

/** An agent from its start to its end in order. */
async function live<Result>(
  { text, time, chance }: { readonly text: string; readonly time: VirtualTime; readonly chance: Chance },
  through: (pass: (span: Duration) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const clock = time.clock();
  const over = new AbortController();
  const config = checkConfig(text, { file: 'platen.yaml', env: {} });
  const log = createLog({ level: 'debug', destination: { write() {} } });
  const agent = await time.until(startAgent({ config, clock, chance, log }));
  const running = agent.run(over.signal);
  const result = await through((span) => time.until(clock.sleep(span)));
  over.abort();
  await time.until(running);
  clock.stop();
  return result;
}

const [port] = sampleData.outputPorts;
if (!port) throw new Error('the sample data has no port');
const seed: Seed = {
  ...sampleData,
  documents: [],
  outputPorts: Array.from({ length: terminals }, (_, index) => ({
    ...port,
    id: 7 + index,
    name: `printer ${index}`,
    deviceSerial: `SN-${index}`,
  })),
};

const countsBy = (count: (kind: Kind) => number): Counts =>
  Object.fromEntries(kinds.map((kind) => [kind, count(kind)])) as Counts;
