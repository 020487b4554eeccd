/** What the ledger tells the fleet of its releases (F9, F12). */
import { expect, it } from 'vitest';
import { createClaimBooks } from '../../src/store/ledger/claim-books.ts';
import { openBooks } from './books.ts';
import { attempt, intend } from './release-samples.ts';

it('F12: of releases without a claim of the engine it tells those that have their intent, beside all others', () => {
  using books = openBooks();
  const { ledger } = books;
  const { ticket, ...planned } = attempt({ release: 1 });
  ledger.plan({ ticket, ...planned });
  ledger.fetched(ticket.releaseId, { length: 1000, digest: 'ab'.repeat(32) });
  intend(ledger, { release: 2 });
  intend(ledger, { release: 3, claim: 41 });
  const known = createClaimBooks(books.database);
  expect(known.every()).toMatchObject([
    { documentUuid: 'doc-2', number: 0, version: 0, state: 'INTENT' },
    { documentUuid: 'doc-3', number: 41, version: 1, state: 'INTENT' },
  ]);
  expect(known.all()).toMatchObject([{ documentUuid: 'doc-3' }]);
  expect(known.highest()).toBe(41);
});
