/**
 * From the last byte of a badge to the login request on its connection, for each way a
 * reader is connected: the whole agent, as `platen run` composes it, and the embedded cloud in the same process.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import { setStage } from '../support/agent/stage.ts';
import type { Measurement } from './figures.ts';
import { inMilliseconds, percentile, timesOf } from './figures.ts';
import type { Way } from './hands.ts';
import { ways } from './hands.ts';
import { people } from '../support/agent/people.ts';

const badges = 100;
/** Not measured: the first ones open connections and are compiled. */
const warmUps = 20;
/** One reader takes a second badge within 300 ms for a neighbour of the first: they take turns. */
const readersEach = 8;
/** Milliseconds. */
const betweenBadges = 45;

export async function measureBadgeToLogin(): Promise<Measurement> {
  const measured: (readonly [string, readonly number[]])[] = [];
  for (const [way, open] of Object.entries(ways)) measured.push([way, await spansOf(open)]);
  return {
    title: 'Badge complete to login request',
    how:
      `${badges} badges of different people at ${readersEach} readers in turn; from the write of the badge to the ` +
      'moment the request is put on its connection. What carries the badge, such as socat, is within.',
    rows: [
      ['', 'p50', 'p99', 'max'],
      ...measured.map(([way, spans]) => [
        way,
        ...[0.5, 0.99, 1].map((share) => inMilliseconds(percentile(spans, share))),
      ]),
    ],
    goals: measured.map(([way, spans]) => ({
      what: `${way}, p99`,
      figure: percentile(spans, 0.99),
      limit: 5,
      unit: 'ms',
    })),
    samples: measured.map(([way, spans]) => timesOf(`${way}, p99`, spans)),
  };
}

async function spansOf(open: Way): Promise<number[]> {
  await using opened = new AsyncDisposableStack();
  const hands = await open(readersEach, opened);
  const crowd = people(warmUps + badges);
  const stage = opened.use(
    await setStage({
      cloud: { seed: { ...sampleData, users: crowd, documents: [] } },
      terminal: { session: { autoRelease: true }, readers: hands.map(({ config }) => config) },
    }),
  );
  const agent = await stage.start();
  await agent.told('terminal ready');
  for (const _ of hands) await agent.told('reader up');

  const spans: number[] = [];
  for (const [turn, { card, userName }] of crowd.entries()) {
    // With nothing to print the session would wait for something.
    stage.cloud.addDocument({
      owner: userName,
      name: 'Plan.pdf',
      bytes: samplePdf({ title: 'Plan', pages: 1 }),
    });
    const sent = loginSent();
    const since = performance.now();
    const hand = hands[turn % readersEach];
    await hand?.tap(card);
    spans.push((await sent) - since);
    await agent.told('session closed');
    hand?.lift?.();
    await sleep(betweenBadges);
  }
  return spans.slice(warmUps);
}

/** The moment undici has put the next login request on its connection. */
const loginSent = (): Promise<number> =>
  new Promise((resolve) => {
    const look = (message: unknown): void => {
      const { request } = message as { request: { path: string } };
      if (request.path !== '/api/v1/login') return;
      unsubscribe('undici:client:sendHeaders', look);
      resolve(performance.now());
    };
    subscribe('undici:client:sendHeaders', look);
  });
