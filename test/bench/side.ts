/** A program of Platen on a stage of its own, and what is measured of it there: a start, a release, a batch. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import type { AgentProcess, Way } from '../support/agent/agent-process.ts';
import { startAgentProcess } from '../support/agent/agent-process.ts';
import type { Person } from '../support/agent/people.ts';
import { people } from '../support/agent/people.ts';
import type { Stage, StageOptions } from '../support/agent/stage.ts';
import { setStage } from '../support/agent/stage.ts';
import type { PrinterLine } from './printer-line.ts';
import { openPrinterLine } from './printer-line.ts';

const documentSize = 1024 * 1024;
/** So many that nobody's turn comes again while their badge counts as still lying on the reader (1.5 s). */
const crowd = people(8);
/** Milliseconds from the end of a session to the next badge: two at one reader within 300 count as held to it together. */
const betweenBadges = 350;

export interface Side extends AsyncDisposable {
  readonly way: Way;
  readonly stage: Stage;
  readonly line: PrinterLine;
}

/** Has been started once: its token is stored, its code compiled. Rejects where the program cannot be run so. */
export async function setSide(way: Way, config: StageOptions['config'] = {}): Promise<Side> {
  await using opened = new AsyncDisposableStack();
  const line = opened.use(await openPrinterLine());
  const stage = opened.use(
    await setStage({
      cloud: { seed: { ...sampleData, users: [...crowd], documents: [] } },
      printer: { port: line.port },
      config,
      terminal: { printer: { uri: line.uri }, session: { autoRelease: true } },
    }),
  );
  await startOnce({ stage, way });
  const held = opened.move();
  return { way, stage, line, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** Milliseconds to "terminal ready". */
export async function startOnce({ stage, way }: Pick<Side, 'stage' | 'way'>): Promise<number> {
  await using agent = startAgentProcess(stage.configFile, way);
  return (await agent.told('terminal ready')) - agent.startedAt;
}

export interface AtWork extends AsyncDisposable {
  readonly stage: Stage;
  readonly line: PrinterLine;
  readonly agent: AgentProcess;
}

export async function startUsual({ stage, line, way }: Side): Promise<AtWork> {
  const agent = startAgentProcess(stage.configFile, way);
  await agent.told('terminal ready', 'reader up');
  return { stage, line, agent, [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose]() };
}

/** Milliseconds from the badge to the first byte at the printer. */
export async function releaseOne(side: AtWork, turn: number): Promise<number> {
  const { stage, line, agent } = side;
  const person = personAt(turn);
  addDocument(stage, person, { title: `Plan ${turn}` });
  const begins = line.nextDocument();
  const since = await badge(side, person);
  // An agent that ends before rejects the second.
  const [first] = await Promise.all([begins, agent.told('session closed')]);
  return first - since;
}

/** Milliseconds from the badge to the end of the last one. */
export async function releaseBatch(side: AtWork, turn: number, documents: number): Promise<number> {
  const person = personAt(turn);
  for (let number = 0; number < documents; number += 1) {
    addDocument(side.stage, person, { title: `Batch ${turn}, ${number}` });
  }
  const since = await badge(side, person);
  const last = (await side.agent.moments('release ended', documents)).at(-1) ?? since;
  await side.agent.told('session closed');
  return last - since;
}

export function personAt(turn: number): Person {
  const person = crowd[turn % crowd.length];
  if (!person) throw new RangeError('nobody is there');
  return person;
}

export function addDocument(
  { cloud }: Stage,
  { userName: owner }: Person,
  { title, size = documentSize }: { readonly title: string; readonly size?: number },
): void {
  const bytes = samplePdf({ title, pages: 1, minimumBytes: size });
  cloud.addDocument({ owner, name: `${title}.pdf`, bytes });
}

/** The moment at which the card is held to the reader. */
export async function badge({ stage }: AtWork, { card }: Person): Promise<number> {
  await sleep(betweenBadges);
  const since = performance.now();
  stage.reader.tap(card);
  return since;
}
