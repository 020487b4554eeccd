/**
 * The last state that the books have of a document (INVARIANTS.md I1, I11), from its releases, or from the rest that
 * compaction left.
 */
import { z } from 'zod';
import type { Ledger } from '../../domain/ports/ledger.ts';
import type { EndState, LastRelease, OpenState } from '../../domain/release.ts';
import { forgottenRelease, outcomeOf } from '../../domain/release.ts';
import { endState, isEndState, openState } from '../columns.ts';
import type { Database } from '../database.ts';
import { createPast } from './past.ts';

const lastShape = z.object({
  id: z.int(),
  release_id: z.string(),
  state: z.union([openState, endState]),
  deletion_owed: z.int(),
});

/** `doubtedUpTo`: if there is a quarantine, the last attempt whose state may be out of date. */
export function createLastReleases(options: {
  readonly database: Database;
  readonly doubtedUpTo: number | undefined;
}): Ledger['lastRelease'] {
  const { database, doubtedUpTo } = options;
  const past = createPast(database);
  // An attempt without output does not change that an earlier attempt may have printed (I1, I11).
  const lastOf = database.prepare(`
    SELECT id, release_id, state, deletion_owed FROM attempt
    WHERE document_uuid = :document AND release_id IS NOT :but
    ORDER BY state = 'NOOUTPUT', id DESC LIMIT 1`);

  return (documentUuid, { but } = {}) =>
    database.read(() => {
      const found = lastOf.get({ document: documentUuid, but: but ?? null });
      const last = found && lastShape.parse(found);
      const counts =
        last && last.state !== 'NOOUTPUT' && (last.id > (doubtedUpTo ?? 0) || isInDoubt(last.state));
      if (counts) return lastRelease(last);
      if (doubtedUpTo !== undefined) return forgotten('UNKNOWN');
      const state = past.stateOf(documentUuid);
      return state ? forgotten(state) : last && lastRelease(last);
    });
}

const isInDoubt = (state: OpenState | EndState): boolean =>
  isEndState(state) && outcomeOf[state] === 'unknown';

const lastRelease = (row: z.infer<typeof lastShape>): LastRelease => ({
  releaseId: row.release_id,
  state: row.state,
  deletionOwed: row.deletion_owed === 1,
});

const forgotten = (state: EndState): LastRelease => ({
  releaseId: forgottenRelease,
  state,
  deletionOwed: false,
});
