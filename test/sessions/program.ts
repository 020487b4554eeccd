/**
 * `sessions`: people, terminals, printers and a service, everything that may go wrong between them, and the agent in the
 * midst of it, all from one seed. Played in processes of their own, each a share of the scenes; `--from K --to L` plays
 * those alone, and the same seed plays the same.
 */
import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Program } from '../support/campaign-program.ts';
import type { LaneOrder, LaneWord } from './lane.ts';
import { visitsEach } from './plan.ts';
import type { Found, Tally } from './tally.ts';
import { addTally, emptyTally, tallyTable } from './tally.ts';

/** Processors of the smallest computer that this runs on. */
const lanes = 2;
/** Scenes are small, and their files many. */
const folderOfAll = '/dev/shm';
/** What was killed in a scene is not given back, and a process grows by some 15 MB with each. */
const scenesOfProcess = 50;
/** Milliseconds. */
const tellingEvery = 10_000;

export const sessions: Program = {
  name: 'sessions',
  what: 'people at terminals while everything goes wrong, judged from outside',
  runs: 100_000,
  part: 2000,
  async run({ seed, runs, from = 0, to }) {
    const scenes = to === undefined ? Math.ceil(runs / visitsEach) : to - from + 1;
    const since = performance.now();
    const seconds = () => (performance.now() - since) / 1000;
    let done = 0;
    const telling = setInterval(() => {
      const pace = ((done * visitsEach) / seconds()).toFixed(0);
      process.stderr.write(`${done} of ${scenes} scenes, ${pace} sessions/s\n`);
    }, tellingEvery);
    try {
      const onPlayed = (count: number) => void (done = count);
      const onFound = (found: Found) => process.stderr.write(`${sentenceOf(found, seed)}\n`);
      const tally = await playInLanes({ seed, from, scenes, onPlayed, onFound });
      return {
        table: tallyTable(tally, seconds()),
        violations: tally.found.map((found) => sentenceOf(found, seed)),
      };
    } finally {
      clearInterval(telling);
    }
  },
};

export interface LanesOrder {
  readonly seed: number;
  /** The first scene, and how many from it on. */
  readonly from: number;
  readonly scenes: number;
  /** With the number of all that were played. */
  onPlayed?(scenes: number): void;
  onFound?(found: Found): void;
}

/** Side by side, each lane every so many-th scene. */
export async function playInLanes({ seed, from, scenes, onPlayed, onFound }: LanesOrder): Promise<Tally> {
  const tally = emptyTally();
  const played = Array.from({ length: Math.min(lanes, scenes) }, () => 0);
  await Promise.all(
    played.map(async (_, lane) => {
      const share = Math.ceil((scenes - lane) / played.length);
      for (let done = 0; done < share; done += scenesOfProcess) {
        const first = from + lane + done * played.length;
        const many = Math.min(scenesOfProcess, share - done);
        const order = { seed, from: first, scenes: many, stride: played.length };
        const part = await playPart(order, (count) => {
          played[lane] = done + count;
          onPlayed?.(played.reduce((sum, one) => sum + one, 0));
        });
        for (const found of part.found) onFound?.(found);
        addTally(tally, part);
      }
    }),
  );
  return tally;
}

async function playPart(order: LaneOrder, onPlayed: (scenes: number) => void): Promise<Tally> {
  const lane = fork(fileURLToPath(new URL('lane.ts', import.meta.url)), {
    env: { ...process.env, TMPDIR: folderOfAll },
    // A scene makes much that is soon garbage: with a larger nursery a tenth less time goes to collecting it.
    execArgv: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=64'],
  });
  const ended = once(lane, 'exit').then(([code]) => {
    throw new Error(`a process of the campaign ended with ${code} before it was done`);
  });
  const listening = async (): Promise<Tally> => {
    lane.send(order);
    for await (const [word] of on(lane, 'message') as AsyncIterable<[LaneWord]>) {
      if ('done' in word) return word.done;
      onPlayed(word.played);
    }
    throw new Error('a process of the campaign fell silent');
  };
  const result = await Promise.race([listening(), ended]);
  ended.catch(() => undefined);
  return result;
}

/** With what plays it again alone. */
const sentenceOf = ({ scene, invariant, what, habits }: Found, seed: number): string =>
  `${invariant}: ${what} (printer: ${habits}); npm run campaign -- sessions --seed ${seed} --from ${scene} --to ${scene}`;
