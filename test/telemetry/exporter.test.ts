/** Traces go out together, wait for a receiver that is away, and never many of them. */
import { expect, it } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import type { Duration } from '../../src/core/duration.ts';
import { minutes, seconds } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import type { Letter } from '../../src/domain/ports/posting.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { EndedRelease } from '../../src/telemetry/spans.ts';
import { createTraceExporter } from '../../src/telemetry/exporter.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

const releaseOf = (count: number): EndedRelease => ({
  releaseId: String(count).padStart(32, '0'),
  terminal: 'lobby',
  outcome: 'completed',
  protocol: 'ipp',
  trace: { since: '2026-11-21T12:00:00.000Z', steps: [{ stage: 'badge', at: 0, took: 0 }] },
});

function setStage() {
  const clock = createSteeredClock();
  const recorded = recordLog();
  const letters: Letter[] = [];
  const world: { refusal?: Problem } = {};
  const exporter = createTraceExporter({
    url: new URL('http://127.0.0.1:4318/otel/'),
    headers: { authorization: new Secret('Bearer hidden') },
    sender: { version: '1.2.3', host: 'gateway-1' },
    posting: {
      async post(letter) {
        letters.push(letter);
        if (world.refusal) throw world.refusal;
        return Buffer.from('{}');
      },
      [Symbol.asyncDispose]: async () => {},
    },
    clock,
    log: recorded.log,
    chance: { ...systemChance, jitter: (span: Duration) => span },
  });
  const stop = new AbortController();
  const running = exporter.run(stop.signal);
  return {
    clock,
    recorded,
    letters,
    world,
    exporter,
    addMany: (from: number, to: number) => {
      for (let count = from; count < to; count += 1) exporter.add(releaseOf(count));
    },
    /** The number of each release, by letter. */
    sent: () =>
      letters.map(({ body }) =>
        [...body.toString().matchAll(/"traceId":"(\d+)"[^}]*"name":"release"/g)].map(([, id]) => Number(id)),
      ),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

it('what ends within some seconds goes together, to /v1/traces below the address, with the headers', async () => {
  await using stage = setStage();
  stage.addMany(0, 3);
  await stage.clock.advance(seconds(4));
  expect(stage.letters).toEqual([]);
  stage.addMany(3, 5);
  await stage.clock.advance(seconds(60));
  expect(stage.sent()).toEqual([[0, 1, 2, 3, 4]]);
  expect(stage.letters[0]?.url.href).toBe('http://127.0.0.1:4318/otel/v1/traces');
  expect(stage.letters[0]?.headers).toEqual({ authorization: 'Bearer hidden' });
  expect(stage.exporter.counts()).toEqual({ sent: 5, dropped: 0 });
});

it('a receiver that is away gets the newest when it is back, and what was too much is counted', async () => {
  await using stage = setStage();
  stage.world.refusal = new Problem('cloud-unreachable', 'no connection');
  stage.addMany(0, 400);
  await stage.clock.advance(minutes(30));
  expect(stage.recorded.records('traces not sent')).toHaveLength(1);
  delete stage.world.refusal;
  const before = stage.letters.length;
  await stage.clock.advance(minutes(10));
  expect(stage.sent().slice(before).flat()).toEqual(Array.from({ length: 256 }, (_, count) => 144 + count));
  expect(stage.exporter.counts()).toEqual({ sent: 256, dropped: 144 });
  expect(stage.recorded.records('traces sent again')).toHaveLength(1);
});

it('what the receiver refuses for good is not sent again; of busy ones it is, when they want it', async () => {
  await using stage = setStage();
  stage.world.refusal = new Problem('cloud-rejected', 'status 400', { status: 400 });
  stage.addMany(0, 1);
  await stage.clock.advance(minutes(10));
  expect([stage.letters.length, stage.exporter.counts()]).toEqual([1, { sent: 0, dropped: 1 }]);
  stage.world.refusal = new Problem('cloud-busy', 'status 503', { status: 503, retryAfter: minutes(3) });
  stage.addMany(1, 2);
  await stage.clock.advance(minutes(2));
  expect(stage.letters).toHaveLength(2);
  delete stage.world.refusal;
  await stage.clock.advance(minutes(2));
  expect(stage.exporter.counts()).toEqual({ sent: 1, dropped: 1 });
});
