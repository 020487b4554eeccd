/** How a download goes on while its document is on its way to the printer (INVARIANTS.md B.4, 5 Download). */
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { minutes, seconds } from '../../src/core/duration.ts';
import type { Documents, Rest } from '../../src/domain/ports/service.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { ProblemCode } from '../../src/domain/problem/problem-kinds.ts';
import { documentSource } from '../../src/release/download.ts';
import { sampleTicket } from '../support/sample-ticket.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { fault } from './release-bench.ts';

const call = { signal: new AbortController().signal };
const notAsked = () => Promise.reject(new Error('not asked for a download'));

/** The service answers in this order: with a problem, or with a download of that validator. */
function setUp(...answers: (Problem | string | undefined)[]) {
  const clock = createSteeredClock();
  const asked: (Rest | undefined)[] = [];
  const reported: ProblemCode[] = [];
  const documents: Documents = {
    ready: notAsked,
    requireReady: notAsked,
    remove: notAsked,
    consume: notAsked,
    deliver: notAsked,
    statusOf: notAsked,
    async download(_uuid, _token, { rest }) {
      asked.push(rest);
      const answer = answers.shift();
      if (answer instanceof Problem) throw answer;
      return { length: 9, bytes: Readable.from([]), ...(answer ? { validator: answer } : {}) };
    },
  };
  const source = documentSource({
    documents,
    clock,
    ticket: sampleTicket({}),
    onResume: ({ code }) => reported.push(code),
  });
  return { clock, asked, reported, source };
}

const broken = (code: ProblemCode, received = 5) => ({ received, problem: fault(code) });

describe('a download that broke off', () => {
  it('asks for the rest of the bytes that the service named', async () => {
    const { source, asked, reported } = setUp('"a"');
    await source.begin(call);
    await source.resume(broken('document-cut'), call);
    expect(asked).toEqual([undefined, { from: 5, validator: '"a"' }]);
    expect(reported).toEqual(['document-cut']);
  });

  it('asks for all of it once more where the service named nothing', async () => {
    const { source, asked } = setUp(undefined);
    await source.begin(call);
    await source.resume(broken('document-cut'), call);
    expect(asked).toEqual([undefined, undefined]);
  });

  it('goes on at once, twice at most', async () => {
    const { source } = setUp();
    await source.resume(broken('document-cut'), call);
    await source.resume(broken('document-cut'), call);
    await expect(source.resume(broken('document-cut'), call)).rejects.toMatchObject({ code: 'document-cut' });
  });

  it('gives a service that is busy time, and three tries in all', async () => {
    const { source, clock, asked } = setUp(fault('cloud-busy'), fault('cloud-unreachable'));
    const resumed = source.resume(broken('cloud-busy'), call);
    const failure = resumed.catch((error: unknown) => error);
    await clock.advance(seconds(0));
    expect([asked.length, clock.waits()]).toEqual([0, [1000]]);
    await clock.advance(seconds(1));
    expect([asked.length, clock.waits()]).toEqual([1, [3000]]);
    await clock.advance(minutes(2));
    expect(await failure).toMatchObject({ code: 'cloud-unreachable' });
    expect(asked).toHaveLength(2);
  });

  it('waits as long as the service asks for, and not longer than a minute in all', async () => {
    const { source, clock, asked } = setUp(fault('cloud-busy', { retryAfter: seconds(40) }));
    const busy = { received: 5, problem: fault('cloud-busy', { retryAfter: seconds(30) }) };
    const resumed = source.resume(busy, call);
    const failure = resumed.catch((error: unknown) => error);
    await clock.advance(seconds(30));
    expect(await failure).toMatchObject({ code: 'cloud-busy' });
    expect(asked).toHaveLength(1);
  });

  it.each<ProblemCode>(['user-token-refused', 'document-gone', 'cloud-denied', 'cloud-rejected'])(
    'by %s does not go on',
    async (code) => {
      const { source, asked } = setUp();
      await expect(source.resume(broken(code), call)).rejects.toMatchObject({ code });
      expect(asked).toEqual([]);
    },
  );

  it('is not gone on with when nobody wants the document any longer', async () => {
    const { source } = setUp();
    const life = new AbortController();
    const resumed = source.resume(broken('cloud-busy'), life);
    life.abort(new Error('put away'));
    await expect(resumed).rejects.toThrow('put away');
  });
});
