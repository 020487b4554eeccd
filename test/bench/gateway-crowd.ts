/**
 * What a gateway of 250 terminals takes while nobody badges: each with a printer and a network reader of its own, in one
 * `platen run`. Its memory and its share of a processor; beside it the same agent with one terminal, at the same time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startDiallingReader } from '../../src/simulator/reader/network-reader.ts';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { setStage } from '../flows/stage.ts';
import { freePort } from '../peers/free-port.ts';
import { startAgentProcess } from './agent-process.ts';
import type { Measurement } from './figures.ts';
import { megabytes } from './figures.ts';
import { idle, idleRow } from './idle.ts';

const count = 250;
/** Milliseconds, before the idle time begins. */
const settling = 20_000;
const idleTime = 60_000;

export async function measureGatewayCrowd(): Promise<Measurement> {
  await using opened = new AsyncDisposableStack();
  const one = await startGateway(opened, 1);
  const many = await startGateway(opened, count);
  await sleep(settling);
  const [ofOne, ofMany] = await Promise.all([idle(one, idleTime), idle(many, idleTime)]);
  return {
    title: `${count} terminals at one agent, idle`,
    how:
      `Each with an IPP printer and a reader that dials in, one platen run from the bundle; ${idleTime / 1000} s with ` +
      'status reports and looks at the printers, and nobody badging.',
    rows: [
      ['', 'resident', 'of one core'],
      idleRow('1 terminal', ofOne),
      idleRow(`${count} terminals`, ofMany),
    ],
    goals: [
      { what: '1 terminal, resident', figure: megabytes(ofOne.resident), limit: 110, unit: 'MB' },
      { what: '1 terminal, of one core', figure: ofOne.share * 100, limit: 0.5, unit: '%' },
      { what: `${count} terminals, resident`, figure: megabytes(ofMany.resident), limit: 220, unit: 'MB' },
      { what: `${count} terminals, of one core`, figure: ofMany.share * 100, limit: 10, unit: '%' },
    ],
  };
}

/** Gives its process when each terminal of it is ready and each reader up. */
async function startGateway(opened: AsyncDisposableStack, size: number): Promise<number> {
  const readersPort = await freePort();
  const [port] = sampleData.outputPorts;
  const terminals: { id: string; serialNumber: string; printer: object; readers: object[] }[] = [];
  for (let number = 1; number <= size; number += 1) {
    const printer = opened.use(await startVirtualPrinter());
    const from = `127.0.${size}.${number}`;
    opened.use(startDiallingReader({ host: '127.0.0.1', port: readersPort, from }));
    terminals.push({
      ...{ id: `terminal-${number}`, serialNumber: `SN-${number}` },
      printer: { uri: printer.uri },
      readers: [{ type: 'tcp-listen', listen: `127.0.0.1:${readersPort}`, from: [from] }],
    });
  }
  const outputPorts = terminals.map(({ id, serialNumber }, index) => ({
    ...port,
    ...{ id: 100 + index, name: id, deviceSerial: serialNumber },
  }));
  const [first, ...others] = terminals;
  const seed = { ...sampleData, outputPorts } as typeof sampleData;
  const stage = opened.use(await setStage({ cloud: { seed }, ...(first && { terminal: first }), others }));
  const agent = opened.use(startAgentProcess(stage.configFile));
  await agent.told(...terminals.flatMap(() => ['terminal ready', 'reader up']));
  return agent.pid;
}
