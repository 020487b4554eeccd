/**
 * The smallest machine that people put beside a printer: a single-board computer, for which stands one processor of this
 * machine at a quarter of its speed, and 512 MB for the agent and what the kernel keeps of its files. Service and
 * printer are elsewhere, as they would be.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlGroup } from '../support/control-group.ts';
import { openControlGroup } from '../support/control-group.ts';
import { freePort } from '../support/ports.ts';
import { forgetPeak, memoryOf } from '../support/process-memory.ts';
import type { Measurement } from './figures.ts';
import { inMegabytes, inMilliseconds, megabytes, percentile, perSecond, timesOf } from './figures.ts';
import type { Side } from './side.ts';
import { addDocument, badge, personAt, releaseOne, setSide, startOnce, startUsual } from './side.ts';

const share = 0.25;
/** Microseconds: so short that the processor seems slow, and not now fast and now away. */
const period = 20_000;
const memory = 512 * 1024 * 1024;

const starts = 8;
const releases = 24;
/** Milliseconds. */
const idleTime = 10_000;
const largeSize = 500 * 1024 * 1024;
/** Milliseconds from an answer of the page to the next question. */
const betweenLooks = 250;
const title = 'On the smallest machine';

/** One processor: the programs in it never run at once. */
export function openSmallMachine(): ControlGroup {
  const group = openControlGroup({ share, period, memory });
  return { ...group, inside: (command) => ['taskset', '--cpu-list', '0', ...group.inside(command)] };
}

/** In words; `undefined`: it can be made here. */
export async function whyNoSmallMachine(): Promise<string | undefined> {
  try {
    await using _ = openSmallMachine();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Times in milliseconds, sizes in bytes. */
interface Measured {
  readonly start: readonly number[];
  readonly idle: number;
  readonly firstByte: readonly number[];
  readonly large: Large;
  /** Programs that the kernel has ended. */
  readonly outOfMemory: number;
}

interface Large {
  readonly span: number;
  readonly peak: number;
  readonly page: readonly number[];
}

export async function measureSmallMachine(): Promise<Measurement> {
  const why = await whyNoSmallMachine();
  if (why !== undefined) return { title, how: `Not measured: ${why}.`, rows: [['not measured']], goals: [] };
  await using machine = openSmallMachine();
  const page = `127.0.0.1:${await freePort()}`;
  await using side = await setSide({ inside: machine.inside }, { operations: { listen: page } });
  const start: number[] = [];
  for (let turn = 0; turn < starts; turn += 1) start.push(await startOnce(side));
  const usual = await measureUsual(side);
  const large = await measureLarge(side, page);
  return report({ start, ...usual, large, outOfMemory: machine.outOfMemory() });
}

async function measureUsual(side: Side): Promise<Pick<Measured, 'idle' | 'firstByte'>> {
  await using atWork = await startUsual(side);
  await sleep(idleTime);
  const idle = memoryOf(atWork.agent.pid).resident;
  const firstByte: number[] = [];
  for (let turn = 0; turn < releases; turn += 1) firstByte.push(await releaseOne(atWork, turn));
  return { idle, firstByte };
}

async function measureLarge(side: Side, address: string): Promise<Large> {
  await using atWork = await startUsual(side);
  const { stage, agent } = atWork;
  addDocument(stage, personAt(0), { title: 'Atlas', size: largeSize });
  forgetPeak(agent.pid);
  const since = await badge(atWork, personAt(0));
  const over = new AbortController();
  const looks = lookAgainAndAgain(address, over.signal);
  const span = (await agent.told('release ended')) - since;
  over.abort();
  const output = stage.printer.outputs.find(({ bytes }) => bytes >= largeSize);
  if (!output?.complete) throw new Error('the document did not come out whole');
  return { span, peak: memoryOf(agent.pid).peak, page: await looks };
}

/** The administrators' page and the state that it shows, in milliseconds. */
async function lookAgainAndAgain(address: string, over: AbortSignal): Promise<readonly number[]> {
  const spans: number[] = [];
  while (!over.aborted) {
    const since = performance.now();
    for (const path of ['/', '/status']) await (await fetch(`http://${address}${path}`)).arrayBuffer();
    spans.push(performance.now() - since);
    await sleep(betweenLooks);
  }
  return spans;
}

function report({ start, idle, firstByte, large, outOfMemory }: Measured): Measurement {
  const times = (what: string, spans: readonly number[]) => [
    what,
    ...[0.5, 0.95, 1].map((part) => inMilliseconds(percentile(spans, part))),
  ];
  const figure = (what: string, cell: string) => [what, cell, '', ''];
  const pace = (megabytes(largeSize) * 1000) / large.span;
  const large500 = inMegabytes(largeSize);
  return {
    title,
    how:
      `The agent alone has one processor at a quarter of its speed and ${inMegabytes(memory)}, what the kernel keeps of files included (cgroups(7)); ` +
      `service and printer have the other one. ${starts} starts, ${releases} releases of 1 MB, one document of ${large500}. Goals: back before a printer that ` +
      'was switched on at the same moment; a fifth of the memory, so that a system and a browser have room; a badge is answered ' +
      'before anybody looks up; a large document fills the 100 Mbit/s of such a machine; the page does not seem stuck.',
    rows: [
      ['', 'p50', 'p95', 'max'],
      times('start to "terminal ready"', start),
      figure('idle memory', inMegabytes(idle)),
      times('badge to first byte', firstByte),
      figure(`${large500}, from the badge to its end`, inMilliseconds(large.span)),
      figure(`${large500}, pace`, perSecond(pace, 'MB')),
      figure(`${large500}, memory at its peak`, inMegabytes(large.peak)),
      times(`the operations page beside ${large500}`, large.page),
      figure('ended by the kernel for want of memory', String(outOfMemory)),
    ],
    goals: [
      { what: 'start, p95', figure: percentile(start, 0.95), limit: 3000, unit: 'ms' },
      { what: 'idle memory', figure: megabytes(idle), limit: 100, unit: 'MB' },
      { what: 'badge to first byte, p95', figure: percentile(firstByte, 0.95), limit: 400, unit: 'ms' },
      { what: `pace of ${large500}`, figure: pace, atLeast: 12, unit: '/s' },
      { what: `memory at the peak of ${large500}`, figure: megabytes(large.peak), limit: 200, unit: 'MB' },
      { what: 'the page beside it, p95', figure: percentile(large.page, 0.95), limit: 1000, unit: 'ms' },
      { what: 'ended for want of memory', figure: outOfMemory, limit: 0, unit: 'of them' },
    ],
    samples: [timesOf('start, p95', start), timesOf('badge to first byte, p95', firstByte)],
  };
}
