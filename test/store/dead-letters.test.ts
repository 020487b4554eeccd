import { chownSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { hours } from '../../src/core/duration.ts';
import {
  putBackDeadLetters,
  putBackWithoutAgent,
  waitingRecords,
} from '../../src/store/outbox/outbox-register.ts';
import { lockInstance } from '../../src/store/files/state-directory.ts';
import type { Books } from '../support/store/books.ts';
import { openBooks } from '../support/store/books.ts';
import { release, releaseId, title, userName } from '../support/store/release-samples.ts';
import { needsRoot } from '../support/needs.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** The records of these releases are refused for good, in this order. */
function bury({ ledger, outbox }: Books, ...numbers: readonly number[]) {
  for (const number of numbers)
    release(ledger, 'CONFIRMED', { release: number, terminal: `terminal-${number}` });
  for (const _ of numbers) outbox.bury(outbox.next([])?.id ?? 0, 'cloud-rejected: 400');
}

const statesOf = (books: Pick<Books, 'directory'>) =>
  waitingRecords(books.directory).map(({ state }) => state);

it('what waits, is held, or was refused is listed beside the agent, in the order in which it goes', async () => {
  using books = openBooks();
  bury(books, 1);
  release(books.ledger, 'CONFIRMED', { release: 2 });
  release(books.ledger, 'UNKNOWN', { release: 3 });
  await books.clock.advance(hours(0.5));
  const records = waitingRecords(books.directory);
  expect(records.map(({ record: _, ...rest }) => rest)).toEqual([
    {
      releaseId: releaseId(1),
      terminal: 'terminal-1',
      state: 'dead-letter',
      failures: 0,
      dueAt: '2026-11-21T12:00:00.000Z',
      reason: 'cloud-rejected: 400',
    },
    {
      releaseId: releaseId(2),
      terminal: 'lobby',
      state: 'waiting',
      failures: 0,
      dueAt: '2026-11-21T12:00:00.000Z',
    },
    {
      releaseId: releaseId(3),
      terminal: 'lobby',
      state: 'held',
      failures: 0,
      dueAt: '2026-11-21T13:00:00.000Z',
    },
  ]);
  expect(records[0]?.record).toMatchObject({ title, userName });
});

it('dead letters keep their place, before younger records, when they go back in line', () => {
  using books = openBooks();
  bury(books, 1, 2);
  release(books.ledger, 'CONFIRMED', { release: 3 });
  expect(books.outbox.next([])?.releaseId).toBe(releaseId(3));
  expect(putBackDeadLetters(books.database)).toBe(2);
  expect(books.outbox.next([])?.releaseId).toBe(releaseId(1));
  expect(putBackDeadLetters(books.database), 'there are no more').toBe(0);
});

it('one of them alone goes back by the beginning of its id; none, or more than one, is told and changes nothing', () => {
  using books = openBooks();
  bury(books, 0xa1, 0xa2);
  for (const prefix of ['0', 'ff', '', '%']) {
    expect(() => putBackDeadLetters(books.database, prefix)).toThrow(
      expect.objectContaining({ code: 'dead-letter-unknown' }),
    );
  }
  expect(putBackDeadLetters(books.database, releaseId(0xa2))).toBe(1);
  expect(statesOf(books)).toEqual(['dead-letter', 'waiting']);
});

it('T31: without an agent they go back too, under the checksums that the next start looks at', async () => {
  using directory = temporaryDirectory();
  {
    using books = openBooks({ directory: directory.path });
    bury(books, 1, 2);
  }
  expect(await putBackWithoutAgent(directory.path, releaseId(2))).toBe(1);
  expect(await putBackWithoutAgent(directory.path)).toBe(1);
  using again = openBooks({ directory: directory.path });
  expect(again.quarantine).toBeUndefined();
  expect(statesOf(again)).toEqual(['waiting', 'waiting']);
});

it('more of them than one transaction takes go back all the same', () => {
  using books = openBooks();
  bury(books, 1);
  const record = '{}';
  books.database.transaction(() => {
    for (let number = 2; number <= 2001; number++)
      books.outbox.add({ releaseId: releaseId(number), terminal: 'lobby', record, holdFor: hours(0) });
    books.database.exec("UPDATE outbox SET dead_letter = 'cloud-rejected: 400'");
  });
  expect(putBackDeadLetters(books.database)).toBe(2001);
  expect(books.outbox.counts()).toMatchObject({ waiting: 2001, deadLetters: 0 });
});

needsRoot()('as root', () => {
  it("T26: root writes nothing in a directory that is another user's", async () => {
    using directory = temporaryDirectory();
    openBooks({ directory: directory.path })[Symbol.dispose]();
    chownSync(directory.path, 65_534, 65_534);
    const before = readdirSync(directory.path);
    await expect(putBackWithoutAgent(directory.path)).rejects.toThrow('run this as that user');
    expect(readdirSync(directory.path)).toEqual(before);
  });
});

it('D13: nothing is written beside an agent, nor where none has ever worked', async () => {
  using directory = temporaryDirectory();
  await expect(putBackWithoutAgent(directory.path)).rejects.toMatchObject({ code: 'state-unusable' });
  using books = openBooks({ directory: directory.path });
  bury(books, 1);
  using _ = lockInstance(directory.path);
  await expect(putBackWithoutAgent(directory.path)).rejects.toMatchObject({ code: 'already-running' });
  expect(statesOf(books)).toEqual(['dead-letter']);
});

it('how long the oldest record has waited is told of those that may go', async () => {
  using books = openBooks();
  expect(books.outbox.oldest()).toBeUndefined();
  bury(books, 1);
  release(books.ledger, 'UNKNOWN', { release: 2 });
  await books.clock.advance(hours(0.5));
  expect(books.outbox.oldest(), 'refused, and held').toBeUndefined();
  release(books.ledger, 'CONFIRMED', { release: 3 });
  await books.clock.advance(hours(2));
  expect(books.outbox.oldest(), 'held for an hour, and due since 1.5 h').toBe(hours(2));
});
