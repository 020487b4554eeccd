/** I11 as a model: whatever is called in whatever order, with restarts and compaction in between. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hours } from '../../src/core/duration.ts';
import type { Ledger } from '../../src/domain/ports/ledger.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { standingOf } from '../../src/domain/release.ts';
import { endState } from '../../src/store/columns.ts';
import { createCompaction } from '../../src/store/ledger/compaction.ts';
import type { Books } from '../support/store/books.ts';
import { openBooks } from '../support/store/books.ts';
import { attempt, job, printerUri, releaseId } from '../support/store/release-samples.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

type Call = (ledger: Ledger, id: string) => void;
const calls: Readonly<Record<string, Call>> = {
  intendByService: (ledger, id) => ledger.intendByService(id, 'SN-0001'),
  refusedByService: (ledger, id) => ledger.refusedByService(id),
  fetched: (ledger, id) => ledger.fetched(id, { length: 1, digest: '00' }),
  intend: (ledger, id) => ledger.intend(id, printerUri),
  job: (ledger, id) => ledger.jobCreated(id, job),
  sent: (ledger, id) => ledger.sent(id, { length: 1, digest: '00' }),
  confirmedByPerson: (ledger, id) => ledger.confirmedByPerson(id),
  deleted: (ledger, id) => ledger.deleted(id),
  ...Object.fromEntries(
    endState.options.map((state): [string, Call] => [
      state,
      (ledger, id) => ledger.end(id, { state, deletionOwed: state === 'CONFIRMED', holdFor: hours(1) }),
    ]),
  ),
};
const between = ['restart', 'compact'] as const;

const isEnd = (name: string): boolean => endState.safeParse(name).success;

/** Whether the ledger took the call. */
function takes(call: () => void): boolean {
  try {
    call();
    return true;
  } catch (error) {
    if (error instanceof Problem) throw error;
    return false;
  }
}

function compactAll({ database, chain, clock }: Books): void {
  const limits = { keepFor: hours(0), mostEvents: 0, portion: 3 };
  const compact = createCompaction({ database, chain, clock, limits });
  for (let portion = 0; portion < 5; portion++) compact();
}

test('I1, I11: no order of calls, restarts and compactions takes back that a document may have printed', () => {
  using directory = temporaryDirectory();
  let books = openBooks({ directory: directory.path });
  const someCall = fc.record({
    release: fc.integer({ min: 1, max: 3 }),
    name: fc.constantFrom('plan', ...between, ...Object.keys(calls)),
  });
  let run = 0;
  fc.assert(
    fc.property(fc.array(someCall, { maxLength: 40 }), (walk) => {
      run += 1;
      const uuid = `doc-of-run-${run}`;
      const seen = { endedTwice: false, damaged: false, changed: false, takenBack: false };
      /** What the model knows: each release's end, and that something may be out. */
      const ends = new Map<string, string>();
      let mayBeOut = false;
      for (const { release: number, name } of walk) {
        const sample = { release: run * 10 + number, uuid };
        const id = releaseId(sample.release);
        const call = calls[name] ?? ((ledger: Ledger) => ledger.plan(attempt(sample)));
        if (name === 'restart') {
          books[Symbol.dispose]();
          books = openBooks({ directory: directory.path });
          seen.damaged ||= books.quarantine !== undefined;
        } else if (name === 'compact') compactAll(books);
        else if (takes(() => call(books.ledger, id)) && isEnd(name)) {
          seen.endedTwice ||= ends.has(id);
          ends.set(id, name);
          mayBeOut ||= name !== 'NOOUTPUT';
        }
        const standing = standingOf(books.ledger.lastRelease(uuid), 'delete');
        seen.takenBack ||= mayBeOut && standing === 'releasable';
        const state = books.register.find(id)?.row.state ?? ends.get(id);
        seen.changed ||= ends.has(id) && state !== ends.get(id);
      }
      expect(seen).toEqual({ endedTwice: false, damaged: false, changed: false, takenBack: false });
    }),
    { numRuns: 60 },
  );
  books[Symbol.dispose]();
});
