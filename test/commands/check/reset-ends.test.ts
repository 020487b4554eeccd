import { expect, test } from 'vitest';
import { resetProposal } from '../../../src/commands/check/printer/printer.ts';
import { hours } from '../../../src/core/duration.ts';
import { openBooks } from '../../support/store/books.ts';
import { intend, printerUri } from '../../support/store/release-samples.ts';

const proposedAfter = (found: number, resetIsEnd = false): string | undefined => {
  using books = openBooks();
  for (let number = 1; number <= 4; number += 1) {
    const id = intend(books.ledger, { release: number });
    const end = { state: 'UNKNOWN', problem: 'ended-by-reset', deletionOwed: false } as const;
    books.ledger.end(id, { ...end, holdFor: hours(1) });
    if (number <= found) books.ledger.confirmedByPerson(id);
  }
  return resetProposal({ stateDir: books.directory, uri: printerUri, resetIsEnd });
};

test('printer.resetIsEnd is proposed where people have found such prints again and again', () => {
  expect(proposedAfter(2)).toBeUndefined();
  expect(proposedAfter(3)).toContain('people found 3 such prints in the tray');
  expect(proposedAfter(3)).toContain('set printer.resetIsEnd: true');
});

test('it is not proposed where it is set, nor where there is no ledger', () => {
  expect(proposedAfter(4, true)).toBeUndefined();
  expect(resetProposal({ stateDir: '/nonexistent', uri: printerUri, resetIsEnd: false })).toBeUndefined();
});
