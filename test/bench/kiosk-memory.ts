/** The memory of the kiosk's tab over 1,000 sessions: what its scripts keep, and what its process has for itself. */
import type { Browser, CDPSession } from 'playwright-core';
import { chromium } from 'playwright-core';
import { choosing, idle, longList, releasing } from '../browser/frames.ts';
import { startScriptedTerminal } from '../browser/scripted-terminal.ts';
import { browserArgs, executablePath, panel } from '../browser/stage.ts';
import type { Measurement } from './figures.ts';
import { inMegabytes, megabytes } from './figures.ts';
import { memoryOf } from '../support/process-memory.ts';

const sessions = 1_000;
/** Sessions between two looks. */
const interval = 50;
/** Before the first look: heap snapshots show V8 making machine code of the page until about here, and then no more. */
const warmUp = 500;
const screens = [
  [longList(100), 100],
  [choosing, choosing.documents?.length],
  [releasing, releasing.documents?.length],
] as const;

interface Look {
  readonly heap: number;
  readonly nodes: number;
  readonly privateMemory: number;
}

export async function measureKioskMemory(): Promise<Measurement> {
  await using terminal = await startScriptedTerminal();
  terminal.show(idle);
  await using browser = await chromium.launch({ executablePath, args: browserArgs });
  const page = await browser.newPage({ viewport: panel, locale: 'en-US' });
  await page.goto(terminal.address);
  await page.locator('h1').waitFor();
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Performance.enable');
  const pid = await rendererOf(browser);

  const looks: Look[] = [];
  let generation = idle.generation;
  for (let session = 1 - warmUp; session <= sessions; session += 1) {
    generation += 2;
    for (const [frame, rows] of screens) {
      terminal.show({ ...frame, generation });
      await page.waitForFunction((count) => document.querySelectorAll('main li').length === count, rows);
    }
    terminal.show({ ...idle, generation: generation + 1 });
    await page.locator('main:not(:has(li))').waitFor();
    if (session >= 0 && session % interval === 0) looks.push(await look(protocol, pid));
  }
  return report(looks);
}

/** The process of the one page: that of the renderers which has worked most. */
async function rendererOf(browser: Browser): Promise<number> {
  const protocol = await browser.newBrowserCDPSession();
  const { processInfo } = await protocol.send('SystemInfo.getProcessInfo');
  await protocol.detach();
  const [busiest] = processInfo
    .filter(({ type }) => type === 'renderer')
    .toSorted((one, other) => other.cpuTime - one.cpuTime);
  if (!busiest) throw new Error('Chromium has no renderer');
  return busiest.id;
}

async function look(protocol: CDPSession, pid: number): Promise<Look> {
  await protocol.send('HeapProfiler.collectGarbage');
  const { metrics } = await protocol.send('Performance.getMetrics');
  const metric = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  return { heap: metric('JSHeapUsedSize'), nodes: metric('Nodes'), privateMemory: memoryOf(pid).anonymous };
}

/** Of a straight line through the looks: what it rises by over all sessions, and twice the standard error of that. */
function riseOf(values: readonly number[]): { readonly rise: number; readonly noise: number } {
  const places = values.map((_, place) => place / (values.length - 1));
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  const [x, y] = [mean(places), mean(values)];
  const spread = places.reduce((sum, place) => sum + (place - x) ** 2, 0);
  const rise = places.reduce((sum, place, at) => sum + (place - x) * ((values[at] ?? y) - y), 0) / spread;
  const left = places.map((place, at) => ((values[at] ?? y) - y - rise * (place - x)) ** 2);
  const variance = left.reduce((sum, one) => sum + one, 0) / (values.length - 2);
  return { rise, noise: 2 * Math.sqrt(variance / spread) };
}

function report(looks: readonly Look[]): Measurement {
  const row = (what: string, of: (look: Look) => number, shown: (value: number) => string) => {
    const values = looks.map(of);
    const { rise, noise } = riseOf(values);
    return [
      what,
      ...[values[0], values.at(-1), Math.max(...values), rise, noise].map((one) => shown(one ?? 0)),
    ];
  };
  const heap = riseOf(looks.map((one) => one.heap));
  return {
    title: `Memory of the kiosk's tab over ${sessions} sessions`,
    how:
      `A list of 100 documents, another one, a print, and nobody again; after ${warmUp} sessions to get warm, a look ` +
      `every ${interval}, after garbage collection. The rise is that of a straight line through the looks, ± twice its standard error.`,
    rows: [
      ['', 'first', 'last', 'most', 'rise', '±'],
      row('heap of the scripts', (one) => one.heap, inMegabytesFinely),
      row('process, its own (RssAnon)', (one) => one.privateMemory, inMegabytes),
      row(
        'nodes of documents',
        (one) => one.nodes,
        (nodes) => nodes.toFixed(0),
      ),
    ],
    goals: [
      {
        what: 'rise of the heap beyond its noise',
        figure: Math.max(0, megabytes(heap.rise - heap.noise)),
        limit: 0.05,
        unit: 'MB',
      },
    ],
  };
}

const inMegabytesFinely = (bytes: number): string => `${megabytes(bytes).toFixed(3)} MB`;
