/** How soon a reader of each kind is up again when it is plugged in again: the whole agent, all kinds at one terminal. */
import { setTimeout as sleep } from 'node:timers/promises';
import { setStage } from '../support/agent/stage.ts';
import type { Measurement } from './figures.ts';
import { inMilliseconds, percentile } from './figures.ts';
import type { Hand } from './hands.ts';
import { ways } from './hands.ts';

const rounds = 6;
/** Milliseconds. Long enough for the longest wait between two tries, and another phase of it each round. */
const awayFor = (round: number): number => 5000 + round * 250;

export async function measureReaderReplug(): Promise<Measurement> {
  await using opened = new AsyncDisposableStack();
  const readers: { readonly way: string; readonly hand: Hand; readonly spans: number[] }[] = [];
  for (const [way, open] of Object.entries(ways)) {
    for (const hand of await open(1, opened)) readers.push({ way, hand, spans: [] });
  }
  const configs = readers.map(({ hand }) => hand.config);
  const stage = opened.use(await setStage({ terminal: { readers: configs } }));
  const agent = await stage.start();
  const isUp = ({ name }: Hand) => agent.told('reader up', (record) => record['reader'] === name);
  await Promise.all(readers.map(({ hand }) => isUp(hand)));

  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(readers.map(({ hand }) => hand.unplug()));
    await sleep(awayFor(round));
    await Promise.all(
      readers.map(async ({ hand, spans }) => {
        await hand.plugIn();
        const since = performance.now();
        await isUp(hand);
        spans.push(performance.now() - since);
      }),
    );
  }
  return {
    title: 'Reader plugged in again to up',
    how: `${rounds} times each, after 5 to 7 s away; one of each kind at the terminal of a whole agent.`,
    rows: [
      ['', 'p50', 'max'],
      ...readers.map(({ way, spans }) => [
        way,
        ...[0.5, 1].map((share) => inMilliseconds(percentile(spans, share))),
      ]),
    ],
    goals: readers.map(({ way, spans }) => ({
      what: way,
      figure: percentile(spans, 1),
      limit: 3000,
      unit: 'ms',
    })),
  };
}
