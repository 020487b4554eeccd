/** A 403 is looked into, rarely, and leads to a refresh only when the trust itself is in doubt (INVARIANTS.md B.3). */
import { describe, expect, it } from 'vitest';
import { createTrustCheck } from '../../src/cloud/link/trust-check.ts';
import { minutes } from '../../src/core/duration.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

function checkWith(answer: boolean | Problem) {
  const clock = createSteeredClock();
  let asked = 0;
  let doubts = 0;
  const check = createTrustCheck({
    trust: {
      async isAuthorized() {
        asked += 1;
        if (answer instanceof Problem) throw answer;
        return answer;
      },
    },
    clientId: 'device-1',
    clock,
    log: recordLog().log,
    doubt: () => void (doubts += 1),
  });
  return { clock, check, seen: () => ({ asked, doubts }) };
}

describe('a 403', () => {
  it('of a trusted device is about a permission: nothing is spent on it', async () => {
    const { check, seen } = checkWith(true);
    await check();
    expect(seen()).toEqual({ asked: 1, doubts: 0 });
  });

  it.each([
    ['is no longer trusted', false],
    ['may not ask', new Problem('cloud-denied', '403', { status: 403 })],
    ['cannot be asked for', new Problem('cloud-not-found', '404', { status: 404 })],
  ] as const)('of a device that %s puts its trust in doubt', async (_, answer) => {
    const { check, seen } = checkWith(answer);
    await check();
    expect(seen()).toEqual({ asked: 1, doubts: 1 });
  });

  it('is looked into once in 10 minutes', async () => {
    const { check, clock, seen } = checkWith(false);
    for (let count = 0; count < 20; count += 1) {
      await check();
      await clock.advance(minutes(1));
    }
    expect(seen()).toEqual({ asked: 2, doubts: 2 });
  });
});
