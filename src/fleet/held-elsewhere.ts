/** What another member has of a document, by the engine's row: what a person here is told of it (F5). */
import { isoInstant } from '../core/clock.ts';
import type { HeldElsewhere } from '../domain/ports/claims.ts';
import { forgottenRelease } from '../domain/release.ts';
import type { elsewhereShape } from './claim-statements.ts';

export function heldOf(
  { releaseId, place, state, age, isDeletionOwed }: ReturnType<typeof elsewhereShape.parse>,
  now: number,
): HeldElsewhere {
  const at = isoInstant(now - (age ?? 0));
  if (releaseId === null) return { releaseId: forgottenRelease, at, how: 'may-have-printed' };
  const how = state === 'printed' ? 'printed' : state === 'unknown' ? 'may-have-printed' : 'in-progress';
  const owed = how === 'printed' && isDeletionOwed === true ? { deletionOwed: true as const } : {};
  return { releaseId, ...(place === null ? {} : { place }), at, how, ...owed };
}
