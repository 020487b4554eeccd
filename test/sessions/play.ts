/** Scenes of a campaign one after the other, each by its number alone, judged and added up. */
import { judgeScene } from './judge/judge.ts';
import { openMortality } from './mortality.ts';
import type { Printers } from './plan.ts';
import { planScene, seedOfScene } from './plan.ts';
import { playScene } from './scene.ts';
import type { Tally } from './tally.ts';
import { emptyTally, tallyScene } from './tally.ts';

export interface PlayOrder {
  /** Of the campaign. */
  readonly seed: number;
  /** The first scene, and how many from it on, each so many numbers further. */
  readonly from: number;
  readonly scenes: number;
  readonly stride: number;
  readonly printers?: Printers;
  onScene?(tally: Tally): void;
}

export async function playScenes(order: PlayOrder): Promise<Tally> {
  const { seed, from, scenes, stride, printers, onScene } = order;
  using mortality = openMortality();
  const tally = emptyTally();
  for (let index = 0; index < scenes; index += 1) {
    const scene = from + index * stride;
    const plan = planScene(seedOfScene(seed, scene), printers);
    const chronicle = await playScene({ plan, mortality });
    tallyScene(tally, { scene, chronicle, ...judgeScene(chronicle) });
    onScene?.(tally);
  }
  return tally;
}
