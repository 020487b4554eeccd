/** When a member tells the engine of itself: every half minute, soon after news, and never at every flap. */
import { expect, it, onTestFinished } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { EngineState } from '../../src/fleet/engine/engine.ts';
import { FleetDigests, createFleetGateways } from '../../src/fleet/members/digests.ts';
import { sampleDigest } from '../support/fleet/sample-digest.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

function member() {
  const clock = createSteeredClock();
  const begun = clock.monotonic();
  const reported: { readonly at: number; readonly unknown: number }[] = [];
  const engine = { isAway: false, state: (_: EngineState): void => {} };
  let unknown = 0;
  const digests = new FleetDigests({
    engine: {
      async ask(_statement, [, , body]) {
        if (engine.isAway) throw new Problem('fleet-engine-away', 'nobody answers');
        const { unknownOutcomes } = JSON.parse(String(body)) as { unknownOutcomes: number };
        reported.push({ at: (clock.monotonic() - begun) / 1000, unknown: unknownOutcomes });
        return [];
      },
      onState(listener) {
        engine.state = listener;
        return { [Symbol.dispose]: () => {} };
      },
    },
    member: { id: 'a', incarnation: 'b' },
    own: () => sampleDigest({ unknownOutcomes: unknown }),
    isNews: (before, now) => before.unknownOutcomes !== now.unknownOutcomes,
    chance: { bytes: () => Buffer.alloc(0), uuid: () => '', jitter: (span) => span },
    clock,
    log: recordLog().log,
  });
  const stop = new AbortController();
  const running = digests.service.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  const happens = () => {
    unknown += 1;
    digests.changed();
  };
  return { digests, clock, reported, engine, happens };
}

it('F17: tells at its start, and every half minute', async () => {
  const { clock, reported } = member();
  await clock.advance(seconds(65));
  expect(reported.map(({ at }) => at)).toEqual([0, 30, 60]);
});

it('F17: tells of a change a second later, and of what came with it at once', async () => {
  const { clock, reported, happens } = member();
  await clock.advance(seconds(10));
  happens();
  await clock.advance(seconds(0.5));
  happens();
  await clock.advance(seconds(4));
  expect(reported.slice(1)).toEqual([{ at: 11, unknown: 2 }]);
});

it('F17: what flaps is told every five seconds, and its last state in the end', async () => {
  const { clock, reported, happens } = member();
  for (let n = 0; n < 100; n += 1) {
    happens();
    await clock.advance(seconds(0.1));
  }
  await clock.advance(seconds(6));
  expect(reported.map(({ at }) => at)).toEqual([0, 5, 10]);
  expect(reported.at(-1)?.unknown).toBe(100);
});

it('F17: a change that nobody acts upon waits for the half minute', async () => {
  const { clock, reported, digests } = member();
  await clock.advance(seconds(10));
  digests.changed();
  await clock.advance(seconds(25));
  expect(reported.map(({ at }) => at)).toEqual([0, 30]);
});

it('F17: an engine that is back is told at once, for it may have forgotten', async () => {
  const { clock, reported, engine } = member();
  await clock.advance(seconds(1));
  engine.isAway = true;
  await clock.advance(seconds(39));
  engine.isAway = false;
  engine.state({ is: 'up' } as EngineState);
  await clock.advance(seconds(3));
  expect(reported.map(({ at }) => at)).toEqual([0, 41]);
});

it('F17: what could not be told is told again after five seconds', async () => {
  const { clock, reported, engine, happens } = member();
  await clock.advance(seconds(10));
  engine.isAway = true;
  happens();
  await clock.advance(seconds(2));
  engine.isAway = false;
  await clock.advance(seconds(5));
  expect(reported.slice(1)).toEqual([{ at: 16, unknown: 1 }]);
});

it.each(['10.0.0.5:7381', '[2001:db8::5]:7381', 'gateway-1.example:7381'])(
  'F17: others are reached at %s',
  async (operations) => {
    expect(await reachedAt(operations)).toBe(operations);
  },
);

it.each([
  'gateway-1.example:80@evil.example:80',
  'evil.example:80/x',
  'evil.example/x:80',
  'x?:80',
  '\n:80',
  '80',
])(
  'F17: nobody is sent to %j, which is no host with its port, though somebody wrote it into the engine',
  async (operations) => {
    expect(await reachedAt(operations)).toBeNull();
  },
);

async function reachedAt(operations: string): Promise<string | null | undefined> {
  const { member: id, name, site, version } = sampleDigest();
  const row = {
    id,
    name,
    site,
    version,
    isBeating: true,
    lastBeat: 1,
    age: 1,
    body: sampleDigest({ operations }),
  };
  const gateways = createFleetGateways({ ask: async () => [row] }, { id: 'another' });
  const [seen] = await gateways.seen(new AbortController().signal);
  expect(seen?.hasTold).toBe(true);
  return seen?.digest.operations;
}
