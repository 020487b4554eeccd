/**
 * A look before the print: from the touch to the last octet of the picture at the page, for a document of 10 MB, and what
 * it takes of the agent's memory. The first look since the agent's start finds out about the converter's room as well.
 */
import { pageHeader } from '../../src/kiosk/frame.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import { launchPage } from '../support/agent/kiosk-page.ts';
import { watchScreen } from '../support/agent/screen.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import { freePort } from '../support/ports.ts';
import { startAgentProcess } from '../support/agent/agent-process.ts';
import type { Measurement } from './figures.ts';
import { inMegabytes, inMilliseconds, megabytes, percentile } from './figures.ts';
import { forgetPeak, memoryOf } from '../support/process-memory.ts';
import { processorTimeOf } from './process-time.ts';

const documentSize = 10 * 1024 * 1024;
const pages = 12;

export async function measurePreview(): Promise<Measurement> {
  const kiosk = `127.0.0.1:${await freePort()}`;
  await using stage = await setStage({
    cloud: { seed: { ...sampleData, documents: [] } },
    config: { kiosk: { listen: kiosk } },
    terminal: { preview: 'on' },
  });
  const bytes = samplePdf({ title: 'Atlas', pages, minimumBytes: documentSize });
  const { info } = stage.cloud.addDocument({ owner: 'alice', name: 'Atlas.pdf', pages, bytes });
  await using agent = startAgentProcess(stage.configFile);
  await agent.told('terminal ready', 'reader up');
  const page = await launchPage(stage, { kiosk: `http://${kiosk}` });
  await using screen = await watchScreen({ kiosk: `http://${kiosk}` }, page);
  stage.reader.tap(aliceCard);
  await agent.told('session opened');
  const now = () => screen.views.at(-1);
  await until(() => now()?.documents !== undefined);
  const { generation = 0 } = now() ?? {};

  async function look(number: number): Promise<number> {
    const since = performance.now();
    await page.say({ command: 'preview', documentUuid: info.uuid, page: number, generation });
    await until(() => now()?.preview?.page === number && now()?.preview?.stage !== 'making');
    const { picture, why } = now()?.preview ?? {};
    const answer = await fetch(`http://${kiosk}/t/lobby/pictures/${picture}?generation=${generation}`, {
      headers: { cookie: page.cookie, 'sec-fetch-site': 'same-origin', [pageHeader]: page.name ?? '' },
    });
    const octets = (await answer.arrayBuffer()).byteLength;
    if (answer.status !== 200 || octets < 1000) throw new Error(`no picture came: ${why}`);
    return performance.now() - since;
  }

  const idle = memoryOf(agent.pid).resident;
  forgetPeak(agent.pid);
  const processor = processorTimeOf(agent.pid);
  const first = await look(1);
  const later: number[] = [];
  for (let number = 2; number <= pages; number += 1) later.push(await look(number));
  const memory = memoryOf(agent.pid).peak - idle;
  const taken = (processorTimeOf(agent.pid) - processor) / pages;
  if (stage.cloud.state.history.length > 0) throw new Error('looking is no printing');
  return {
    title: `A look before the print: a document of ${inMegabytes(documentSize)}`,
    how:
      `From the touch to the picture of a page; one page after the other, each fetched anew. Of the processor the agent ` +
      `itself takes ${Math.round(taken * 1000)} ms a page, Ghostscript aside. Memory of the agent at its peak: ` +
      `${inMegabytes(memory)} above a session at rest.`,
    rows: [
      ['', 'span'],
      ['the first page, and the first since the start', inMilliseconds(first)],
      ['another page, p50', inMilliseconds(percentile(later, 0.5))],
      ['another page, p95', inMilliseconds(percentile(later, 0.95))],
    ],
    goals: [
      { what: 'first preview', figure: first, limit: 1000, unit: 'ms' },
      { what: 'memory above a session at rest', figure: megabytes(memory), limit: 32, unit: 'MB' },
    ],
  };
}

/** Looked at every other millisecond. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 2));
}
