/**
 * A file from a USB stick: from the touch to its place in the person's list, for a file of 50 MB, and what it takes of the
 * agent's memory. The stick is an image; a real one reads 50 MB in one to three seconds.
 */
import { rm } from 'node:fs/promises';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import { launchPage } from '../support/agent/kiosk-page.ts';
import { watchScreen } from '../support/agent/screen.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import { freePort } from '../support/ports.ts';
import { makeFat, openFolder } from '../support/stick/stick-maker.ts';
import { startAgentProcess } from '../support/agent/agent-process.ts';
import type { Measurement } from './figures.ts';
import { inMegabytes, inMilliseconds, megabytes, percentile } from './figures.ts';
import { forgetPeak, memoryOf } from '../support/process-memory.ts';
import { processorTimeOf } from './process-time.ts';

const fileSize = 50 * 1000 * 1000;
const times = 5;

export async function measureStick(): Promise<Measurement> {
  const kiosk = `127.0.0.1:${await freePort()}`;
  const bytes = samplePdf({ title: 'Atlas', pages: 12, minimumBytes: fileSize });
  await using opened = new AsyncDisposableStack();
  const folder = openFolder();
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const device = makeFat(folder, { 'Atlas.pdf': bytes }, 128);
  await using stage = await setStage({
    cloud: { seed: { ...sampleData, documents: [] } },
    config: { kiosk: { listen: kiosk } },
    terminal: { stick: { device } },
  });
  await using agent = startAgentProcess(stage.configFile);
  await agent.told('terminal ready', 'reader up');
  const page = await launchPage(stage, { kiosk: `http://${kiosk}` });
  await using screen = await watchScreen({ kiosk: `http://${kiosk}` }, page);
  stage.reader.tap(aliceCard);
  await agent.told('session opened');
  const now = () => screen.views.at(-1);
  await until(() => now()?.stick?.stage === 'in');
  const { generation = 0 } = now() ?? {};

  const asked = performance.now();
  await page.say({ command: 'open-stick', generation });
  await until(() => now()?.stick?.stage !== 'in' && now()?.stick?.stage !== 'reading');
  const listed = performance.now() - asked;
  const { edition = 0 } = now()?.stick ?? {};

  async function bring(): Promise<number> {
    const before = now()?.documents?.length ?? 0;
    const since = performance.now();
    await page.say({ command: 'bring-file', file: 0, edition, generation });
    await until(() => (now()?.documents?.length ?? 0) > before || now()?.stick?.why !== undefined);
    const { why } = now()?.stick ?? {};
    if (why) throw new Error(`the file was not brought: ${why}`);
    const spent = performance.now() - since;
    await until(() => now()?.stick?.stage === 'files');
    return spent;
  }

  const idle = memoryOf(agent.pid).resident;
  forgetPeak(agent.pid);
  const processor = processorTimeOf(agent.pid);
  const spans: number[] = [];
  for (let time = 0; time < times; time += 1) spans.push(await bring());
  const memory = memoryOf(agent.pid).peak - idle;
  const taken = (processorTimeOf(agent.pid) - processor) / times;
  if (stage.cloud.state.documents.some((one) => one.bytes.length !== bytes.length))
    throw new Error('not whole');
  const slowest = Math.max(...spans);
  return {
    title: `From a USB stick: a file of ${inMegabytes(fileSize)}`,
    how:
      `From the touch to the file's place in the list, ${times} times one after the other; the stick is an image of FAT32. Of ` +
      `the processor the agent itself takes ${Math.round(taken * 1000)} ms a file. Memory of the agent at its peak: ` +
      `${inMegabytes(memory)} above a session at rest.`,
    rows: [
      ['', 'span'],
      ['the list of the stick', inMilliseconds(listed)],
      ['a file in the list, p50', inMilliseconds(percentile(spans, 0.5))],
      ['a file in the list, the slowest', inMilliseconds(slowest)],
    ],
    goals: [
      { what: 'a file in the list', figure: slowest, limit: 5000, unit: 'ms' },
      { what: 'memory above a session at rest', figure: megabytes(memory), limit: 32, unit: 'MB' },
    ],
  };
}

/** Looked at every other millisecond. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 2));
}
