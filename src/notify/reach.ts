/** A condition for a receiver that does not take messages. The other receivers are told of it. */
import type { Conditions } from '../domain/condition.ts';
import type { Problem } from '../domain/problem/problem.ts';
import { subjectOf } from './way.ts';

/** `undefined`: the receiver takes messages, or is not asked any more. */
export function noteReach(
  { way, conditions }: { readonly way: Parameters<typeof subjectOf>[0]; readonly conditions: Conditions },
  problem: Problem | undefined,
): void {
  const spot = { scope: 'agent', subject: subjectOf(way) };
  if (!problem) return conditions.clear(spot.scope, spot.subject);
  conditions.raise({ code: 'notify-unreachable', severity: 'warning', ...spot, detail: problem.message });
}
