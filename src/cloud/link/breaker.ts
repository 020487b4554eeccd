/**
 * Leaves a server alone that does not answer: after 5 failures in a row nothing is sent to it for 15 s, then one call
 * tries again (reliability.md B.3). So a person hears within an instant what ten seconds of trying would tell, and a
 * service that struggles is not stormed. What counts as a failure is the transport's word.
 */
import type { Clock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import { Problem } from '../../domain/problem/problem.ts';

/** Who waits for the call: a badge is worth a try at any moment. */
export type Urgency = 'person' | 'background';

export interface Breaker {
  /** Throws `cloud-unreachable`, not sent, while the server is left alone; a call a person waits for always passes. */
  pass(call: string, urgency: Urgency): void;
  /** `failure` is `undefined` for an answer of any kind that shows the server at work. */
  heard(failure: Problem | undefined): void;
}

const mostFailures = 5;
const rest = seconds(15);

export function createBreaker(clock: Clock): Breaker {
  let failures = 0;
  let closedAgainAt = Number.NEGATIVE_INFINITY;
  let last: Problem | undefined;

  return {
    pass(call, urgency) {
      if (failures < mostFailures || urgency === 'person') return;
      if (clock.monotonic() < closedAgainAt) {
        throw new Problem(
          'cloud-unreachable',
          `${call}: not sent, the server failed ${failures} times in a row`,
          { delivery: 'not-sent', ...(last === undefined ? {} : { cause: last }) },
        );
      }
      // Half open: this call goes, and the next ones wait for what becomes of it.
      closedAgainAt = clock.monotonic() + rest;
    },
    heard(failure) {
      last = failure;
      failures = failure === undefined ? 0 : failures + 1;
      if (failures >= mostFailures) closedAgainAt = clock.monotonic() + rest;
    },
  };
}
