/** What a desk tells of documents that come on, and what it does with one that stands when its owner leaves (T29). */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { JobReport } from '../../src/domain/release.ts';
import type { Answers } from './release-bench.ts';
import { blank, fault, releaseBench, ticketFor } from './release-bench.ts';

const half: JobReport = { state: 'canceled', reasons: [], impressionsCompleted: 2, sheetsCompleted: 2 };
const one = ticketFor('one');

async function printing(answers: Answers = {}) {
  const bench = releaseBench({ follow: 'never', ...answers });
  await bench.release(one);
  bench.progress.length = 0;
  return bench;
}

describe('progress', () => {
  it('is told of every stage', async () => {
    const bench = releaseBench({ prepare: 'never' });
    await bench.release(one);
    expect(bench.progress).toHaveLength(1);
  });

  it('is told when the printer is seen to come on, at most every two seconds', async () => {
    const { progress, seen, clock } = await printing();
    await clock.advance(seconds(2));
    for (let page = 1; page <= 30; page += 1) {
      seen().onProgress?.();
      await clock.advance(seconds(0.1));
    }
    expect(progress).toHaveLength(2);
  });

  it('is not told while a call is tried again and again', async () => {
    const bench = releaseBench({ deliver: undefined, status: 'ready' }, { delivery: 'cloud' });
    await bench.release(one);
    await bench.clock.advance(seconds(20));
    expect(bench.deeds.filter((deed) => deed === 'status').length).toBeGreaterThan(4);
    expect(bench.progress.filter((at) => at > 5000 + 3000)).toEqual([]);
  });
});

it('a job that stands is told once, and once more when it has come on and stands again', async () => {
  const { heard, seen } = await printing();
  const stands = () => heard.filter(({ type }) => type === 'standing').length;
  seen().onStanding?.();
  seen().onStanding?.();
  expect(stands()).toBe(1);
  seen().onProgress?.();
  seen().onStanding?.();
  expect(stands()).toBe(2);
});

it('a release tells its end once and then, when its document is gone in the cloud, that it is done', async () => {
  const bench = releaseBench({ delete: [fault('cloud-busy'), undefined] });
  await bench.release(one);
  const ends = () =>
    bench.heard.filter(({ type }) => type === 'ended' || type === 'done').map(({ type }) => type);
  expect([ends(), bench.desk.isReleasing(), bench.desk.isIdle()]).toEqual([['ended'], false, false]);
  await bench.clock.advance(seconds(10));
  expect([ends(), bench.desk.isIdle()]).toEqual([['ended', 'done'], true]);
});

describe('when its owner leaves, a document', () => {
  it.each([
    ['nothing came out', blank, 'NOOUTPUT', 'failed'],
    ['some pages came out', half, 'PARTIAL', 'unknown'],
    ['the printer does not say', undefined, 'UNKNOWN', 'unknown'],
  ])('that stands in the printer is cancelled: %s', async (_, cancel, state, outcome) => {
    const bench = await printing({ cancel });
    bench.seen().onStanding?.();
    bench.desk.ownerLeft(one.sessionId);
    bench.seen().onStanding?.();
    await bench.clock.advance(seconds(0));
    expect(bench.deeds.slice(-2)).toEqual(['cancel', `ledger:end ${state}`]);
    expect(bench.ended).toMatchObject([{ outcome, problem: { code: 'printer-stalled' } }]);
  });

  it('that comes on, or does so again, is printed', async () => {
    const bench = await printing();
    bench.desk.ownerLeft(one.sessionId);
    bench.seen().onStanding?.();
    bench.seen().onProgress?.();
    bench.desk.ownerLeft(one.sessionId);
    await bench.clock.advance(seconds(0));
    expect(bench.deeds.at(-1)).toBe('follow');
  });

  it('that was mended since the last look, and stands again later, is left to the printer’s stall time', async () => {
    const bench = await printing();
    bench.seen().onStanding?.();
    bench.desk.ownerLeft(one.sessionId);
    bench.seen().onProgress?.();
    bench.seen().onStanding?.();
    await bench.clock.advance(seconds(0));
    expect(bench.deeds.at(-1)).toBe('follow');
  });

  it('is not touched by the end of another session', async () => {
    const bench = await printing();
    bench.seen().onStanding?.();
    bench.desk.ownerLeft('another');
    bench.seen().onStanding?.();
    await bench.clock.advance(seconds(0));
    expect(bench.deeds.at(-1)).toBe('follow');
  });
});
