/** The claim around a release's intent (F5, F6, F12): taken before it, held before the first byte, given back with the end. */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { Claim, Claims, ClaimWish } from '../../src/domain/ports/claims.ts';
import type { OpenAttempt } from '../../src/domain/ports/ledger.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { EndState } from '../../src/domain/release.ts';
import { fault, job, releaseBench, ticketFor } from './release-bench.ts';

const held: Claim = { documentUuid: 'one', releaseId: ticketFor('one').releaseId, number: 7, version: 1 };

/** Claims that say what a test laid out, and write down what they were asked. */
function scriptedClaims(answers: Partial<Claims> = {}) {
  const wishes: ClaimWish[] = [];
  const ends: (readonly [string, EndState])[] = [];
  const claims: Claims = {
    async take(wish, options) {
      wishes.push(wish);
      return (await answers.take?.(wish, options)) ?? held;
    },
    sending: answers.sending ?? (async () => {}),
    ended: ({ documentUuid }, state) => void ends.push([documentUuid, state]),
    isOurs: answers.isOurs ?? (async () => true),
    elsewhere: async () => new Map(),
    found() {},
  };
  return { claims, wishes, ends };
}

const refusing = (problem: Problem) => async () => {
  throw problem;
};

describe('a document that is claimed elsewhere', () => {
  it('F5: gets no intent, its printer no job, and its person hears where it is', async () => {
    const problem = new Problem('document-claimed', 'held by another member', { place: 'Entrance' });
    const { claims, ends } = scriptedClaims({ take: refusing(problem) });
    const bench = releaseBench({}, { claims });
    await bench.release(ticketFor('one'));
    expect(bench.ended).toMatchObject([{ outcome: 'failed', problem: { code: 'document-claimed' } }]);
    expect(bench.deeds.filter((deed) => deed.startsWith('ledger:intend') || deed === 'createJob')).toEqual(
      [],
    );
    expect(bench.log.records('claim refused')).toMatchObject([
      { code: 'document-claimed', place: 'Entrance' },
    ]);
    expect(ends).toEqual([['one', 'NOOUTPUT']]);
  });

  it('F12: an engine that is away ends the batch: the next one would wait as long, and all of them still wait', async () => {
    const { claims, wishes } = scriptedClaims({ take: refusing(fault('fleet-engine-away')) });
    const bench = releaseBench({}, { claims });
    await bench.release(ticketFor('one', 1), ticketFor('two', 2));
    expect(bench.ended.map(({ outcome, problem }) => [outcome, problem?.code])).toEqual([
      ['failed', 'fleet-engine-away'],
      ['failed', 'fleet-engine-away'],
    ]);
    expect(wishes).toHaveLength(1);
  });

  it('tells its person that it waits for the others, and no longer when it goes on', async () => {
    const answered = Promise.withResolvers<Claim>();
    const { claims } = scriptedClaims({
      async take(_, { onWait }) {
        onWait?.('engine-away');
        const claim = await answered.promise;
        onWait?.(undefined);
        return claim;
      },
    });
    const bench = releaseBench({}, { claims });
    await bench.release(ticketFor('one'));
    expect(bench.stages.at(-1)).toMatchObject({ wait: 'engine-away' });
    answered.resolve(held);
    await bench.clock.advance(seconds(0));
    expect(bench.stages.at(-1)?.wait).toBeUndefined();
    expect(bench.outcomes()).toEqual(['completed']);
  });
});

it('a release that another member began is repeated by a person’s word, though this ledger never heard of it (F5)', async () => {
  const { claims, wishes } = scriptedClaims();
  const bench = releaseBench({}, { claims });
  await bench.release({ ...ticketFor('one'), again: '9'.repeat(32), isAgainElsewhere: true });
  expect(bench.outcomes()).toEqual(['completed']);
  expect(wishes).toMatchObject([{ again: '9'.repeat(32) }]);
});

