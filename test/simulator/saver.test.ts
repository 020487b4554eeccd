import { describe, expect, it } from 'vitest';
import { milliseconds } from '../../src/core/duration.ts';
import { createSaver } from '../../src/simulator/saver.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

/** A save takes 20 ms. */
function slowSaver() {
  const clock = createSteeredClock();
  let saves = 0;
  const saver = createSaver(() => {
    saves += 1;
    clock.spend(milliseconds(20));
  }, clock);
  return { clock, saver, saves: () => saves };
}

describe('what saves the state of a simulated cloud', () => {
  it('saves the first change at once, and those that come meanwhile together after ten times as long', async () => {
    const { clock, saver, saves } = slowSaver();
    for (let change = 0; change < 50; change += 1) saver.changed();
    expect(saves()).toBe(1);
    await clock.advance(milliseconds(199));
    expect(saves()).toBe(1);
    await clock.advance(milliseconds(1));
    expect(saves()).toBe(2);
    await clock.advance(milliseconds(10_000));
    expect(saves()).toBe(2);
  });

  it('saves what is owed when it ends, and nothing where nothing is', () => {
    const { saver, saves } = slowSaver();
    saver.changed();
    saver.changed();
    saver[Symbol.dispose]();
    expect(saves()).toBe(2);
    const idle = slowSaver();
    idle.saver[Symbol.dispose]();
    expect(idle.saves()).toBe(0);
  });
});
