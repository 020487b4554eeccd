/** Resident memory of `platen run`: idle, and its peak while one very large document goes through. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import { startAgentProcess } from '../support/agent/agent-process.ts';
import type { Measurement } from './figures.ts';
import { inMegabytes, megabytes, ratio } from './figures.ts';
import type { ProcessMemory } from '../support/process-memory.ts';
import { forgetPeak, memoryOf } from '../support/process-memory.ts';

const idleTime = 10_000;
const documentSize = 500 * 1024 * 1024;

export async function measureMemory(): Promise<Measurement> {
  const bare = await bareNode();
  await using stage = await setStage({
    cloud: { seed: { ...sampleData, documents: [] } },
    terminal: { session: { autoRelease: true } },
  });
  await using agent = startAgentProcess(stage.configFile);
  await agent.told('terminal ready', 'reader up');
  await sleep(idleTime);
  const idle = memoryOf(agent.pid);

  const bytes = samplePdf({ title: 'Atlas', pages: 1, minimumBytes: documentSize });
  stage.cloud.addDocument({ owner: 'alice', name: 'Atlas.pdf', bytes });
  forgetPeak(agent.pid);
  stage.reader.tap(aliceCard);
  await agent.told('session closed');
  const releasing = memoryOf(agent.pid);
  const [output] = stage.printer.outputs;
  if (!output?.complete || output.bytes < documentSize)
    throw new Error('the document did not come out whole');
  return report({ bare, idle, releasing });
}

/** What a Node that does nothing at all has in memory. */
async function bareNode(): Promise<ProcessMemory> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  try {
    await sleep(1000);
    return memoryOf(child.pid ?? 0);
  } finally {
    child.kill();
  }
}

function report(measured: {
  bare: ProcessMemory;
  idle: ProcessMemory;
  releasing: ProcessMemory;
}): Measurement {
  const { bare, idle, releasing } = measured;
  const row = (what: string, resident: number, anonymous: number) => [
    what,
    inMegabytes(resident),
    inMegabytes(anonymous),
    ratio(resident, bare.resident),
  ];
  return {
    title: 'Resident memory of platen run',
    how:
      `From the bundle, one terminal. Idle: ${idleTime / 1000} s after it was ready. Peak: the kernel's high-water ` +
      `mark while a document of ${inMegabytes(documentSize)} is released. Beside it a node that does nothing.`,
    rows: [
      ['', 'resident', 'of it its own', 'to bare node'],
      row('bare node', bare.resident, bare.anonymous),
      row('platen, idle', idle.resident, idle.anonymous),
      ['platen, peak of the release', inMegabytes(releasing.peak), '', ratio(releasing.peak, bare.resident)],
      row('platen, after it', releasing.resident, releasing.anonymous),
    ],
    goals: [
      { what: 'idle', figure: megabytes(idle.resident), limit: 80, unit: 'MB' },
      { what: 'peak over idle', figure: megabytes(releasing.peak - idle.resident), limit: 64, unit: 'MB' },
    ],
  };
}
