/** A download is repeated inside its release, and nothing is printed before it is whole (INVARIANTS.md B.4, 5). */
import { describe, expect, it } from 'vitest';
import { minutes, seconds } from '../../src/core/duration.ts';
import type { ProblemCode } from '../../src/domain/problem/problem-kinds.ts';
import type { Problem } from '../../src/domain/problem/problem.ts';
import { fault, releaseBench, ticketFor } from './release-bench.ts';

const downloads = ({ deeds }: { deeds: readonly string[] }) =>
  deeds.filter((deed) => deed === 'download').length;

async function releaseWith(...failures: (Problem | 'never')[]) {
  const bench = releaseBench({ download: failures });
  await bench.release(ticketFor('one'));
  return bench;
}

describe('a service that could not give the document', () => {
  it.each<ProblemCode>(['cloud-busy', 'cloud-unreachable', 'cloud-protocol'])(
    'with %s is asked three times in all',
    async (code) => {
      const bench = await releaseWith(fault(code), fault(code), fault(code));
      expect(downloads(bench)).toBe(1);
      await bench.clock.advance(minutes(2));
      expect(downloads(bench)).toBe(3);
      expect(bench.deeds.at(-1)).toBe('ledger:end NOOUTPUT');
      expect(bench.ended[0]).toMatchObject({ outcome: 'failed', problem: { code } });
    },
  );

  it('and then can is not noticed: the document is printed, and no problem is told', async () => {
    const bench = await releaseWith(fault('cloud-busy'), fault('cloud-unreachable'));
    await bench.clock.advance(seconds(4));
    expect(bench.ended).toMatchObject([{ outcome: 'completed', problem: undefined }]);
    expect(bench.deeds.filter((deed) => deed === 'createJob')).toHaveLength(1);
    expect(bench.log.records('download repeated')).toMatchObject([
      { level: 'debug', code: 'cloud-busy' },
      { level: 'debug', code: 'cloud-unreachable' },
    ]);
  });

  it('is given the time it asks for', async () => {
    const bench = await releaseWith(fault('cloud-busy', { status: 503, retryAfter: seconds(20) }));
    await bench.clock.advance(seconds(19));
    expect(downloads(bench)).toBe(1);
    await bench.clock.advance(seconds(1));
    expect(bench.outcomes()).toEqual(['completed']);
  });

  it('is not given more than a minute at once', async () => {
    const bench = await releaseWith(fault('cloud-busy', { status: 503, retryAfter: minutes(5) }));
    expect([downloads(bench), bench.outcomes()]).toEqual([1, ['failed']]);
  });

  it('is not given more than a minute in all', async () => {
    const busy = fault('cloud-busy', { status: 503, retryAfter: seconds(40) });
    const bench = await releaseWith(busy, busy);
    await bench.clock.advance(seconds(59));
    expect([downloads(bench), bench.outcomes()]).toEqual([2, []]);
    await bench.clock.advance(seconds(1));
    expect([downloads(bench), bench.outcomes()]).toEqual([2, ['failed']]);
    expect(bench.clock.waits()).toEqual([]);
  });

  it('is not cut off when it gives the document slowly, and not asked again when that fails after a minute', async () => {
    const bench = releaseBench({ download: 'never' });
    await bench.release(ticketFor('one'));
    await bench.clock.advance(minutes(30));
    expect([downloads(bench), bench.outcomes()]).toEqual([1, []]);
    await bench.desk.stop(seconds(0));
  });
});

describe('a document that was cut', () => {
  it('is fetched from its beginning, twice at most', async () => {
    const cut = fault('document-cut');
    const bench = await releaseWith(cut, cut, cut);
    expect([downloads(bench), bench.outcomes()]).toEqual([3, ['failed']]);
    expect(bench.deeds).not.toContain('prepare');
  });

  it('and then comes whole is printed', async () => {
    const bench = await releaseWith(fault('document-cut'), fault('cloud-busy'), fault('document-cut'));
    await bench.clock.advance(seconds(1));
    expect(bench.outcomes()).toEqual(['completed']);
  });
});

describe('nothing is asked for again', () => {
  it.each<ProblemCode>([
    'document-gone',
    'user-token-refused',
    'cloud-denied',
    'cloud-rejected',
    'cloud-feature-off',
    'document-too-large',
    'document-not-printable',
    'spool-full',
    'spool-failed',
  ])('after %s', async (code) => {
    const bench = await releaseWith(fault(code));
    await bench.clock.advance(minutes(2));
    expect([downloads(bench), bench.outcomes()]).toEqual([1, ['failed']]);
  });

  it('when the agent stops meanwhile: nothing came out', async () => {
    const bench = await releaseWith(fault('cloud-busy', { retryAfter: seconds(30) }));
    await bench.desk.stop(seconds(3));
    expect(bench.ended).toMatchObject([{ outcome: 'failed', problem: { code: 'release-abandoned' } }]);
    expect([downloads(bench), bench.clock.waits().filter((wait) => wait > 3000)]).toEqual([1, []]);
  });
});
