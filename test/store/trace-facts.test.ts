import { expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { Trace } from '../../src/domain/release-trace.ts';
import { openBooks } from '../support/store/books.ts';
import { intend, job, release, releaseId, title, userName } from '../support/store/release-samples.ts';

const trace: Trace = {
  since: '2026-11-21T11:59:58.000Z',
  steps: [
    { stage: 'badge', at: 0, took: 0 },
    { stage: 'login', at: 0, took: 120 },
    { stage: 'printed', at: 900, took: 1100 },
  ],
};

it('the trace is kept with the end, and completed by deletion and history, in the transactions there are', async () => {
  using books = openBooks();
  const { ledger, outbox, register, clock, database } = books;
  const id = intend(ledger);
  ledger.jobCreated(id, job);
  ledger.sent(id);
  ledger.end(id, { state: 'CONFIRMED', deletionOwed: true, holdFor: seconds(0), trace });
  expect(register.find(id)?.trace).toEqual(trace);
  await clock.advance(seconds(2));
  ledger.deleted(id);
  await clock.advance(seconds(5));
  outbox.accepted(outbox.next([])?.id ?? 0);
  const found = register.find(id);
  expect(found?.trace?.steps.slice(3)).toEqual([
    { stage: 'deleted', at: 2000, took: 2000 },
    { stage: 'recorded', at: 2000, took: 7000 },
  ]);
  const kept = database
    .prepare("SELECT facts FROM event WHERE state IN ('CONFIRMED', 'HISTORY-ACCEPTED')")
    .all();
  expect(JSON.stringify(kept)).not.toMatch(new RegExp(`${title}|${userName}`));
});

it('a release without one is shown as before', () => {
  using books = openBooks();
  const id = release(books.ledger, 'CONFIRMED');
  expect(books.register.find(id)).not.toHaveProperty('trace');
});

it('a release took what lies between the wish and its end, as everywhere', async () => {
  using books = openBooks();
  const { ledger, register, clock } = books;
  const id = intend(ledger);
  expect(register.list(1)[0]).not.toHaveProperty('tookMs');
  await clock.advance(seconds(600));
  ledger.end(id, { state: 'UNKNOWN', deletionOwed: false, holdFor: seconds(0), trace });
  expect([register.find(id)?.row.tookMs, register.list(1)[0]?.tookMs]).toEqual([600_000, 600_000]);
});

it('the service takes a record also where its release is compacted by now', () => {
  using books = openBooks();
  const { database, ledger, outbox } = books;
  release(ledger, 'CONFIRMED');
  database.exec('DROP TRIGGER event_is_never_deleted; DELETE FROM event; DELETE FROM attempt');
  outbox.accepted(outbox.next([])?.id ?? 0);
  expect(outbox.size()).toBe(0);
});

it('releases are listed by terminal, outcome and time', async () => {
  using books = openBooks();
  const { ledger, register, clock } = books;
  release(ledger, 'CONFIRMED', { release: 1, terminal: 'lobby' });
  release(ledger, 'UNKNOWN', { release: 2, terminal: 'attic' });
  await clock.advance(seconds(60));
  release(ledger, 'PARTIAL', { release: 3, terminal: 'lobby' });
  intend(ledger, { release: 4, terminal: 'lobby' });
  const ids = (filter: Parameters<typeof register.list>[1]) =>
    register.list(10, filter).map((row) => row.releaseId);
  expect(ids({ terminal: 'lobby' })).toEqual([4, 3, 1].map(releaseId));
  expect(ids({ outcome: 'unknown' })).toEqual([3, 2].map(releaseId));
  expect(ids({ outcome: 'unknown', terminal: 'attic' })).toEqual([releaseId(2)]);
  expect(ids({ since: '2026-11-21T12:00:30.000Z' })).toEqual([4, 3].map(releaseId));
  expect(ids({ terminal: 'nowhere' })).toEqual([]);
});
