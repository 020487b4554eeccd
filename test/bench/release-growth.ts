/** How a release grows: with the documents that one badge lets out, and with the size of a document. From the bundle. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import type { Stage } from '../support/agent/stage.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import { startIppEvePrinter } from '../peers/ippeveprinter.ts';
import type { AgentProcess } from '../support/agent/agent-process.ts';
import { startAgentProcess } from '../support/agent/agent-process.ts';
import type { Measurement } from './figures.ts';
import { megabytes, percentile } from './figures.ts';
import type { Growth } from './growth.ts';
import { growthRows, slopeGoals } from './growth.ts';
import { forgetPeak, memoryOf } from '../support/process-memory.ts';

const megabyte = 1024 * 1024;
const rounds = 3;
/** Milliseconds: after it the same card is read as held to the reader anew. */
const cardGone = 1600;

export async function measureBatchGrowth(): Promise<Measurement> {
  const points: { work: number; figure: number }[] = [];
  for (const documents of [10, 30, 100]) {
    await atAgent(async (scene) => {
      const { span } = await letOut(scene, { documents, size: megabyte });
      points.push({ work: documents, figure: span });
    });
  }
  const growth: Growth = {
    title: 'Badge to the last page, by the documents',
    work: 'documents of 1 MB',
    unit: 'ms',
    lines: [{ name: 'last page', points }],
  };
  return {
    title: 'Batches of up to 100 documents',
    how: `p50 of ${rounds}, at ippeveprinter, no network in between.`,
    rows: growthRows(growth),
    goals: slopeGoals(growth),
    charts: [growth],
  };
}

export async function measureSizeGrowth(): Promise<Measurement> {
  const measured: { size: number; span: number; memory: number }[] = [];
  for (const size of [50, 150, 500]) {
    await atAgent(async (scene) => {
      measured.push({ size, ...(await letOut(scene, { documents: 1, size: size * megabyte })) });
    });
  }
  const line = (what: 'span' | 'memory') =>
    measured.map(({ size, [what]: figure }) => ({ work: size, figure }));
  const time: Growth = {
    title: 'Badge to the last page, by the size',
    work: 'MB of one document',
    unit: 'ms',
    lines: [{ name: 'last page', points: line('span') }],
  };
  const memory: Growth = {
    title: 'Memory at its peak, by the size',
    work: 'MB of one document',
    unit: 'MB',
    lines: [{ name: 'resident', points: line('memory') }],
  };
  return {
    title: 'Documents of up to 500 MB',
    how: `p50 of ${rounds}, at ippeveprinter, no network in between; each size by an agent of its own.`,
    rows: [...growthRows(time), ...growthRows(memory).slice(1)],
    goals: [...slopeGoals(time), ...slopeGoals(memory)],
    charts: [time, memory],
  };
}

interface Scene {
  readonly stage: Stage;
  readonly agent: AgentProcess;
}

async function atAgent(work: (scene: Scene) => Promise<void>): Promise<void> {
  await using printer = await startIppEvePrinter();
  await using stage = await setStage({
    cloud: { seed: { ...sampleData, documents: [] } },
    terminal: { printer: { uri: printer.uri }, session: { autoRelease: true } },
  });
  await using agent = startAgentProcess(stage.configFile);
  await agent.told('terminal ready', 'reader up');
  await work({ stage, agent });
}

/** Milliseconds to the last page, p50, and the megabytes at the peak of all rounds. */
async function letOut(
  { stage: { cloud, reader }, agent }: Scene,
  { documents, size }: { documents: number; size: number },
): Promise<{ span: number; memory: number }> {
  const bytes = samplePdf({ title: 'Plan', pages: 1, minimumBytes: size });
  const spans: number[] = [];
  forgetPeak(agent.pid);
  for (let round = 0; round < rounds; round += 1) {
    for (let number = 0; number < documents; number += 1) {
      cloud.addDocument({ owner: 'alice', name: `Plan ${round}, ${number}.pdf`, bytes });
    }
    await sleep(cardGone);
    const since = performance.now();
    reader.tap(aliceCard);
    const moments = await agent.moments('release ended', documents);
    spans.push((moments.at(-1) ?? since) - since);
    await agent.told('session closed');
  }
  return { span: percentile(spans, 0.5), memory: megabytes(memoryOf(agent.pid).peak) };
}
