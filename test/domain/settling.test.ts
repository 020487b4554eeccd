import { describe, expect, it } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import type { Duration } from '../../src/core/duration.ts';
import { hours, milliseconds, minutes, seconds } from '../../src/core/duration.ts';
import { runPeriodically, Wake } from '../../src/core/periodic.ts';
import { createSettling, longestWindow } from '../../src/domain/settling.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

function settlingOf(gateways: number, jitter = systemChance.jitter) {
  const clock = createSteeredClock();
  const settling = createSettling({ clock, chance: { ...systemChance, jitter }, gateways: () => gateways });
  return { clock, settling };
}

describe('what nobody waits for, when many gateways begin at once (F13)', () => {
  it('waits for nothing where a gateway is alone', () => {
    const { settling } = settlingOf(1);
    expect(settling.turn(hours(1)).left()).toBe(0);
    expect(settling.window()).toBeUndefined();
  });

  it.each([
    [11, seconds(3)],
    [101, seconds(30)],
    [1001, longestWindow],
    [20_000, longestWindow],
  ])('has a window that grows with the fleet: of %i gateways', (gateways, left) => {
    const { settling } = settlingOf(gateways);
    expect(settling.window()).toEqual({ gateways, left });
  });

  it('takes its turn by chance, evenly over its own interval at a full fleet', () => {
    const turns = Array.from({ length: 2000 }, () => settlingOf(1001).settling.turn(minutes(15)).left());
    const tenths = Array.from({ length: 10 }, () => 0);
    for (const left of turns)
      tenths[Math.floor(left / 90_000)] = (tenths[Math.floor(left / 90_000)] ?? 0) + 1;
    expect(Math.max(...turns)).toBeLessThanOrEqual(minutes(15));
    // Of 200 each: six times the spread of chance.
    for (const tenth of tenths) expect(Math.abs(tenth - 200)).toBeLessThan(85);
  });

  it('comes nearer as time passes, and is over until gateways begin anew', async () => {
    const { clock, settling } = settlingOf(1001, (span: Duration) => span);
    const turn = settling.turn(minutes(10));
    await clock.advance(minutes(4));
    expect(turn.left()).toBe(minutes(1));
    await clock.advance(minutes(2));
    expect(turn.left()).toBe(0);
    settling.begin();
    expect(turn.left()).toBe(minutes(5));
  });

  it('takes its turn at once for a person, and waits again when gateways begin anew', () => {
    const { settling } = settlingOf(1001, (span: Duration) => span);
    const turn = settling.turn(minutes(10));
    turn.take();
    expect(turn.left()).toBe(0);
    settling.begin();
    expect(turn.left()).toBe(minutes(5));
  });

  it('holds a periodic duty back, which looks again when the bell rings', async () => {
    const clock = createSteeredClock();
    const settling = createSettling({ clock, chance: evenly, gateways: () => 1001 });
    const turn = settling.turn(minutes(10));
    const wake = new Wake();
    const at: number[] = [];
    const stop = new AbortController();
    const running = runPeriodically(
      {
        attempt: async () => void at.push(clock.monotonic() - 5000),
        interval: hours(1),
        retry: { first: seconds(1), factor: 1, longest: seconds(1) },
        wake,
        onFailure: () => undefined,
        untilTurn: () => turn.left(),
      },
      { clock, chance: evenly },
      stop.signal,
    );
    await clock.advance(minutes(1));
    wake.ring();
    await clock.advance(minutes(1));
    expect(at).toEqual([]);
    turn.take();
    wake.ring();
    await clock.advance(milliseconds(1));
    expect(at).toEqual([minutes(2)]);
    stop.abort();
    await running;
  });
});

const evenly = { ...systemChance, jitter: (span: Duration) => span };