describe('a claim that was raised meanwhile', () => {
  const raised = scriptedClaims({ sending: refusing(fault('claim-lost')) });

  it('F6: keeps a printer of jobs without a byte, and its empty job is cancelled', async () => {
    const bench = releaseBench({}, { claims: raised.claims });
    await bench.release(ticketFor('one'));
    expect(bench.deeds.slice(-4)).toEqual(['ledger:intend', 'createJob', 'cancel', 'ledger:end NOOUTPUT']);
    expect(bench.ended).toMatchObject([{ outcome: 'failed', problem: { code: 'claim-lost' } }]);
  });

  it('F6: keeps a printer of bytes without one', async () => {
    const bench = releaseBench({}, { claims: raised.claims, printer: 'bytes' });
    await bench.release(ticketFor('one'));
    expect(bench.deeds.slice(-2)).toEqual(['ledger:intend', 'ledger:end NOOUTPUT']);
  });

  it('F6: keeps the service from being asked, also when its output was not ready before', async () => {
    const bench = releaseBench({}, { claims: raised.claims, delivery: 'cloud' });
    await bench.release(ticketFor('one'));
    expect(bench.deeds).not.toContain('deliver');
    let asked = 0;
    const later = scriptedClaims({
      sending: async () => {
        asked += 1;
        if (asked > 1) throw fault('claim-lost');
      },
    });
    const notReady = releaseBench(
      { deliver: [fault('printer-not-ready')] },
      { claims: later.claims, delivery: 'cloud' },
    );
    await notReady.release(ticketFor('one'));
    await notReady.clock.advance(seconds(6));
    expect(notReady.deeds.filter((deed) => deed === 'deliver')).toHaveLength(1);
    expect(notReady.ended).toMatchObject([{ problem: { code: 'claim-lost' } }]);
  });
});

it('is told with what a successor needs: the printer, the job’s name and the record, and by whose word it is repeated', async () => {
  const { claims, wishes, ends } = scriptedClaims();
  const bench = releaseBench({}, { claims });
  await bench.release(ticketFor('one'));
  expect(wishes).toMatchObject([
    {
      documentUuid: 'one',
      place: 'Entrance',
      finish: 'delete',
      will: {
        printerUri: 'ipp://printer/ipp/print',
        jobName: 'Report.pdf [00000001]',
        history: { jobType: 'PRINT', serialNumber: 'SN-0001' },
      },
    },
  ]);
  expect(ends).toEqual([['one', 'CONFIRMED']]);
});

describe('a release that a restart found open', () => {
  const attempt: OpenAttempt = {
    releaseId: held.releaseId,
    terminal: 'lobby',
    documentUuid: 'one',
    jobName: job.jobName,
    job,
    state: 'SENT',
    printerUri: 'ipp://printer/ipp/print',
    claim: held,
  };

  it('F6: is left to the member that has raised its claim: nothing is asked of the printer, and nothing recorded', async () => {
    const { claims } = scriptedClaims({ isOurs: async () => false });
    const bench = releaseBench({}, { claims });
    bench.desk.resume([attempt]);
    await bench.clock.advance(seconds(0));
    expect(bench.deeds).toEqual(['ledger:end UNKNOWN no row']);
    expect(bench.ends).toMatchObject([{ history: 'successor', problem: 'claim-lost' }]);
    expect(bench.log.records('claim refused')).toMatchObject([{ code: 'claim-lost', documentUuid: 'one' }]);
  });

  it('F12: waits while the engine is away, and goes on when it is back', async () => {
    let isAway = true;
    const { claims, ends } = scriptedClaims({
      isOurs: async () => {
        if (isAway) throw fault('fleet-engine-away');
        return true;
      },
    });
    const bench = releaseBench({}, { claims });
    bench.desk.resume([attempt]);
    await bench.clock.advance(seconds(60));
    expect(bench.deeds).toEqual([]);
    isAway = false;
    await bench.clock.advance(seconds(2));
    expect(bench.deeds).toEqual(['follow', 'ledger:end CONFIRMED deletion owed']);
    expect(ends).toEqual([['one', 'CONFIRMED']]);
  });

  it('F12: that waits for the engine keeps no stop waiting, and is left open for the next start', async () => {
    const { claims, ends } = scriptedClaims({ isOurs: refusing(fault('fleet-engine-away')) });
    const bench = releaseBench({}, { claims });
    bench.desk.resume([attempt]);
    await bench.clock.advance(seconds(5));
    let hasStopped = false;
    void bench.desk.stop(seconds(10)).then(() => (hasStopped = true));
    await bench.clock.advance(seconds(0.1));
    expect(hasStopped).toBe(true);
    expect([bench.deeds, ends]).toEqual([[], []]);
  });

  it('F6: that a gone member left is told so', async () => {
    const { claims } = scriptedClaims();
    const bench = releaseBench({}, { claims });
    bench.desk.resume([{ ...attempt, from: 'its member' }]);
    await bench.clock.advance(seconds(0));
    expect(bench.log.records('release resumed')).toMatchObject([{ from: 'its member' }]);
  });

  it('of which nobody else heard asks nobody', async () => {
    const { claims } = scriptedClaims({ isOurs: refusing(fault('fleet-engine-away')) });
    const bench = releaseBench({}, { claims });
    bench.desk.resume([{ ...attempt, claim: undefined }]);
    await bench.clock.advance(seconds(0));
    expect(bench.deeds).toEqual(['follow', 'ledger:end CONFIRMED deletion owed']);
  });
});
