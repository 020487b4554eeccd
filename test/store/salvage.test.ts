/** What is brought out of a ledger with a hole in the middle (INVARIANTS.md T31, B.4 table 9). */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { databaseName } from '../../src/store/database.ts';
import { openBooks } from '../support/store/books.ts';
import { release, releaseId } from '../support/store/release-samples.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const releases = 60;
const pageOctets = 4096;

/** How many rows can be read before the hole. */
function rowsBefore(path: string, order: 'ASC' | 'DESC'): number {
  let count = 0;
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    for (const _ of database.prepare(`SELECT * FROM attempt ORDER BY id ${order}`).iterate()) count += 1;
  } catch {
    // The hole.
  }
  database.close();
  return count;
}

/** One page of the table of attempts is gone, with good ones on either side of it. */
function withHole(path: string): void {
  const whole = readFileSync(path);
  for (let at = pageOctets; at < whole.length; at += pageOctets) {
    const damaged = Buffer.from(whole);
    damaged.fill(0, at, at + pageOctets);
    writeFileSync(path, damaged);
    const [before, behind] = [rowsBefore(path, 'ASC'), rowsBefore(path, 'DESC')];
    if (before > 0 && behind > 0 && before + behind < releases) return;
  }
  throw new Error('no page of this file is in the middle of the attempts');
}

it('is in the order it was written in, also what lies behind the hole: the last word on a document stays the last', () => {
  using directory = temporaryDirectory();
  {
    using books = openBooks({ directory: directory.path });
    for (let number = 1; number <= releases; number += 1)
      release(books.ledger, 'CONFIRMED', { release: number });
  }
  withHole(join(directory.path, databaseName));
  using books = openBooks({ directory: directory.path });
  const salvaged = books.register.list(releases).map((row) => row.releaseId);
  expect(salvaged).toContain(releaseId(1));
  expect(salvaged).toContain(releaseId(releases));
  expect(salvaged.length).toBeLessThan(releases);
  expect(salvaged).toEqual(salvaged.toSorted().toReversed());
});
