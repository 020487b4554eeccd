import { expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { Trace, TraceSoFar } from '../../src/domain/release-trace.ts';
import { longestStep, tookInAll } from '../../src/domain/release-trace.ts';
import { createReleaseTrace } from '../../src/release/telling.ts';
import { createSessionTrace } from '../../src/terminal/session-calls.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import type { Answers } from './release-bench.ts';
import { completed, fault, releaseBench, ticketFor } from './release-bench.ts';

/** `stage at+took`, in seconds. */
const steps = ({ steps: all }: Trace) =>
  all.map(({ stage, at, took }) => `${stage} ${at / 1000}+${took / 1000}`);

/** The bench's clock begins at 5 s: the badge was read 3 s before it. */
const before: TraceSoFar = {
  since: '2026-11-21T11:59:57.000Z',
  origin: 2000,
  steps: [
    { stage: 'badge', at: 0, took: 0 },
    { stage: 'login', at: 0, took: 1000 },
    { stage: 'list', at: 1000, took: 500 },
    { stage: 'chosen', at: 1500, took: 1500 },
  ],
};

const sessionSteps = ['badge 0+0', 'login 0+1', 'list 1+0.5', 'chosen 1.5+1.5'];

/** A step that is over when the test says. */
function held() {
  const { promise, resolve } = Promise.withResolvers<typeof completed>();
  return { answer: promise, goOn: () => resolve(completed) };
}

it('a release tells its end each stage from the badge on, and where it waited', async () => {
  const [download, prepare, follow] = [held(), held(), held()];
  const answers: Answers = { download: download.answer, prepare: prepare.answer, follow: follow.answer };
  const bench = releaseBench(answers);
  const { clock } = bench;
  await bench.release({ ...ticketFor('one'), trace: before });
  for (const { goOn } of [download, prepare, follow]) {
    await clock.advance(seconds(2));
    goOn();
    await clock.advance(seconds(0));
  }
  const trace = bench.ends[0]?.trace;
  expect(trace && steps(trace)).toEqual([
    ...sessionSteps,
    'balance 3+0',
    'download 3+2',
    'turn 5+0',
    'prepare 5+2',
    'sent 7+0',
    'printed 7+2',
  ]);
  expect(trace && tookInAll(trace)).toBe(9000);
});

it('the second of a batch waits for the first, and says so', async () => {
  const follow = held();
  const bench = releaseBench({
    prepare: [fault('document-not-printable'), undefined],
    download: follow.answer,
  });
  await bench.release({ ...ticketFor('one', 1), trace: before }, { ...ticketFor('two', 2), trace: before });
  await bench.clock.advance(seconds(4));
  follow.goOn();
  await bench.clock.advance(seconds(0));
  expect(bench.ends.map(({ state }) => state)).toEqual(['NOOUTPUT', 'CONFIRMED']);
  const [first, second] = bench.ends.map(({ trace }) => trace && steps(trace));
  expect(first, 'a stage that failed').toContain('prepare 7+0');
  expect(second).toContain('queue 3+4');
});

it.each([
  ['UNKNOWN', fault('printer-unreachable'), 'followed 3+0'],
  ['CONFIRMED', undefined, 'printed 3+0'],
] as const)('only what came out for certain is printed: %s (I12)', async (state, follow, last) => {
  const bench = releaseBench({ follow });
  await bench.release({ ...ticketFor('one'), trace: before });
  const [end] = bench.ends;
  expect(end?.state).toBe(state);
  expect(end?.trace && steps(end.trace).at(-1)).toBe(last);
});

it('what the service delivers has the request and its end instead', async () => {
  const bench = releaseBench({}, { delivery: 'cloud' });
  await bench.release({ ...ticketFor('one'), trace: before });
  const [end] = bench.ends;
  expect(end?.trace && steps(end.trace).slice(4)).toEqual([
    'balance 3+0',
    'turn 3+0',
    'delivery 3+0',
    'printed 3+0',
  ]);
});

it('a release that a restart found open has none', () => {
  const trace = createReleaseTrace({ clock: createSteeredClock(), before: undefined });
  trace.ended('sent', 0);
  expect(trace.whole()).toBeUndefined();
});

it('keeps no more than 32 steps, however often something is tried again', () => {
  const clock = createSteeredClock();
  const trace = createReleaseTrace({ clock, before });
  for (let turn = 0; turn < 100; turn += 1) trace.ended('download', clock.monotonic());
  expect(trace.whole()?.steps).toHaveLength(32);
});

it('a session begins with the badge that opened it, and the last list leads to the choice', async () => {
  const clock = createSteeredClock();
  const trace = createSessionTrace({ clock, onStage: () => {} });
  const after = (span: number) => () => clock.advance(seconds(span));
  trace.badgeRead();
  await clock.advance(seconds(1));
  trace.begins('card');
  await trace.measured('login', after(2));
  await trace.measured('list', after(1));
  // The same badge once more: it chooses, and opens nothing.
  trace.badgeRead();
  const first = trace.chosen();
  await trace.measured('list', after(3));
  await clock.advance(seconds(5));
  const second = trace.chosen();
  expect(first.since).toBe('2026-11-21T12:00:00.000Z');
  expect(steps(first)).toEqual(['badge 0+1', 'login 1+2', 'list 3+1', 'chosen 4+0']);
  expect(steps(second)).toEqual(['badge 0+1', 'login 1+2', 'list 4+3', 'chosen 7+5']);
  // What the service answers to the one before is none of the next one's.
  const { promise, resolve } = Promise.withResolvers<void>();
  const late = trace.measured('login', () => promise);
  trace.badgeRead();
  trace.begins('card');
  resolve();
  await late;
  expect(steps(trace.chosen())).toEqual(['badge 0+0', 'chosen 0+0']);
  await clock.advance(seconds(1));
  trace.begins('short-id');
  expect(steps(trace.chosen())).toEqual(['chosen 0+0']);
});

it('the longest step is one that a person waited for, and not the choosing', () => {
  const trace: Trace = {
    since: '',
    steps: [
      { stage: 'badge', at: 0, took: 4000 },
      { stage: 'chosen', at: 4000, took: 5000 },
      { stage: 'login', at: 9000, took: 300 },
      { stage: 'download', at: 9300, took: 200 },
      { stage: 'recorded', at: 9500, took: 60_000 },
    ],
  };
  expect(longestStep(trace)?.stage).toBe('login');
  expect(tookInAll(trace)).toBe(9500);
  expect(longestStep({ since: '', steps: [] })).toBeUndefined();
});
