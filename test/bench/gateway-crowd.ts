/**
 * What a gateway of many terminals takes while nobody badges: each with a printer and a network reader of its own, in one
 * `platen run`. Its memory and its share of a processor; beside it the same agent with one terminal. Service, printers and
 * readers are in this process, whose processor time is not the agent's.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startDiallingReader } from '../../src/simulator/reader/network-reader.ts';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { setStage } from '../support/agent/stage.ts';
import { freePort } from '../support/ports.ts';
import { startAgentProcess } from '../support/agent/agent-process.ts';
import type { Goal, Measurement } from './figures.ts';
import { megabytes } from './figures.ts';
import type { Idle } from './idle.ts';
import { idle, idleRow } from './idle.ts';

/** Of each so many terminals: megabytes resident, and the share of one core in percent. */
const goals = new Map([
  [1, { memory: 80, share: 0.5 }],
  [250, { memory: 150, share: 2.5 }],
  [1000, { memory: 400, share: 10 }],
]);
/** Milliseconds, before the idle time begins. */
const settling = 20_000;
const idleTime = 30_000;

export async function measureGatewayCrowd(): Promise<Measurement> {
  const found: [number, Idle][] = [];
  for (const count of goals.keys()) found.push([count, await idleGateway(count)]);
  const [[least, ofLeast] = [], [most, ofMost] = []] = [found[0], found.at(-1)];
  if (!least || !ofLeast || !most || !ofMost) throw new Error('nothing was measured');
  const eachMore = (figure: (of: Idle) => number) => (figure(ofMost) - figure(ofLeast)) / (most - least);
  return {
    title: 'Many terminals at one agent, idle',
    how:
      `Each with an IPP printer and a reader that dials in, one platen run from the bundle; ${idleTime / 1000} s with ` +
      'status reports and looks at the printers, and nobody badging.',
    rows: [
      ['', 'resident', 'of one core'],
      ...found.map(([count, of]) => idleRow(called(count), of)),
      idleRow('each more', {
        resident: eachMore(({ resident }) => resident),
        share: eachMore(({ share }) => share),
      }),
    ],
    goals: found.flatMap(([count, of]) => goalsOf(count, of)),
  };
}

const called = (count: number): string => (count === 1 ? '1 terminal' : `${count} terminals`);

function goalsOf(count: number, { resident, share }: Idle): readonly Goal[] {
  const goal = goals.get(count);
  if (!goal) return [];
  return [
    { what: `${called(count)}, resident`, figure: megabytes(resident), limit: goal.memory, unit: 'MB' },
    { what: `${called(count)}, of one core`, figure: share * 100, limit: goal.share, unit: '%' },
  ];
}

async function idleGateway(count: number): Promise<Idle> {
  await using opened = new AsyncDisposableStack();
  const pid = await startGateway(opened, count);
  await sleep(settling);
  return await idle(pid, idleTime);
}

/** Gives its process when each terminal of it is ready and each reader up. */
async function startGateway(opened: AsyncDisposableStack, size: number): Promise<number> {
  const readersPort = await freePort();
  const [port] = sampleData.outputPorts;
  const terminals: { id: string; serialNumber: string; printer: object; readers: object[] }[] = [];
  for (let number = 1; number <= size; number += 1) {
    const printer = opened.use(await startVirtualPrinter());
    const from = `127.1.${number >> 8}.${number & 255}`;
    opened.use(startDiallingReader({ host: '127.0.0.1', port: readersPort, from }));
    terminals.push({
      id: `terminal-${number}`,
      serialNumber: `SN-${number}`,
      printer: { uri: printer.uri },
      readers: [{ type: 'tcp-listen', listen: `127.0.0.1:${readersPort}`, from: [from] }],
    });
  }
  const outputPorts = terminals.map(({ id, serialNumber }, index) => ({
    ...port,
    id: 100 + index,
    name: id,
    deviceSerial: serialNumber,
  }));
  const [first, ...others] = terminals;
  const seed = { ...sampleData, outputPorts } as typeof sampleData;
  const stage = opened.use(await setStage({ cloud: { seed }, ...(first && { terminal: first }), others }));
  const agent = opened.use(startAgentProcess(stage.configFile));
  await agent.told(...terminals.flatMap(() => ['terminal ready', 'reader up']));
  return agent.pid;
}
