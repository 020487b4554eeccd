import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hours, seconds } from '../../src/core/duration.ts';
import type { Ledger } from '../../src/domain/ports/ledger.ts';
import { Problem } from '../../src/domain/problem.ts';
import { standingOf } from '../../src/domain/release.ts';
import { endState } from '../../src/store/columns.ts';
import { ledgerContract } from '../contracts/ledger.ts';
import { openBooks } from './books.ts';
import {
  attempt,
  intend,
  intendByService,
  job,
  printerUri,
  release,
  releaseId,
  title,
  userName,
} from './release-samples.ts';
import { filesBelow } from './temporary-directory.ts';

describe('the ledger in SQLite', () => {
  ledgerContract(() => {
    const books = openBooks();
    return { ...books.ledger, [Symbol.dispose]: () => books[Symbol.dispose]() };
  });
});

test('B.1: the INTENT event alone tells the attempt, without title or user name', () => {
  using books = openBooks();
  const id = intend(books.ledger);
  const intent = books.register.find(id)?.events.at(-1);
  expect(intent).toMatchObject({
    state: 'INTENT',
    facts: {
      releaseId: id,
      documentUuid: 'doc-1',
      userId: 41,
      providerId: 7,
      copies: 2,
      pages: 3,
      digest: 'ab'.repeat(32),
      printerUri,
    },
  });
  const events = JSON.stringify(books.register.find(id)?.events);
  expect(events).not.toContain(title);
  expect(events).not.toContain(userName);
});

test('B.1: so does the intent of what the service is to deliver', () => {
  using books = openBooks();
  const id = intendByService(books.ledger);
  expect(books.register.find(id)?.events.at(-1)).toMatchObject({
    state: 'SERVICE-INTENT',
    facts: { releaseId: id, documentUuid: 'doc-1', userId: 41, copies: 2, serialNumber: 'SN-0001' },
  });
});

test('events carry wall time, the boot they were written in, and monotonic time', async () => {
  using books = openBooks();
  await books.clock.advance(seconds(90));
  books.ledger.plan(attempt());
  expect(books.database.prepare('SELECT at, boot_id, monotonic_ms FROM event').get()).toEqual({
    at: '2026-11-21T12:01:30.000Z',
    boot_id: 'boot-1',
    monotonic_ms: books.clock.monotonic(),
  });
});

test('I11: the database itself refuses to change or delete an event', () => {
  using books = openBooks();
  release(books.ledger, 'UNKNOWN');
  expect(() => books.database.exec("UPDATE event SET state = 'NOOUTPUT'")).toThrow('append-only');
  expect(() => books.database.exec('DELETE FROM event')).toThrow('append-only');
});

test.each(endState.options)('D1, I2: the end state %s and its history row are one', (state) => {
  using books = openBooks();
  release(books.ledger, state);
  const { waiting, held } = books.outbox.counts();
  const expected = {
    CONFIRMED: [1, 0],
    'HANDED-OVER': [1, 0],
    NOOUTPUT: [0, 0],
    PARTIAL: [0, 1],
    UNKNOWN: [0, 1],
  };
  expect([waiting, held]).toEqual(expected[state]);
});

test.each(endState.options)(
  'what the service delivered itself leaves no history row when it ends %s, and no title (I2, D8)',
  (state) => {
    using books = openBooks();
    const id = intendByService(books.ledger);
    books.ledger.end(id, { state, history: 'service', deletionOwed: false, holdFor: hours(1) });
    expect(books.outbox.size()).toBe(0);
    expect(JSON.stringify(books.database.prepare('SELECT * FROM attempt').all())).not.toContain(title);
  },
);

test('what the service refused and this terminal printed has its row (I2)', () => {
  using books = openBooks();
  const id = intendByService(books.ledger);
  books.ledger.refusedByService(id);
  books.ledger.fetched(id, { length: 5, digest: '00' });
  books.ledger.intend(id, printerUri);
  books.ledger.end(id, { state: 'CONFIRMED', deletionOwed: true, holdFor: hours(1) });
  expect(books.outbox.next([])).toMatchObject({ releaseId: id, record: attempt().history });
});

