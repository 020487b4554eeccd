/** Which pages a release says are missing when its job was given up: by a count that nothing else contradicts (I12). */
import { expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { JobReport } from '../../src/domain/release.ts';
import { sampleTicket } from '../support/sample-ticket.ts';
import { fault, releaseBench } from './release-bench.ts';

const given: JobReport = { state: 'canceled', reasons: [], impressionsCompleted: 2, sheetsCompleted: 2 };
const ticket = sampleTicket({ uuid: 'one', totalPages: 6, copies: 1, sides: 'one-sided' });

/** The printer counts these while it prints, then stands, and its owner leaves. */
async function givenUpAfter(...counts: readonly number[]) {
  const bench = releaseBench({ follow: 'never', cancel: given });
  await bench.release(ticket);
  for (const count of counts) bench.seen().onPages?.(count);
  bench.seen().onStanding?.();
  bench.desk.ownerLeft(ticket.sessionId);
  bench.seen().onStanding?.();
  await bench.clock.advance(seconds(0));
  return bench.ends;
}

it('are those behind the last count', async () => {
  expect(await givenUpAfter(1, 2)).toMatchObject([{ state: 'PARTIAL', missing: { from: 3, to: 6 } }]);
});

it('are not told where the count has fallen since, or where the transfer broke off', async () => {
  expect((await givenUpAfter(1, 4))[0]).not.toHaveProperty('missing');
  const cut = releaseBench({ send: fault('printer-unreachable'), cancel: given, follow: given });
  await cut.release(ticket);
  expect(cut.ends).toMatchObject([{ state: 'PARTIAL' }]);
  expect(cut.ends[0]).not.toHaveProperty('missing');
});
