import { describe, expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import type { Duration } from '../../src/core/duration.ts';
import { hours, minutes, seconds } from '../../src/core/duration.ts';
import { aborted } from '../../src/core/service.ts';
import type { ProblemCode } from '../../src/domain/problem/problem-kinds.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { TerminalInfo } from '../../src/domain/terminal/terminal-info.ts';
import { composeTerminalInfo, createStatusReporter } from '../../src/status/reporter.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

/** Of the first report: the clock's start, and the second in which what else there is to tell may come. */
const firstAt = 6000;
const evenChance = { ...systemChance, jitter: (span: Duration) => span };

/** A terminal whose printer model is what changes, and a service that takes each report or answers as it is told. */
function setUp() {
  const clock = createSteeredClock();
  const recorded = recordLog();
  const reports: { at: number; model: string; info: TerminalInfo }[] = [];
  const world = {
    model: 'A',
    changedAt: 0,
    outputPortId: 7 as number | undefined,
    interval: seconds(60),
    answer: async (_signal: AbortSignal): Promise<void> => {},
    refuseWith: (code: ProblemCode, retryAfter?: Duration) => {
      world.answer = () =>
        Promise.reject(new Problem(code, code, retryAfter === undefined ? {} : { retryAfter }));
    },
  };
  const promises: { at: number; until: number }[] = [];
  const reporter = createStatusReporter({
    terminal: 'lobby',
    interval: () => world.interval,
    reports: {
      async report(info, target, { signal }) {
        expect(target).toEqual({ outputPortId: 7, serialNumber: 'SN-1', terminalId: 'lobby' });
        reports.push({ at: clock.monotonic() - firstAt, model: info.terminalStatus.modelName, info });
        await world.answer(signal);
      },
    },
    compose: () =>
      composeTerminalInfo({
        version: '1',
        conditions: [],
        changedAt: world.changedAt,
        readers: [{ name: world.model, kind: 'serial', state: 'up', frames: 0, garbage: 0, reconnects: 0 }],
        printer: {
          ready: true,
          state: 'idle',
          stateReasons: [],
          acceptingJobs: true,
          formats: [],
          mediaReady: [],
          makeAndModel: world.model,
          firmware: '',
        },
      }),
    target: () =>
      world.outputPortId === undefined
        ? undefined
        : { outputPortId: world.outputPortId, serialNumber: 'SN-1', terminalId: 'lobby' },
    clock,
    chance: evenChance,
    log: recorded.log,
  });
  const stop = new AbortController();
  // A moment later, so that a test can arrange its world first.
  const running = Promise.resolve().then(() =>
    reporter.run(stop.signal, (within) =>
      promises.push({ at: clock.monotonic(), until: clock.monotonic() + within }),
    ),
  );
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  const change = (model: string): void => {
    world.model = model;
    reporter.changed();
  };
  const times = (): number[] => reports.map(({ at }) => at / 1000);
  return { clock, recorded, reports, world, reporter, change, times, promises };
}

describe('the status loop', () => {
  it('reports at the start, and then as a heartbeat', async () => {
    const { clock, times, recorded } = setUp();
    await clock.advance(seconds(125));
    expect(times()).toEqual([0, 60, 120]);
    expect(recorded.records('status reported')).toHaveLength(3);
    expect(recorded.records('status reported')[0]).toMatchObject({ level: 'info', terminal: 'lobby' });
  });

  it('goes by another interval at once', async () => {
    const { clock, world, reporter, times } = setUp();
    await clock.advance(seconds(10));
    world.interval = seconds(5);
    reporter.changed();
    await clock.advance(seconds(11));
    expect(times()).toEqual([0, 10, 15, 20]);
  });

  it('tells once of what changes within a second, and of a second start of everything likewise', async () => {
    const { clock, change, reports, times } = setUp();
    change('A2');
    await clock.advance(seconds(10));
    for (const model of ['B', 'C', 'D']) change(model);
    await clock.advance(seconds(0.2));
    for (const model of ['E', 'F']) change(model);
    await clock.advance(seconds(5));
    expect(times()).toEqual([0, 10.2]);
    expect(reports.map(({ model }) => model)).toEqual(['A2', 'F']);
  });

  it('tells after five seconds what does not come to rest', async () => {
    const { clock, change, times } = setUp();
    await clock.advance(seconds(10));
    for (let turn = 0; turn < 16; turn += 1) {
      change(String(turn));
      await clock.advance(seconds(0.5));
    }
    await clock.advance(seconds(2));
    expect(times()).toEqual([0, 14, 17.5]);
  });

  it('takes a date that alone is different for no news', async () => {
    const { clock, world, reporter, times, reports } = setUp();
    await clock.advance(seconds(10));
    world.changedAt = 1_000_000;
    reporter.changed();
    await clock.advance(seconds(49));
    expect(times()).toEqual([0]);
    await clock.advance(seconds(2));
    expect(reports[1]?.info.terminalStatus.modifiedDate).toBe('1970-01-01T00:16:40.000Z');
  });

  it('loses no change that comes while a report is on its way', async () => {
    const { clock, world, change, reports } = setUp();
    await clock.advance(seconds(10));
    const { promise, resolve: accept } = Promise.withResolvers<void>();
    world.answer = () => promise;
    change('B');
    await clock.advance(seconds(5));
    change('C');
    accept();
    await clock.advance(seconds(1));
    expect(reports.map(({ model }) => model)).toEqual(['A', 'B', 'C']);
  });

  it('backs off from 5 s to 5 min, whatever changes meanwhile, and then tells the newest', async () => {
    const { clock, world, change, reports, times, recorded } = setUp();
    world.refuseWith('cloud-unreachable');
    for (let second = 0; second < 800; second += 1) {
      change(String(second));
      await clock.advance(seconds(1));
    }
    expect(times()).toEqual([0, 5, 15, 35, 75, 155, 315, 615]);
    expect(recorded.records('status not reported')).toHaveLength(1);
    world.answer = async () => {};
    await clock.advance(seconds(120));
    expect(reports.at(-1)).toMatchObject({ at: 915_000, model: '799' });
  });

  it('reports as soon as the service is back, whatever it had failed before (I7)', async () => {
    const { clock, world, reporter, reports, recorded } = setUp();
    world.refuseWith('cloud-unreachable');
    await clock.advance(minutes(30));
    world.answer = async () => {};
    const before = reports.length;
    reporter.retryNow();
    await clock.advance(seconds(1));
    expect(reports).toHaveLength(before + 1);
    expect(recorded.records('status reported')).toHaveLength(1);
  });

  it.each([
    ['asked for patience', 'cloud-busy', minutes(10)],
    ['does not want the report', 'cloud-denied', undefined],
  ] as const)(
    'leaves a service in peace that %s, also when it is back (B.3)',
    async (_, code, retryAfter) => {
      const { clock, world, reporter, times } = setUp();
      world.refuseWith(code, retryAfter);
      await clock.advance(seconds(10));
      reporter.retryNow();
      await clock.advance(minutes(5));
      expect(times()).toEqual([0]);
    },
  );

  it('waits as long as the service asks', async () => {
    const { clock, world, times } = setUp();
    world.refuseWith('cloud-busy', minutes(10));
    await clock.advance(minutes(11));
    expect(times()).toEqual([0, 600]);
  });

  it.each<ProblemCode>(['cloud-denied', 'cloud-not-found', 'cloud-feature-off', 'device-token-refused'])(
    'leaves a service alone that answers %s: told once in the log, tried once an hour',
    async (code) => {
      const { clock, world, change, times, recorded } = setUp();
      world.refuseWith(code);
      await clock.advance(minutes(30));
      change('B');
      await clock.advance(hours(2));
      expect(times()).toEqual([0, 3600, 7200]);
      expect(recorded.records('status not reported')).toMatchObject([{ level: 'warn', error: { code } }]);
    },
  );

  it('complains again when the service refuses after it had accepted', async () => {
    const { clock, world, recorded } = setUp();
    world.refuseWith('cloud-denied');
    await clock.advance(minutes(1));
    world.answer = async () => {};
    await clock.advance(hours(1));
    world.refuseWith('cloud-denied');
    await clock.advance(hours(1));
    expect(recorded.records('status not reported')).toHaveLength(2);
  });

  it('waits quietly for the output port that the path needs, and reports as soon as it is known', async () => {
    const { clock, world, reporter, times, recorded } = setUp();
    world.outputPortId = undefined;
    await clock.advance(seconds(42));
    expect(times()).toEqual([]);
    world.outputPortId = 7;
    reporter.changed();
    await clock.advance(seconds(1));
    expect(times()).toEqual([42]);
    expect(recorded.records('status not reported')).toEqual([]);
  });

  it('waits quietly for the authorization of the terminal', async () => {
    const { clock, world, change, times, recorded } = setUp();
    world.refuseWith('terminal-not-authorized');
    await clock.advance(seconds(42));
    world.answer = async () => {};
    change('B');
    await clock.advance(seconds(1));
    expect(times().at(-1)).toBe(42);
    expect(recorded.records('status reported')).toHaveLength(1);
    expect(recorded.records('status not reported')).toEqual([]);
  });

  it('gives up a call without an answer after 30 s and tries again', async () => {
    const { clock, world, times, recorded } = setUp();
    world.answer = async (signal) => {
      await aborted(signal);
      throw signal.reason;
    };
    await clock.advance(seconds(36));
    expect(times()).toEqual([0, 35]);
    expect(recorded.records('status not reported')).toMatchObject([
      { error: { code: 'cloud-unreachable', cause: { name: 'TimeoutError' } } },
    ]);
  });

  it('keeps its promise of progress through every kind of answer', async () => {
    const { clock, world, promises } = setUp();
    await clock.advance(minutes(5));
    world.refuseWith('cloud-busy');
    await clock.advance(minutes(30));
    world.refuseWith('cloud-denied');
    await clock.advance(hours(5));
    for (const [i, { at }] of promises.entries()) {
      expect(at).toBeLessThanOrEqual(promises[i - 1]?.until ?? at);
    }
    expect(clock.monotonic()).toBeLessThan(promises.at(-1)?.until ?? 0);
  });
});