test('the held record of an unknown outcome is due when its time has come', async () => {
  using books = openBooks();
  const id = intend(books.ledger);
  books.ledger.end(id, { state: 'UNKNOWN', deletionOwed: false, holdFor: hours(24) });
  await books.clock.advance(hours(23));
  expect(books.outbox.next([])).toBeUndefined();
  await books.clock.advance(hours(1));
  expect(books.outbox.next([])).toMatchObject({ releaseId: id, record: attempt().history });
});

test('D8: with a full outbox nothing is planned, and what is under way still gets its row', () => {
  using books = openBooks({ capacity: 2 });
  release(books.ledger, 'CONFIRMED', { release: 1 });
  const running = intend(books.ledger, { release: 2 });
  expect(() => books.ledger.plan(attempt({ release: 3 }))).toThrow(
    expect.objectContaining({ code: 'store-refused' }),
  );
  books.ledger.end(running, { state: 'UNKNOWN', deletionOwed: false, holdFor: hours(1) });
  expect(books.outbox.size()).toBe(2);
  const row = books.outbox.next([]);
  if (row) books.outbox.accepted(row.id);
  books.ledger.plan(attempt({ release: 3 }));
  expect(books.ledger.open()).toMatchObject([{ releaseId: releaseId(3) }]);
});

test('D8: title and name are in no file any more once the record was accepted and the log is emptied', () => {
  using books = openBooks();
  const found = () =>
    filesBelow(books.directory).some(({ bytes }) => bytes.includes(title) || bytes.includes(userName));
  release(books.ledger, 'CONFIRMED');
  expect(found()).toBe(true);
  const row = books.outbox.next([]);
  if (row) books.outbox.accepted(row.id);
  books.outbox.scrub();
  expect(found()).toBe(false);
});

type Step = (ledger: Ledger, id: string) => void;
const ends: [string, Step][] = endState.options.map((state) => [
  state,
  (ledger, id) => ledger.end(id, { state, deletionOwed: false, holdFor: hours(1) }),
]);
const steps = new Map<string, Step>([
  ['intendByService', (ledger, id) => ledger.intendByService(id, 'SN-0001')],
  ['refusedByService', (ledger, id) => ledger.refusedByService(id)],
  ['fetched', (ledger, id) => ledger.fetched(id, { length: 1, digest: '00' })],
  ['intend', (ledger, id) => ledger.intend(id, printerUri)],
  ['job', (ledger, id) => ledger.jobCreated(id, job)],
  ['sent', (ledger, id) => ledger.sent(id)],
  ['deleted', (ledger, id) => ledger.deleted(id)],
  ...ends,
]);

/** Whether the ledger took the step. */
function takes(step: () => void): boolean {
  try {
    step();
    return true;
  } catch (error) {
    if (error instanceof Problem) throw error;
    return false;
  }
}

test('I1, I11: no order of steps makes a document that may have printed releasable again', () => {
  using books = openBooks();
  const someStep = fc.record({
    release: fc.integer({ min: 1, max: 3 }),
    name: fc.constantFrom('plan', ...steps.keys()),
  });
  let run = 0;
  fc.assert(
    fc.property(fc.array(someStep, { maxLength: 40 }), (walk) => {
      run += 1;
      const uuid = `doc-of-run-${run}`;
      let inDoubt = false;
      for (const { release: number, name } of walk) {
        const sample = { release: run * 10 + number, uuid };
        const step = steps.get(name) ?? ((ledger) => ledger.plan(attempt(sample)));
        if (takes(() => step(books.ledger, releaseId(sample.release)))) {
          if (name === 'UNKNOWN' || name === 'PARTIAL') inDoubt = true;
          if (name === 'CONFIRMED' || name === 'HANDED-OVER') inDoubt = false;
        }
        const standing = standingOf(books.ledger.lastRelease(uuid), 'delete');
        expect(inDoubt && standing === 'releasable').toBe(false);
      }
    }),
    { numRuns: 100 },
  );
});
