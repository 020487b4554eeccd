/** Another member's state of a document, from the engine's row, as a person here sees it (F5). */
import { isoInstant } from '../core/clock.ts';
import type { HeldElsewhere } from '../domain/ports/claims.ts';
import { forgottenRelease } from '../domain/release.ts';
import type { elsewhereShape } from './claim-statements.ts';
import type { ClaimProofs, Said } from './proofs.ts';

export function heldOf(
  found: ReturnType<typeof elsewhereShape.parse>,
  { sealing, now }: { readonly sealing: Pick<ClaimProofs, 'saidBy'>; readonly now: number },
): HeldElsewhere {
  const { releaseId, place, state, age } = found;
  const at = isoInstant(now - (age ?? 0));
  if (releaseId === null) return { releaseId: forgottenRelease, at, how: 'may-have-printed' };
  const said = saidOf(found, sealing);
  const isPrinted = state === 'printed' && said !== undefined;
  const isOver = state === 'printed' || state === 'unknown';
  const how = isPrinted ? 'printed' : isOver ? 'may-have-printed' : 'in-progress';
  const owed = isPrinted && said.deletionOwed ? { deletionOwed: true as const } : {};
  return { releaseId, ...(place === null ? {} : { place }), at, how, ...owed };
}

function saidOf(
  { document, releaseId, member, number, state, proof }: ReturnType<typeof elsewhereShape.parse>,
  sealing: Pick<ClaimProofs, 'saidBy'>,
): Said | undefined {
  if (releaseId === null || member === null || number === null || state === null) return undefined;
  return sealing.saidBy({ document, releaseId, member, number, state, proof });
}
