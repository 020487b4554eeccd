/**
 * What the books know of a document from before (INVARIANTS.md I1, I11): its last state, from its releases or from
 * the rest that compaction left, and the pages that earlier releases printed.
 */
import { hash as digestOf } from 'node:crypto';
import { z } from 'zod';
import type { CutRecord } from '../../domain/ports/claims.ts';
import type { Ledger } from '../../domain/ports/ledger.ts';
import type { EndState, LastRelease, OpenState } from '../../domain/release.ts';
import { forgottenRelease, outcomeOf } from '../../domain/release.ts';
import { crcOf } from '../checksum.ts';
import { endState, factsText, isEndState, openState } from '../columns.ts';
import type { Database } from '../database.ts';

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

/**
 * Documents whose releases are compacted. Only one fact of each is kept: it was printed, or may have been. So it is
 * not printed again by itself, however long the service lists it (I1, I11). A document is stored as a digest.
 */
interface Past {
  /** Runs inside the caller's transaction; the last state of a document counts. */
  note(documentUuid: string, state: 'CONFIRMED' | 'UNKNOWN'): void;
  /** Runs inside the caller's transaction: takes a row of other books, unless the document is here already. */
  adopt(row: Readonly<Record<string, unknown>>): boolean;
  stateOf(documentUuid: string): 'CONFIRMED' | 'UNKNOWN' | undefined;
}

export function createPast(database: Database): Past {
  const upsert = database.prepare('INSERT OR REPLACE INTO past (document, in_doubt, crc) VALUES (?, ?, ?)');
  const insert = database.prepare('INSERT OR IGNORE INTO past (document, in_doubt, crc) VALUES (?, ?, ?)');
  const find = database.prepare('SELECT in_doubt FROM past WHERE document = ?');
  return {
    note(documentUuid, state) {
      const document = digest(documentUuid);
      const in_doubt = state === 'UNKNOWN' ? 1 : 0;
      upsert.run(document, in_doubt, crcOf('past', { document, in_doubt }));
    },
    adopt({ document, in_doubt, crc }) {
      if (!(document instanceof Uint8Array)) return false;
      return insert.run(document, Number(in_doubt), Number(crc)).changes === 1;
    },
    stateOf(documentUuid) {
      const found = find.get(digest(documentUuid));
      return found && (found['in_doubt'] === 0 ? 'CONFIRMED' : 'UNKNOWN');
    },
  };
}

/**
 * 128 bits distinguish any number of documents, in half the room of the UUID text. The case of a UUID means nothing
 * (RFC 9562 section 4).
 */
const digest = (documentUuid: string): Buffer =>
  digestOf('sha256', documentUuid.toLowerCase(), 'buffer').subarray(0, 16);

/**
 * The plan of a release: which release it repeats, and which pages. For a release that another member left, `cuts` is
 * what that member knew.
 */
const planned = z.object({
  again: z.string().optional(),
  picked: z.object({ from: z.int(), to: z.int() }).optional(),
  cuts: z.array(z.object({ releaseId: z.string(), pages: z.int() })).optional(),
});
type Planned = z.infer<typeof planned>;

/** Takes the release's id; the most recent earlier release comes first. */
export type Repeats = (releaseId: string) => readonly CutRecord[];

/**
 * Finds the earlier releases whose missing pages this release prints, and how many pages each of them printed itself.
 * Together they never count more pages than the document has (I2). Read-only.
 */
export function createRepeats(database: Database): Repeats {
  const plan = database.prepare(`
    SELECT facts FROM event WHERE attempt = (SELECT id FROM attempt WHERE release_id = ?) ORDER BY seq LIMIT 1`);
  const asPlanned = (releaseId: string): Planned => {
    const facts = plan.get(releaseId)?.['facts'];
    return facts === undefined ? {} : planned.parse(factsText.parse(facts));
  };

  return (releaseId) => {
    const found: CutRecord[] = [];
    let { again, picked, cuts } = asPlanned(releaseId);
    while (again !== undefined && picked !== undefined) {
      const before = asPlanned(again);
      found.push({ releaseId: again, pages: picked.from - (before.picked?.from ?? 1) });
      ({ again, picked, cuts } = before);
    }
    return [...found, ...(cuts ?? [])];
  };
}
