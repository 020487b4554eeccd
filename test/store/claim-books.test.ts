/** What the ledger tells the fleet of its releases (F9, F12). */
import { expect, it } from 'vitest';
import { hours } from '../../src/core/duration.ts';
import type { EndState } from '../../src/domain/release.ts';
import { forgottenRelease } from '../../src/domain/release.ts';
import { createClaimBooks } from '../../src/store/ledger/claim-books.ts';
import { openBooks } from '../support/store/books.ts';
import { attempt, intend, printerUri } from '../support/store/release-samples.ts';

it('F12: of releases without a claim of the engine it tells those that have their intent, beside all others', () => {
  using books = openBooks();
  const { ledger } = books;
  const { ticket, ...planned } = attempt({ release: 1 });
  ledger.plan({ ticket, ...planned });
  ledger.fetched(ticket.releaseId, { length: 1000, digest: 'ab'.repeat(32) });
  intend(ledger, { release: 2 });
  intend(ledger, { release: 3, claim: 41 });
  const known = createClaimBooks(books.database, books.outbox);
  expect(known.every()).toMatchObject([
    { documentUuid: 'doc-2', number: 0, version: 0, state: 'INTENT' },
    { documentUuid: 'doc-3', number: 41, version: 1, state: 'INTENT' },
  ]);
  expect(known.all()).toMatchObject([{ documentUuid: 'doc-3' }]);
  expect(known.highest()).toBe(41);
});

it('I11: of a release it tells how the one before it ended by which something came out, or may have', () => {
  using books = openBooks();
  const { ledger, database } = books;
  const known = createClaimBooks(database, books.outbox);
  const ends: readonly EndState[] = ['NOOUTPUT', 'PARTIAL', 'NOOUTPUT', 'NOOUTPUT', 'CONFIRMED', 'NOOUTPUT'];
  const reported = ends.map((state, at) => {
    const { ticket, ...planned } = attempt({ release: at + 1, uuid: 'doc-1' });
    ledger.plan({ ticket, ...planned });
    ledger.intend(ticket.releaseId, printerUri);
    ledger.end(ticket.releaseId, { state, deletionOwed: false, holdFor: hours(1) });
    return known.of(ticket.releaseId)?.before;
  });
  expect(reported).toEqual([undefined, undefined, 'PARTIAL', 'PARTIAL', 'PARTIAL', 'CONFIRMED']);
});

it('I1: of a repeat of what another member released it tells that something may have come out before it', () => {
  using books = openBooks();
  const { ledger, database } = books;
  const known = createClaimBooks(database, books.outbox);
  const reported = ['f'.repeat(32), forgottenRelease].map((again, at) => {
    const { ticket, ...planned } = attempt({ release: at + 1 });
    ledger.plan({ ticket, ...planned, again });
    return known.of(ticket.releaseId)?.before;
  });
  // Of what the engine has forgotten its members tell.
  expect(reported).toEqual(['UNKNOWN', undefined]);
});
