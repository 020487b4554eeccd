/**
 * The short form of the figures that people wait for – start, first byte, many documents, the first two also on the
 * smallest machine – and of what an agent takes: idle memory, processor and garbage of a release. Two programs in one
 * run, turn about or side by side, each with a cloud, a printer and a reader of its own, so that whatever else the
 * machine does meets both alike.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Way } from '../support/agent/agent-process.ts';
import { startAgentProcess } from '../support/agent/agent-process.ts';
import { setStage } from '../support/agent/stage.ts';
import { memoryOf } from '../support/process-memory.ts';
import { memoryKept, memoryOfHeap } from './comparison.ts';
import type { Figure, Table } from './figures-file.ts';
import { megabytes, timesOf } from './figures.ts';
import { lookInto, openToLooks } from './inside.ts';
import { processorTimeOf } from './process-time.ts';
import type { AtWork, Side } from './side.ts';
import { releaseBatch, releaseOne, setSide, startOnce, startUsual } from './side.ts';
import { openSmallMachine, whyNoSmallMachine } from './small-machine.ts';

const starts = 6;
const firstBytes = 12;
const batches = 3;
const documentsOfBatch = 40;
const startsWhenSmall = 2;
const firstBytesWhenSmall = 8;
/** Of each program, all at once: what one of them holds is by chance some 0.5 MB more or less. */
const idleAgents = 6;
/** Milliseconds. */
const idleTime = 2000;

export interface Sides<One> {
  readonly before: One;
  readonly now: One;
}

export async function measureShortForm(sides: Sides<Side>): Promise<Sides<Table>> {
  const start = await turnAbout(sides, starts, startOnce);
  const idle = await bothAtOnce(sides, ({ way }) => idleOf(way));
  const atWork = await measureAtWork(sides);
  const small = await measureWhenSmall(sides);
  const tableOf = (side: keyof Sides<unknown>): Table => ({
    title: 'Short form',
    figures: [
      times('start', start[side]),
      ...idle[side],
      times('badge to first byte', atWork.firstByte[side]),
      times(
        `${documentsOfBatch} documents`,
        atWork.batch[side].map(({ span }) => span),
      ),
      times(
        'processor of a release',
        atWork.batch[side].map(({ processor }) => processor),
      ),
      memory(
        'garbage of a release',
        atWork.batch[side].map(({ garbage }) => garbage),
      ),
      ...small[side],
    ],
  });
  return { before: tableOf('before'), now: tableOf('now') };
}

const times = (name: string, samples: number[]): Figure => ({ ...timesOf(name, samples), samples });
const memory = (name: string, bytes: readonly number[]): Figure => ({
  ...times(name, bytes.map(megabytes)),
  unit: 'MB',
});

/** Each time the other one is first. */
async function turnAbout<One, Found>(
  sides: Sides<One>,
  turns: number,
  measure: (side: One, turn: number) => Promise<Found>,
): Promise<Sides<Found[]>> {
  const found: Sides<Found[]> = { before: [], now: [] };
  for (let turn = 0; turn < turns; turn += 1) {
    const order = turn % 2 === 0 ? (['before', 'now'] as const) : (['now', 'before'] as const);
    for (const side of order) found[side].push(await measure(sides[side], turn));
  }
  return found;
}

async function bothAtOnce<One, Found>(
  sides: Sides<One>,
  measure: (side: One) => Promise<Found>,
): Promise<Sides<Found>> {
  const [before, now] = await Promise.all([measure(sides.before), measure(sides.now)]);
  return { before, now };
}

/** As it is, and what is left of it when all that nobody holds is collected, which alone tells one MB from chance. */
async function idleOf(way: Way): Promise<readonly Figure[]> {
  const agents = await Promise.all(Array.from({ length: idleAgents }, () => idleOnce(way)));
  return [
    memory(
      'idle memory',
      agents.map(({ resident }) => resident),
    ),
    memory(
      memoryKept,
      agents.map(({ kept }) => kept),
    ),
    memory(
      memoryOfHeap,
      agents.map(({ ofHeap }) => ofHeap),
    ),
  ];
}

async function idleOnce(way: Way): Promise<Record<'resident' | 'kept' | 'ofHeap', number>> {
  await using stage = await setStage();
  const looks = { folder: stage.folder, collects: true };
  await using agent = startAgentProcess(stage.configFile, { ...way, env: openToLooks(looks) });
  await agent.told('terminal ready', 'reader up');
  await sleep(idleTime);
  const { resident } = memoryOf(agent.pid);
  const { held: ofHeap } = await lookInto(agent.pid, looks);
  return { resident, kept: memoryOf(agent.pid).resident, ofHeap };
}

interface Batch {
  /** Milliseconds. */
  readonly span: number;
  /** Milliseconds of it, a release. */
  readonly processor: number;
  /** Bytes a release. */
  readonly garbage: number;
}

async function measureAtWork(
  sides: Sides<Side>,
): Promise<{ readonly firstByte: Sides<number[]>; readonly batch: Sides<Batch[]> }> {
  await using before = await startUsual(openedToLooks(sides.before));
  await using now = await startUsual(openedToLooks(sides.now));
  const atWork = { before, now };
  const firstByte = await turnAbout(atWork, firstBytes, releaseOne);
  const batch = await turnAbout(atWork, batches, measureBatch);
  return { firstByte, batch };
}

const openedToLooks = (side: Side): Side => ({
  ...side,
  way: { ...side.way, env: openToLooks({ folder: side.stage.folder, collects: false }) },
});

async function measureBatch(side: AtWork, turn: number): Promise<Batch> {
  const { pid } = side.agent;
  const [allocated, processor] = [(await lookInto(pid, side.stage)).allocated, processorTimeOf(pid)];
  const span = await releaseBatch(side, turn, documentsOfBatch);
  return {
    span,
    processor: ((processorTimeOf(pid) - processor) * 1000) / documentsOfBatch,
    garbage: ((await lookInto(pid, side.stage)).allocated - allocated) / documentsOfBatch,
  };
}

async function measureWhenSmall(sides: Sides<Side>): Promise<Sides<readonly Figure[]>> {
  const why = await whyNoSmallMachine();
  if (why === undefined) return bothAtOnce(sides, whenSmall);
  console.log(`compare: nothing is measured on the smallest machine: ${why}`);
  return { before: [], now: [] };
}

async function whenSmall({ way }: Side): Promise<readonly Figure[]> {
  await using machine = openSmallMachine();
  await using side = await setSide({ ...way, inside: machine.inside });
  const spans = { start: [] as number[], firstByte: [] as number[] };
  for (let turn = 0; turn < startsWhenSmall; turn += 1) spans.start.push(await startOnce(side));
  await using atWork = await startUsual(side);
  for (let turn = 0; turn < firstBytesWhenSmall; turn += 1)
    spans.firstByte.push(await releaseOne(atWork, turn));
  return [
    times('start, smallest machine', spans.start),
    times('badge to first byte, smallest machine', spans.firstByte),
  ];
}
