import { expect, it, onTestFinished } from 'vitest';
import type { Duration } from '../../src/core/duration.ts';
import { hours, milliseconds, minutes, seconds } from '../../src/core/duration.ts';
import { createHealth } from '../../src/operations/health.ts';
import { createWatchdog } from '../../src/operations/watchdog.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

/** A watchdog of 30 s on a steered clock; `pings` are seconds since its start. */
function watched(pingEvery: Duration | undefined) {
  const steered = createSteeredClock();
  let heldUp = 0;
  const clock = { ...steered, monotonic: () => steered.monotonic() + heldUp };
  const health = createHealth({ clock });
  const recorded = recordLog();
  const startedAt = clock.monotonic();
  const pings: number[] = [];
  const blocked: Duration[] = [];
  const lines: string[] = [];
  const watchdog = createWatchdog({
    manager: {
      ready: async () => {},
      reloading() {},
      stopping() {},
      status: (text) => lines.push(text),
      ping: async () => void pings.push((clock.monotonic() - startedAt) / 1000),
      pingEvery,
    },
    health,
    describe: () => 'Ready: 1 of 1 terminals.',
    onBlocked: (span) => blocked.push(span),
    clock,
    log: recorded.log,
  });
  const stop = new AbortController();
  const running = watchdog.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  /** Nothing runs for so long: timers come late by that. */
  const holdUp = (span: Duration) => {
    heldUp += span;
  };
  return { advance: steered.advance, health, recorded, pings, blocked, lines, holdUp };
}

it('a watchdog is fed every third of its time while all is well, from the start on', async () => {
  const { advance, pings } = watched(seconds(10));
  await advance(seconds(45));
  expect(pings).toEqual([0, 10, 20, 30, 40]);
});

it('is not fed while a service is overdue, which is told once with the reason, and is fed again after it', async () => {
  const { advance, health, pings, recorded } = watched(seconds(10));
  const { progress } = health.follow('printer of lobby');
  progress(seconds(15));
  await advance(minutes(1));
  expect(pings).toEqual([0, 10]);
  expect(recorded.records('service overdue')).toMatchObject([
    { services: 'printer of lobby', detail: expect.stringContaining('promised within 15 s') },
  ]);
  progress(hours(1));
  await advance(seconds(1));
  expect(pings).toHaveLength(3);
});

it.each([
  { span: 900, reported: 0, missed: 0 },
  { span: 1500, reported: 1, missed: 0 },
  { span: 5500, reported: 1, missed: 1 },
])(
  'an event loop that is held up for $span ms is told $reported times, and no ping goes $missed times (B.4, 11)',
  async ({ span, reported, missed }) => {
    const { advance, blocked, holdUp, pings, recorded } = watched(seconds(10));
    await advance(milliseconds(9500));
    holdUp(milliseconds(span));
    await advance(milliseconds(500));
    expect(blocked).toEqual(Array.from({ length: reported }, () => span));
    expect(recorded.records('event loop blocked')).toHaveLength(reported);
    expect(pings).toHaveLength(2 - missed);
    // The loop is free again: the ping is made up for at the next look.
    await advance(seconds(1));
    expect(pings).toHaveLength(2);
  },
);

it('a machine that was paused for an hour blames no service for it', async () => {
  const { advance, health, holdUp, recorded } = watched(seconds(10));
  const { progress } = health.follow('courier');
  progress(minutes(10));
  await advance(milliseconds(500));
  holdUp(hours(1));
  await advance(milliseconds(500));
  progress(minutes(10));
  await advance(seconds(5));
  expect(recorded.records('service overdue')).toEqual([]);
});

it('where nobody asked for pings, an overdue service and a held-up loop are told all the same', async () => {
  const { advance, health, holdUp, pings, recorded } = watched(undefined);
  health.follow('courier').progress(seconds(2));
  await advance(milliseconds(500));
  holdUp(seconds(3));
  await advance(seconds(1));
  expect(pings).toEqual([]);
  expect(recorded.records('service overdue')).toHaveLength(1);
  expect(recorded.records('event loop blocked')).toHaveLength(1);
});

it('looks at the line of the status every few seconds', async () => {
  const { advance, lines } = watched(seconds(10));
  await advance(seconds(7));
  expect(lines).toEqual(Array.from({ length: 3 }, () => 'Ready: 1 of 1 terminals.'));
});
