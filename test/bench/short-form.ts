/**
 * The short form of the figures that people wait for – start, first byte, many documents – and of idle memory: two
 * programs turn about in one run, each with a cloud, a printer and a reader of its own, so that whatever else the machine
 * does meets both alike.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import type { Stage } from '../support/agent/stage.ts';
import { setStage } from '../support/agent/stage.ts';
import type { AgentProcess } from '../support/agent/agent-process.ts';
import { startAgentProcess } from '../support/agent/agent-process.ts';
import type { Figure, Table } from './figures-file.ts';
import { megabytes, timesOf } from './figures.ts';
import type { Person } from '../support/agent/people.ts';
import { people } from '../support/agent/people.ts';
import type { PrinterLine } from './printer-line.ts';
import { openPrinterLine } from './printer-line.ts';
import { memoryOf } from '../support/process-memory.ts';

const starts = 6;
const firstBytes = 16;
const batches = 3;
const documentsOfBatch = 40;
const documentSize = 1024 * 1024;
/** Milliseconds. */
const idleTime = 5000;
/** So many that nobody's turn comes again while their badge counts as still lying on the reader (1.5 s). */
const crowd = people(8);
/** Milliseconds from the end of a session to the next badge: two at one reader within 300 count as held to it together. */
const betweenBadges = 350;

export interface Sides<One> {
  readonly before: One;
  readonly now: One;
}

export interface Side extends AsyncDisposable {
  readonly name: string;
  readonly program: string;
  readonly stage: Stage;
  readonly line: PrinterLine;
}

/** Has been started once: its token is stored, its code compiled. Rejects where the program cannot be run so. */
export async function setSide(name: string, program: string): Promise<Side> {
  await using opened = new AsyncDisposableStack();
  const line = opened.use(await openPrinterLine());
  const stage = opened.use(
    await setStage({
      cloud: { seed: { ...sampleData, users: [...crowd], documents: [] } },
      printer: { port: line.port },
      terminal: { printer: { uri: line.uri }, session: { autoRelease: true } },
    }),
  );
  await startOnce({ stage, program });
  const held = opened.move();
  return { name, program, stage, line, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

export async function measureShortForm(sides: Sides<Side>): Promise<Sides<Table>> {
  const start = await turnAbout(sides, starts, startOnce);
  await using before = await startUsual(sides.before);
  await using now = await startUsual(sides.now);
  await sleep(idleTime);
  const atWork = { before, now };
  const idle = await turnAbout(atWork, 1, async ({ agent }) => megabytes(memoryOf(agent.pid).resident));
  const firstByte = await turnAbout(atWork, firstBytes, releaseOne);
  const batch = await turnAbout(atWork, batches, releaseBatch);
  const tableOf = (side: keyof Sides<unknown>): Table => ({
    title: 'Short form',
    figures: [
      figure('start', start[side]),
      { ...figure('idle memory', idle[side]), unit: 'MB' },
      figure('badge to first byte', firstByte[side]),
      figure(`${documentsOfBatch} documents`, batch[side]),
    ],
  });
  return { before: tableOf('before'), now: tableOf('now') };
}

const figure = (name: string, samples: number[]): Figure => ({ ...timesOf(name, samples), samples });

/** Each time the other one is first. */
async function turnAbout<One>(
  sides: Sides<One>,
  times: number,
  measure: (side: One, turn: number) => Promise<number>,
): Promise<Sides<number[]>> {
  const found: Sides<number[]> = { before: [], now: [] };
  for (let turn = 0; turn < times; turn += 1) {
    const order = turn % 2 === 0 ? (['before', 'now'] as const) : (['now', 'before'] as const);
    for (const side of order) found[side].push(await measure(sides[side], turn));
  }
  return found;
}

async function startOnce({ stage, program }: Pick<Side, 'stage' | 'program'>): Promise<number> {
  await using agent = startAgentProcess(stage.configFile, program);
  return (await agent.told('terminal ready')) - agent.startedAt;
}

interface AtWork extends AsyncDisposable {
  readonly stage: Stage;
  readonly line: PrinterLine;
  readonly agent: AgentProcess;
}

async function startUsual({ stage, line, program }: Side): Promise<AtWork> {
  const agent = startAgentProcess(stage.configFile, program);
  await agent.told('terminal ready', 'reader up');
  return { stage, line, agent, [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose]() };
}

async function releaseOne(side: AtWork, turn: number): Promise<number> {
  const { stage, line, agent } = side;
  const person = personAt(turn);
  addDocument(stage, person, `Plan ${turn}`);
  const begins = line.nextDocument();
  const since = await badge(side, person);
  // An agent that ends before rejects the second.
  const [first] = await Promise.all([begins, agent.told('session closed')]);
  return first - since;
}

async function releaseBatch(side: AtWork, turn: number): Promise<number> {
  const person = personAt(turn);
  for (let number = 0; number < documentsOfBatch; number += 1) {
    addDocument(side.stage, person, `Batch ${turn}, ${number}`);
  }
  const since = await badge(side, person);
  const last = (await side.agent.moments('release ended', documentsOfBatch)).at(-1) ?? since;
  await side.agent.told('session closed');
  return last - since;
}

const personAt = (turn: number): Person => {
  const person = crowd[turn % crowd.length];
  if (!person) throw new RangeError('nobody is there');
  return person;
};

function addDocument({ cloud }: Stage, { userName: owner }: Person, title: string): void {
  const bytes = samplePdf({ title, pages: 1, minimumBytes: documentSize });
  cloud.addDocument({ owner, name: `${title}.pdf`, bytes });
}

async function badge({ stage }: AtWork, { card }: Person): Promise<number> {
  await sleep(betweenBadges);
  const since = performance.now();
  stage.reader.tap(card);
  return since;
}
