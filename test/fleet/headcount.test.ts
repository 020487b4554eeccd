/** How many gateways are on the roll: asked by each, and not by all at once (F13). */
import { expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { milliseconds, minutes, seconds } from '../../src/core/duration.ts';
import { createHeadcount } from '../../src/fleet/members/headcount.ts';
import { diceOf, seededChance } from '../support/dice.ts';
import { allegianceOf } from '../support/fleet/fleet-engine.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

const size = 1000;
const roll = Array.from({ length: size }, () => ({
  id: systemChance.uuid(),
  name: 'gateway',
  site: 'main',
  counts: true,
}));
const atOnce = seconds(10);

/** A member that hears of each change of holds, and notes when it counts. */
function member(
  seed: number,
  { clock, asked }: { clock: ReturnType<typeof createSteeredClock>; asked: number[] },
) {
  let hear = () => {};
  const headcount = createHeadcount({
    engine: {
      async ask() {
        asked.push(clock.monotonic());
        return roll;
      },
      onState: () => ({ [Symbol.dispose]() {} }),
      onNotice(_channel, listener) {
        hear = () => listener('main');
        return { [Symbol.dispose]() {} };
      },
    },
    kept: { read: () => size, keep: () => {} },
    allegiance: allegianceOf(undefined),
    clock,
    chance: seededChance(diceOf(seed)),
    log: recordLog().log,
  });
  const stop = new AbortController();
  const running = headcount.run(stop.signal);
  return {
    hear: () => hear(),
    async stop() {
      stop.abort();
      await running;
    },
  };
}

it('F13: members that hear of the same change count at different times, and one that has ended waits for nothing', async () => {
  const clock = createSteeredClock();
  const asked: number[] = [];
  const members = Array.from({ length: 60 }, (_, seed) => member(seed, { clock, asked }));
  const stopAll = () => Promise.all(members.map((one) => one.stop()));
  onTestFinished(async () => void (await stopAll()));
  await clock.advance(milliseconds(1));
  asked.length = 0;
  for (const one of members) one.hear();
  await clock.advance(minutes(20));
  expect(asked).toHaveLength(members.length);
  const together = Map.groupBy(asked, (at) => Math.floor(at / atOnce));
  expect(Math.max(...[...together.values()].map(({ length }) => length))).toBeLessThan(8);

  for (const one of members) one.hear();
  await stopAll();
  expect(clock.waits()).toEqual([]);
});
