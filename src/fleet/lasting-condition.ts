/**
 * A condition that is told only when it has lasted longer than the beats of an ended member. After a crash, or with a
 * new state directory, a member finds its own last beat for a while.
 */
import type { Clock } from '../core/clock.ts';
import type { Condition, Conditions } from '../domain/condition.ts';
import { memberTtl } from './engine/membership.ts';
import { beatEvery } from './moves.ts';

export interface LastingCondition {
  /** The present trouble; `undefined`: none. */
  is(detail: string | undefined): void;
}

export function createLastingCondition(
  condition: Omit<Condition, 'detail'>,
  { conditions, clock }: { readonly conditions: Conditions; readonly clock: Clock },
): LastingCondition {
  let since: number | undefined;
  return {
    is(detail) {
      since = detail === undefined ? undefined : (since ?? clock.monotonic());
      if (detail === undefined || since === undefined) {
        return conditions.clear(condition.scope, condition.subject);
      }
      if (clock.monotonic() - since >= memberTtl + beatEvery) conditions.raise({ ...condition, detail });
    },
  };
}
