/** Releases that print what others before them left out: each is recorded with the pages that it printed itself (I2). */
import { expect, it } from 'vitest';
import { hours } from '../../src/core/duration.ts';
import type { PickedPages } from '../../src/domain/page-range.ts';
import type { EndState } from '../../src/domain/release.ts';
import type { Books } from '../support/store/books.ts';
import { openBooks } from '../support/store/books.ts';
import { createClaimBooks } from '../../src/store/ledger/claim-books.ts';
import { attempt, inheritance, printerUri } from '../support/store/release-samples.ts';

interface Part {
  readonly state: EndState;
  readonly picked?: PickedPages;
  /** By its number. */
  readonly again?: number;
}

/** One release after the other, of a document of twelve pages. */
function print({ ledger }: Books, number: number, { state, picked, again }: Part): void {
  const { ticket, history, jobName } = attempt({ release: number, uuid: 'doc-1' });
  const pages = picked ? picked.to - picked.from + 1 : 12;
  const repeats = again === undefined ? {} : { again: attempt({ release: again }).ticket.releaseId };
  ledger.plan({
    ticket: { ...ticket, ...(picked && { picked }), ...repeats },
    jobName,
    ...repeats,
    history: { ...history, totalPages: pages, colorPages: pages },
  });
  ledger.fetched(ticket.releaseId, { length: 1000, digest: 'ab'.repeat(32) });
  ledger.intend(ticket.releaseId, printerUri);
  ledger.end(ticket.releaseId, { state, deletionOwed: false, holdFor: hours(24) });
}

/** What is due by now, as it would be posted. */
function dueOf({ outbox }: Books) {
  const due: (readonly [number | undefined, number | undefined])[] = [];
  for (let row = outbox.next([]); row; row = outbox.next([])) {
    due.push([row.record.totalPages, row.record.colorPages]);
    outbox.accepted(row.id);
  }
  return due;
}

const rest = { from: 7, to: 12, of: 12 };

it('the pages before are recorded by the release that printed them, and its record is due', () => {
  using books = openBooks();
  print(books, 1, { state: 'PARTIAL' });
  expect(dueOf(books)).toEqual([]);
  print(books, 2, { state: 'CONFIRMED', picked: rest, again: 1 });
  expect(dueOf(books)).toEqual([
    [6, 6],
    [6, 6],
  ]);
});

it('so it is over as many releases as it takes', () => {
  using books = openBooks();
  print(books, 1, { state: 'PARTIAL' });
  print(books, 2, { state: 'PARTIAL', picked: rest, again: 1 });
  print(books, 3, { state: 'CONFIRMED', picked: { ...rest, from: 9 }, again: 2 });
  expect(dueOf(books).map(([pages]) => pages)).toEqual([6, 2, 4]);
});

it('as long as they certainly did not come out nothing is settled: the person may still find all of it', () => {
  using books = openBooks();
  print(books, 1, { state: 'PARTIAL' });
  print(books, 2, { state: 'NOOUTPUT', picked: rest, again: 1 });
  expect(dueOf(books)).toEqual([]);
  books.ledger.confirmedByPerson(attempt({ release: 1 }).ticket.releaseId);
  expect(dueOf(books)).toEqual([[12, 12]]);
});

it.each<EndState>(['UNKNOWN', 'PARTIAL'])(
  'where they may have come out (%s) the records count each page once, with a word of the person and without',
  async (state) => {
    using books = openBooks();
    print(books, 1, { state: 'PARTIAL' });
    print(books, 2, { state, picked: rest, again: 1 });
    expect(dueOf(books).map(([pages]) => pages)).toEqual([6]);
    if (state === 'UNKNOWN') books.ledger.confirmedByPerson(attempt({ release: 2 }).ticket.releaseId);
    else await books.clock.advance(hours(25));
    expect(dueOf(books).map(([pages]) => pages)).toEqual([6]);
  },
);

it.each<EndState>(['UNKNOWN', 'PARTIAL'])(
  'found by the person after a release that may have printed them (%s), they are settled as if it had said so itself',
  (state) => {
    using books = openBooks();
    print(books, 1, { state: 'PARTIAL' });
    print(books, 2, { state, picked: rest, again: 1 });
    books.ledger.confirmedByPerson(attempt({ release: 2 }).ticket.releaseId);
    expect(dueOf(books).map(([pages]) => pages)).toEqual([6, 6]);
  },
);

it('what was posted, or is just being, stands as it is', async () => {
  using books = openBooks();
  print(books, 1, { state: 'PARTIAL' });
  await books.clock.advance(hours(25));
  const row = books.outbox.next([]);
  books.outbox.sending(row?.id ?? 0, 0);
  print(books, 2, { state: 'CONFIRMED', picked: rest, again: 1 });
  expect(dueOf(books).map(([pages]) => pages)).toEqual([12, 6]);
});

it('the books tell whoever else may record them how many pages each of them keeps', () => {
  using books = openBooks();
  const known = createClaimBooks(books.database, books.outbox);
  const cutsOf = (number: number) => known.of(attempt({ release: number }).ticket.releaseId)?.cuts;
  print(books, 1, { state: 'PARTIAL' });
  print(books, 2, { state: 'PARTIAL', picked: rest, again: 1 });
  print(books, 3, { state: 'CONFIRMED', picked: { ...rest, from: 9 }, again: 2 });
  const [first, second] = [1, 2].map((release) => attempt({ release }).ticket.releaseId);
  expect([cutsOf(1), cutsOf(2)]).toEqual([undefined, [{ releaseId: first, pages: 6 }]]);
  expect(cutsOf(3)).toEqual([
    { releaseId: second, pages: 2 },
    { releaseId: first, pages: 6 },
  ]);
  // What may have arrived as it was is nobody's to cut, nor what has.
  const id = books.outbox.next([])?.id ?? 0;
  books.outbox.sending(id, 0);
  expect(cutsOf(3)).toEqual([{ releaseId: second, pages: 2 }]);
  books.outbox.accepted(id);
  expect(cutsOf(3)).toEqual([{ releaseId: second, pages: 2 }]);
});

it('an heir cuts by what the will of the second one says, also where it knows no more of the first', () => {
  using books = openBooks();
  const { ledger } = books;
  const [left, first] = [inheritance('JOB', { release: 2 }), inheritance('UNKNOWN', { release: 1 })];
  ledger.inherit({ ...first, will: { ...first.will, history: { ...first.will.history, totalPages: 12 } } });
  const cuts = [{ releaseId: first.claim.releaseId, pages: 6 }];
  ledger.inherit({ ...left, will: { ...left.will, cuts } });
  ledger.end(left.claim.releaseId, { state: 'CONFIRMED', deletionOwed: false, holdFor: hours(24) });
  expect(dueOf(books)[0]?.[0]).toBe(6);
});

it('the whole of it once more is a whole document, and so is the first', () => {
  using books = openBooks();
  print(books, 1, { state: 'PARTIAL' });
  print(books, 2, { state: 'CONFIRMED', again: 1 });
  expect(dueOf(books)).toEqual([[12, 12]]);
});
