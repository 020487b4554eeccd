/** A process of the campaign that plays its share of the scenes, and tells its parent how far it is. */
import type { Tally } from './tally.ts';
import { playScenes } from './play.ts';

export interface LaneOrder {
  readonly seed: number;
  readonly from: number;
  readonly scenes: number;
  readonly stride: number;
}

export type LaneWord = { readonly played: number } | { readonly done: Tally };

const say = (word: LaneWord) => process.send?.(word);

process.once('message', (order: LaneOrder) => void play(order));

async function play(order: LaneOrder): Promise<void> {
  const done = await playScenes({ ...order, onScene: ({ scenes }) => say({ played: scenes }) });
  say({ done });
  process.disconnect();
}
