/** What a terminal needs for logins beside the service: cards only, and a lock-out of its own, unless said. */
import { systemChance } from '../../src/core/chance.ts';
import type { Condition, Conditions } from '../../src/domain/condition.ts';
import { createLockOut } from '../../src/domain/lock-out.ts';
import type { LoginOffer } from '../../src/domain/login.ts';

export const cardsOnly: LoginOffer = { ways: [], cardPin: false, enrollment: false };

export const loginWorld = () => ({
  users: { enrolCard: () => Promise.reject(new Error('no card is enrolled here')) },
  lockOut: createLockOut({ key: systemChance.bytes(32) }),
  conditions: recordConditions(),
});

/** Those that are raised at the moment. */
export function recordConditions(): Conditions & { readonly raised: Map<string, Condition> } {
  const raised = new Map<string, Condition>();
  return {
    raised,
    raise: (condition) => void raised.set(condition.subject, condition),
    clear: (_scope, subject) => void raised.delete(subject),
  };
}
