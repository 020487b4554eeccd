/** R: badges, swaps, logouts and stops at any moment of batches on two terminals that share a printer (B.4, 1 and 7). */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { milliseconds, minutes, seconds } from '../../src/core/duration.ts';
import { ownerOf, sharePrinter } from './shared-printer.ts';
import { alice, bob } from '../support/terminal/terminal-stage.ts';

const step = fc.record({
  at: fc.constantFrom(0, 1),
  what: fc.constantFrom('alice', 'bob', 'alice', 'bob', 'logout', 'release', 'unauthorized', 'wait'),
  then: fc.integer({ min: 0, max: 1500 }),
});
const stage = fc.record({
  seed: fc.integer({ min: 0, max: 1_000_000 }),
  steps: fc.array(step, { minLength: 3, maxLength: 16 }),
  /** After the last step; otherwise everything comes to its end first. */
  stopsAtOnce: fc.boolean(),
});
const documents = { alice: 4, bob: 2 };

interface Stage {
  readonly seed: number;
  readonly steps: readonly { readonly at: number; readonly what: string; readonly then: number }[];
  readonly stopsAtOnce: boolean;
}

async function play({ seed, steps, stopsAtOnce }: Stage) {
  const shared = sharePrinter({ seed, documents });
  const { clock, stations } = shared;
  const ending = new AbortController();
  const running = stations.map(({ terminal }) => terminal.run(ending.signal));
  for (const { terminal } of stations) terminal.tell({ type: 'authorized' });
  for (const { at, what, then } of steps) {
    const terminal = stations[at]?.terminal;
    const generation = terminal?.view.current().generation ?? 0;
    if (what === 'alice') terminal?.tell({ type: 'card', card: alice });
    if (what === 'bob') terminal?.tell({ type: 'card', card: bob });
    if (what === 'logout') terminal?.tell({ type: 'log-out', generation });
    if (what === 'release') {
      terminal?.tell({ type: 'release', generation, documentUuids: ['alice-2', 'bob-1'] });
    }
    if (what === 'unauthorized') {
      terminal?.tell({ type: 'unauthorized' });
      terminal?.tell({ type: 'authorized' });
    }
    await clock.advance(milliseconds(then));
  }
  if (!stopsAtOnce) await clock.advance(minutes(1));
  ending.abort();
  const stopped = stations.map(({ desk }) => desk.stop(seconds(3)));
  await clock.advance(seconds(4));
  await Promise.all([...running, ...stopped]);
  return shared;
}

it('no document comes out twice, out of order, at the same time as another, or on another’s word (I1, I3)', async () => {
  let printed = 0;
  await fc.assert(
    fc.asyncProperty(stage, async (one) => {
      const { outputs, removed, complaints, frames, spooled } = await play(one);
      expect(complaints).toEqual([]);
      const uuids = outputs.map(({ uuid }) => uuid);
      expect(uuids).toEqual([...new Set(uuids)]);

      for (const sessionId of new Set(outputs.map((output) => output.sessionId))) {
        const ofSession = outputs.filter((output) => output.sessionId === sessionId);
        const owners = new Set(ofSession.map(({ uuid }) => ownerOf(uuid)));
        expect(owners.size).toBe(1);
        // A choice on the screen may come before the rest of the list.
        if (one.steps.some(({ what }) => what === 'release')) continue;
        const inOrder = ofSession.map(({ uuid }) => uuid);
        expect(inOrder).toEqual(inOrder.toSorted());
      }
      const whole = outputs.filter((output) => output.whole).map(({ uuid }) => uuid);
      expect(removed.filter((uuid) => !whole.includes(uuid))).toEqual([]);
      expect(spooled.forgotten).toBe(spooled.stored);

      const ownersShown = new Map<string, Set<string>>();
      for (const { terminal, view } of frames) {
        const key = `${terminal} ${view.generation}`;
        const owners = ownersShown.get(key) ?? new Set();
        ownersShown.set(key, owners);
        for (const { documentUuid } of view.mayHavePrinted ?? []) owners.add(ownerOf(documentUuid));
      }
      for (const owners of ownersShown.values()) expect(owners.size).toBeLessThanOrEqual(1);
      printed += outputs.length;
    }),
    { numRuns: 200 },
  );
  // A test in which nothing is printed would prove nothing.
  expect(printed).toBeGreaterThan(200);
});
