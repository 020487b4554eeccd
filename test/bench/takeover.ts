/**
 * How soon 250 terminals are served by the other of two gateways when one is killed, and when it stops in order: programs of
 * their own, one private PostgreSQL, and a printer for each terminal (F11). By the word of the gateway that takes over.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { setStage } from '../support/agent/stage.ts';
import { fleetKey } from '../support/fleet/fleet-engine.ts';
import { startPostgres } from '../support/fleet/postgres.ts';
import type { AgentProcess } from '../support/agent/agent-process.ts';
import { startAgentProcess } from '../support/agent/agent-process.ts';
import type { Measurement } from './figures.ts';
import { inMilliseconds, percentile } from './figures.ts';
import { eventually } from '../support/patience.ts';

const count = 250;
const rounds = 3;
const takenOver = 'terminal taken over';
const ends = { killed: 'SIGKILL', 'stopped in order': 'SIGTERM' } as const;
type End = keyof typeof ends;

export async function measureTakeover(): Promise<Measurement> {
  await using fleet = await setFleet();
  const spans: Record<End, number[]> = { killed: [], 'stopped in order': [] };
  const [first, second] = fleet.files;
  let serving = startAgentProcess(first);
  await serving.moments(takenOver, count);
  // Who has ended is the one that stands by in the next round.
  let spare = second;
  for (let round = 0; round < rounds; round += 1) {
    for (const how of ['killed', 'stopped in order'] as const) {
      const standby = startAgentProcess(spare);
      await fleet.standsBy();
      spans[how].push(...(await takeover(serving, standby, how)));
      spare = spare === first ? second : first;
      serving = standby;
    }
  }
  await serving[Symbol.asyncDispose]();
  const figures = (of: readonly number[]) => [0.5, 0.99, 1].map((share) => percentile(of, share));
  const [load = 0] = loadavg();
  return {
    title: `Takeover of ${count} terminals`,
    how:
      `Two gateways as programs, ${count} printers, ${rounds} times each; from the signal until the other one says of ` +
      `each terminal that it has taken it over. The load of the machine was ${load.toFixed(1)}.`,
    rows: [
      ['', 'p50', 'p99', 'max'],
      ...Object.entries(spans).map(([how, of]) => [how, ...figures(of).map(inMilliseconds)]),
    ],
    goals: [
      { what: 'killed, p99', figure: percentile(spans.killed, 0.99), limit: 8000, unit: 'ms' },
      {
        what: 'stopped in order, p99',
        figure: percentile(spans['stopped in order'], 0.99),
        limit: 1000,
        unit: 'ms',
      },
    ],
  };
}

/** Milliseconds, of each terminal. */
async function takeover(ending: AgentProcess, standby: AgentProcess, how: End): Promise<readonly number[]> {
  const taking = standby.moments(takenOver, count);
  const since = performance.now();
  process.kill(ending.pid, ends[how]);
  const moments = await taking;
  await ending[Symbol.asyncDispose]();
  return moments.map((at) => at - since);
}

async function setFleet() {
  await using opened = new AsyncDisposableStack();
  const [port] = sampleData.outputPorts;
  const terminals: { id: string; serialNumber: string; printer: object }[] = [];
  for (let number = 1; number <= count; number += 1) {
    const { uri } = opened.use(await startVirtualPrinter());
    terminals.push({ id: `terminal-${number}`, serialNumber: `SN-${number}`, printer: { uri } });
  }
  const outputPorts = terminals.map(({ id, serialNumber }, index) => ({
    ...port,
    id: 100 + index,
    name: id,
    deviceSerial: serialNumber,
  }));
  const seed = { ...sampleData, outputPorts } as typeof sampleData;
  const stage = opened.use(await setStage({ cloud: { seed } }));
  const postgres = opened.use(await startPostgres());
  const url = await postgres.newDatabase();
  const base = parse(readFileSync(stage.configFile, 'utf8')) as Record<string, object>;
  const fleet = { engine: { url }, key: fleetKey.reveal() };
  const fileOf = (clientId: string): string => {
    const folder = join(stage.folder, clientId);
    mkdirSync(folder);
    const file = join(folder, 'platen.yaml');
    const own = { stateDir: join(folder, 'state'), device: { ...base['device'], clientId } };
    writeFileSync(file, stringify({ ...base, ...own, fleet, terminals }), { mode: 0o600 });
    return file;
  };
  const files = [fileOf('gateway-a'), fileOf('gateway-b')] as const;
  const held = opened.move();
  return {
    files,
    /** What lapses is taken by who has been beating for as long as a hold lives. */
    standsBy: () =>
      eventually(async () => {
        const settled = await postgres.query(
          `SELECT FROM platen.member WHERE until > clock_timestamp()
             AND beating_since < clock_timestamp() - interval '6 s' AND cardinality(groups) = ${count}`,
          url,
        );
        if (settled.length < files.length) throw new Error('the other gateway does not stand by');
      }),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
