/**
 * Kills the agent again and again on one stage: each run is a start, a badge, and a death at its moment; the next start
 * is the recovery from it. In the end it lives, and everything is judged.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/patience.ts';
import type { Dice } from '../support/dice.ts';
import type { FileSystem } from '../support/recorded-disk.ts';
import { mountRecordedDisk } from '../support/recorded-disk.ts';
import type { Verdict } from './kill-oracle.ts';
import { judge, titleOf } from './kill-oracle.ts';
import type { KillStage, Protocol } from './kill-stage.ts';
import { addDocument, aliceCards, setKillStage } from './kill-stage.ts';
import type { FatalCall, MortalAgent } from '../support/agent/mortal-agent.ts';
import { killingBefore, startMortalAgent } from '../support/agent/mortal-agent.ts';

/** When a run ends: within a release, `share` of its span after the badge; within its start; or before a system call. */
export type Death =
  | { readonly kind: 'in-release'; readonly share: number }
  | { readonly kind: 'in-start'; readonly share: number }
  | { readonly kind: 'before-call'; readonly call: FatalCall };

export interface KillRun {
  readonly death: Death;
  /** The document of this run has at least so many. */
  readonly bytes: number;
}

export interface KillReport {
  readonly protocol: Protocol;
  readonly kills: number;
  /** Kills whose system call never came: they fell after the release instead. */
  readonly late: number;
  readonly verdict: Verdict;
  /** Milliseconds from each start to "terminal ready" and an open reader. */
  readonly restarts: readonly number[];
  /** Deaths at which the disk lost something that had been written. */
  readonly lossy: number;
}

/** The machine's power goes with the agent, and with it what the disk of the state directory was not told to keep. */
export interface PowerCuts {
  readonly fileSystem: FileSystem;
  readonly dice: Dice;
}

/** Milliseconds; about what a start takes in which the device registers. */
const firstStart = 1500;

const [aliceCard] = aliceCards;
/** Milliseconds; the reader's own pause after a card (INVARIANTS.md B.4, 1), and some more. */
const untilAnotherBadge = 500;

export async function killOften(
  protocol: Protocol,
  runs: readonly KillRun[],
  power?: PowerCuts,
): Promise<KillReport> {
  await using stage = await setKillStage(protocol);
  const state = join(stage.folder, 'state');
  await using disk =
    power && (await mountRecordedDisk(state, { ...power, folder: join(stage.folder, 'disk') }));
  let lossy = 0;
  async function end(agent: MortalAgent): Promise<void> {
    await agent.kill();
    const gone = power && (await disk?.cut(power.dice));
    if (gone) lossy += 1;
    // A refresh that was under way may be repeated once (INVARIANTS.md B.2, step 6).
    stage.cloud.forgiveReuse();
    // Each kill is to hit a release: a document of two crashes would be set aside (E, Restart; `kill.test.ts`).
    rmSync(join(state, 'suspects.json'), { force: true });
  }

  for (const share of power ? [power.dice.number(1), power.dice.number(1)] : []) {
    await using agent = startMortalAgent(stage.configFile);
    await sleep(share * firstStart);
    await end(agent);
  }
  const spans = await spansOf(stage, end);
  const restarts: number[] = [];
  let late = 0;
  for (const [index, { death, bytes }] of runs.entries()) {
    addDocument(stage, `Run ${index}.pdf`, bytes);
    const tracing = death.kind === 'before-call' ? killingBefore(death.call) : [];
    await using agent = startMortalAgent(stage.configFile, tracing);
    // The moment is the point: a time is all that it depends on, and the kill falls wherever the agent has come by then.
    if (death.kind === 'in-start') {
      await sleep(death.share * spans.start);
    } else if (death.kind === 'in-release') {
      restarts.push(await untilReady(agent));
      stage.reader.tap(aliceCard);
      await sleep(death.share * spans.release(bytes));
    } else if (await outlives(stage, agent)) {
      late += 1;
    }
    await end(agent);
  }
  await settle(stage);
  return { protocol, kills: runs.length, late, verdict: judge(stage), restarts, lossy };
}

/** Milliseconds since its start. */
export async function untilReady(agent: MortalAgent): Promise<number> {
  if (!(await agent.told('terminal ready', 'reader up'))) {
    throw new Error(`the agent does not start any more (I7): ${agent.complaints()}`);
  }
  return performance.now() - agent.startedAt;
}

/** Whether the release came to its end before the call at which the agent dies. */
async function outlives({ reader }: KillStage, agent: MortalAgent): Promise<boolean> {
  if (!(await agent.told('terminal ready', 'reader up'))) return false;
  reader.tap(aliceCard);
  return await agent.told('session closed', 'history accepted');
}

/** Milliseconds, of this computer as busy as it is. */
interface Spans {
  readonly start: number;
  /** From the badge to the record in the history. */
  release(bytes: number): number;
}

/** Enrols, starts once more, and lets one document out. */
async function spansOf(stage: KillStage, end: (agent: MortalAgent) => Promise<void>): Promise<Spans> {
  await using first = startMortalAgent(stage.configFile);
  await untilReady(first);
  await end(first);

  addDocument(stage, 'Measured.pdf', 0);
  await using second = startMortalAgent(stage.configFile);
  const start = await untilReady(second);
  const since = performance.now();
  await outlives(stage, second);
  const small = performance.now() - since;
  return { start, release: (bytes) => small * (1 + bytes / 4_000_000) };
}

/** The agent lives and is served two badges; all that may come out does, and all that is owed is posted. */
async function settle(stage: KillStage): Promise<void> {
  const { cloud, reader } = stage;
  const isReported = (title: string) => cloud.state.history.some((row) => row.title === title);
  const unreported = () => stage.outputs().filter(({ jobName }) => !isReported(titleOf(jobName)));
  await using agent = startMortalAgent(stage.configFile);
  await untilReady(agent);
  const cards = [...aliceCards];
  for (let badges = 0; badges < 2; badges += 1) await isServed(reader, agent, cards);
  // What is still missing after that is for the oracle to tell.
  await until('the history is posted', () => unreported().length === 0).catch(() => undefined);
}

/** Another card is held to the reader where one came so soon that it was taken for a second one beside that before. */
export async function isServed(
  reader: KillStage['reader'],
  agent: MortalAgent,
  cards: string[],
): Promise<void> {
  const served = agent.times('session closed');
  while (agent.times('session closed') === served) {
    const ignored = agent.times('second card ignored');
    reader.tap(cards.pop() ?? aliceCard);
    const isHeard = () =>
      agent.times('session closed') > served || agent.times('second card ignored') > ignored;
    await until('a badge is served', isHeard);
    await sleep(untilAnotherBadge);
  }
}

export const until = (what: string, holds: () => boolean): Promise<void> =>
  eventually(() => {
    if (!holds()) throw new Error(`${what}: in vain`);
  });

/** Most documents are small, some take a while, a few flow through while they come in. */
export const sizes = [0, 0, 0, 200_000, 200_000, 3_000_000, 9_000_000] as const;

/** Deaths at any moment: most while a document is let out, some while the last death is recovered from. */
export const randomRuns = (dice: Dice, count: number): KillRun[] =>
  Array.from({ length: count }, () => ({
    bytes: dice.one(sizes),
    death: { kind: dice.happens(10) ? 'in-start' : 'in-release', share: dice.number(1) },
  }));
