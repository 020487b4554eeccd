import { describe, expect, test } from 'vitest';
import { hours, seconds } from '../../src/core/duration.ts';
import { isWithdrawn } from '../../src/domain/release-trace.ts';
import { standingOf } from '../../src/domain/release.ts';
import { endState } from '../../src/store/columns.ts';
import { createPast } from '../../src/store/ledger/past.ts';
import { ledgerContract } from '../contracts/ledger.ts';
import { openBooks } from '../support/store/books.ts';
import {
  attempt,
  inheritance,
  intend,
  intendByService,
  job,
  printerUri,
  release,
  releaseId,
  title,
  userName,
} from '../support/store/release-samples.ts';
import { filesBelow } from '../support/temporary-directory.ts';

describe('the ledger in SQLite', () => {
  ledgerContract(() => {
    const books = openBooks();
    return Object.assign(books.ledger, { [Symbol.dispose]: () => books[Symbol.dispose]() });
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

test('F6: the intent of what a gone member left names it, and neither title nor user', () => {
  using books = openBooks();
  const left = inheritance('INTENT');
  books.ledger.inherit(left);
  const found = books.register.find(left.claim.releaseId);
  expect(found?.events.map(({ state }) => state)).toEqual(['PLANNED', 'INTENT']);
  expect(found?.events.at(-1)).toMatchObject({
    facts: { from: left.from, printerUri, claim: { number: 41, version: 2 } },
  });
  const onDisk = Buffer.concat(filesBelow(books.directory).map(({ bytes }) => bytes)).toString('latin1');
  for (const personal of [title, userName]) expect(onDisk).not.toContain(personal);
});

test('a history record that a gone member owed is posted once from here', () => {
  using books = openBooks();
  const left = inheritance('HANDED-OVER');
  books.ledger.inherit(left);
  expect(books.outbox.next([])).toMatchObject({ releaseId: left.claim.releaseId, record: left.will.history });
  books.outbox.accepted(books.outbox.next([])?.id ?? 0);
  books.ledger.inherit(left);
  expect(books.outbox.next([])).toBeUndefined();
});

test('one that may have arrived is looked for first, and of an unknown outcome it is held', async () => {
  using books = openBooks();
  books.ledger.inherit({ ...inheritance('HANDED-OVER'), mayHaveArrived: true });
  expect(books.outbox.next([])).toMatchObject({ alikeBefore: 0 });
  books.outbox.accepted(books.outbox.next([])?.id ?? 0);
  books.ledger.inherit(inheritance('UNKNOWN', { release: 2 }));
  expect(books.outbox.next([])).toBeUndefined();
  await books.clock.advance(hours(1));
  expect(books.outbox.next([])).toMatchObject({ releaseId: releaseId(2) });
});

test('I11: what this member left to a successor, which is gone too, keeps its end here, and its record is posted', () => {
  using books = openBooks();
  const id = intend(books.ledger);
  books.ledger.end(id, { state: 'UNKNOWN', history: 'successor', deletionOwed: false, holdFor: seconds(0) });
  expect(books.outbox.counts()).toMatchObject({ waiting: 0, held: 0 });
  const back = { ...inheritance('JOB'), holdFor: seconds(0) };
  books.ledger.inherit(back);
  books.ledger.inherit(back);
  expect(books.outbox.counts()).toMatchObject({ waiting: 1, held: 0 });
  expect(books.ledger.lastRelease('doc-1')).toMatchObject({ state: 'UNKNOWN' });
  books.outbox.accepted(books.outbox.next([])?.id ?? 0);
  books.ledger.inherit(back);
  expect(books.outbox.counts()).toMatchObject({ waiting: 0 });
});

test('a record that another member posts goes, with its key, and the events tell so', () => {
  using books = openBooks();
  const id = release(books.ledger, 'CONFIRMED');
  books.outbox.leave(books.outbox.next([])?.id ?? 0);
  expect(books.outbox.next([])).toBeUndefined();
  expect(books.register.find(id)?.events.at(-1)?.state).toBe('HISTORY-LEFT');
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
  using books = openBooks({ capacity: { rows: 2, bytes: 1_000_000 } });
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

test('I5, D8: title and name are in no file in clear, under way, waiting or accepted', () => {
  using books = openBooks();
  const found = () =>
    filesBelow(books.directory).some(({ bytes }) => bytes.includes(title) || bytes.includes(userName));
  const id = intend(books.ledger);
  books.ledger.jobCreated(id, { ...job, marks: { userName, shownName: title } });
  expect(found()).toBe(false);
  books.ledger.end(id, { state: 'CONFIRMED', deletionOwed: false, holdFor: seconds(0) });
  const row = books.outbox.next([]);
  expect([row?.record.title, row?.record.userName, found()]).toEqual([title, userName, false]);
  if (row) books.outbox.accepted(row.id);
  expect(found()).toBe(false);
});

test('I11: a person’s word lets the held record go, and changes no state', () => {
  using books = openBooks();
  const id = release(books.ledger, 'PARTIAL');
  expect(books.outbox.next([])).toBeUndefined();
  books.ledger.confirmedByPerson(id);
  books.ledger.confirmedByPerson(id);
  expect(books.outbox.next([])).toMatchObject({ releaseId: id });
  expect(books.ledger.lastRelease('doc-1')).toMatchObject({ releaseId: id, state: 'PARTIAL' });
  expect(
    books.register
      .find(id)
      ?.events.slice(-2)
      .map(({ state }) => state),
  ).toEqual(['PARTIAL', 'CONFIRMED-BY-USER']);
  const printed = release(books.ledger, 'CONFIRMED', { release: 2 });
  expect(() => books.ledger.confirmedByPerson(printed)).toThrow(Error);
});

test('I11: an administrator’s word lets the held record go, owes the document’s deletion, and changes no state', () => {
  using books = openBooks();
  const id = release(books.ledger, 'UNKNOWN');
  expect(books.register.unsettled(10)).toMatchObject([{ releaseId: id, hasRecord: true }]);
  books.ledger.settled(id, 'came-out', { deletionOwed: true });
  books.ledger.settled(id, 'did-not-come-out', { deletionOwed: true });
  expect(books.outbox.next([])).toMatchObject({ releaseId: id });
  const last = books.ledger.lastRelease('doc-1');
  expect(last).toMatchObject({ releaseId: id, state: 'UNKNOWN', deletionOwed: true });
  expect(standingOf(last, 'delete')).toBe('deletion-owed');
  expect(books.register.find(id)?.events.at(-1)?.state).toBe('CONFIRMED-BY-ADMINISTRATOR');
  expect(books.register.unsettled(10)).toEqual([]);
  const printed = release(books.ledger, 'CONFIRMED', { release: 2 });
  expect(() => books.ledger.settled(printed, 'came-out', { deletionOwed: false })).toThrow(Error);
});

test('I1, I2: where an administrator says that nothing came out, no record is posted, and its owner is asked as before', async () => {
  using books = openBooks();
  const id = release(books.ledger, 'UNKNOWN');
  books.ledger.settled(id, 'did-not-come-out', { deletionOwed: true });
  expect([books.outbox.size(), books.outbox.counts()]).toEqual([0, { waiting: 0, held: 0, deadLetters: 0 }]);
  const last = books.ledger.lastRelease('doc-1');
  expect([last?.state, standingOf(last, 'delete')]).toEqual(['UNKNOWN', 'may-have-printed']);
  const found = books.register.find(id);
  expect([found?.history, isWithdrawn(found?.events ?? [])]).toEqual([undefined, true]);
  await books.ledger.durable();
  expect(filesBelow(books.directory).some(({ bytes }) => bytes.includes(title))).toBe(false);
});

test('I2: a record that may have been posted already stays, whatever an administrator says then', () => {
  using books = openBooks();
  const id = release(books.ledger, 'UNKNOWN');
  const [row] = books.database.prepare('SELECT id FROM outbox').all();
  books.outbox.sending(Number(row?.['id']), 0);
  expect(books.register.unsettled(10)).toMatchObject([{ releaseId: id, hasRecord: false }]);
  books.ledger.settled(id, 'did-not-come-out', { deletionOwed: true });
  expect(books.outbox.size()).toBe(1);
});

test('what was released anew, or settled by its owner, waits for no administrator’s word', () => {
  using books = openBooks();
  const first = release(books.ledger, 'UNKNOWN');
  const second = release(books.ledger, 'PARTIAL', { release: 2, uuid: 'doc-2' });
  expect(books.register.unsettled(10).map(({ releaseId: id }) => id)).toEqual([second, first]);
  expect(books.register.unsettled(1)).toHaveLength(1);
  release(books.ledger, 'NOOUTPUT', { release: 3, uuid: 'doc-1' });
  expect(books.register.unsettled(10)).toHaveLength(2);
  release(books.ledger, 'CONFIRMED', { release: 4, uuid: 'doc-1' });
  books.ledger.confirmedByPerson(second);
  expect(books.register.unsettled(10)).toEqual([]);
});

test('I1: a uuid in other letters is the same document, on its way and when it has printed', () => {
  using books = openBooks();
  const [lower, upper] = ['0198c0de-0000-7000-8000-00000000abcd', '0198C0DE-0000-7000-8000-00000000ABCD'];
  books.ledger.plan(attempt({ release: 1, uuid: lower }));
  expect(() => books.ledger.plan(attempt({ release: 2, uuid: upper }))).toThrow('UNIQUE');
  expect(books.ledger.lastRelease(upper)).toMatchObject({ releaseId: releaseId(1) });
  const past = createPast(books.database);
  books.database.transaction(() => past.note(lower, 'CONFIRMED'));
  expect(past.stateOf(upper)).toBe('CONFIRMED');
});

test('I1: a release that repeats another by a person’s word names it', () => {
  using books = openBooks();
  const first = release(books.ledger, 'UNKNOWN');
  books.ledger.plan({ ...attempt({ release: 2, uuid: 'doc-1' }), again: first });
  expect(books.register.find(releaseId(2))?.events[0]?.facts).toMatchObject({ again: first });
});

test('a document sent while it comes in has its digest in the event of its last byte', () => {
  using books = openBooks();
  books.ledger.plan(attempt());
  books.ledger.intend(releaseId(1), printerUri);
  books.ledger.sent(releaseId(1), { digest: 'cd'.repeat(32), length: 9 });
  expect(
    books.register.find(releaseId(1))?.events.map(({ state, facts }) => [state, facts['length']]),
  ).toEqual([
    ['PLANNED', undefined],
    ['INTENT', undefined],
    ['SENT', 9],
  ]);
});

test('B.1: the counters of a spooler are not those of the device', () => {
  using books = openBooks();
  const report = { state: 'completed', reasons: [], impressionsCompleted: 5 } as const;
  const end = { state: 'CONFIRMED', report, deletionOwed: false, holdFor: seconds(0) } as const;
  const pages = (
    [
      ['device', 1],
      ['spooler', 2],
    ] as const
  ).map(([reportedBy, number]) => {
    const id = intend(books.ledger, { release: number });
    books.ledger.end(id, { ...end, reportedBy });
    return books.register.find(id)?.row.pages;
  });
  expect(pages).toEqual([
    { source: 'device-confirmed', pages: 5 },
    { source: 'document-estimate', pages: 6 },
  ]);
});

test('D8: the room of the outbox is measured in rows and in bytes', () => {
  using byRows = openBooks({ capacity: { rows: 10, bytes: 1_000_000 } });
  using byBytes = openBooks({ capacity: { rows: 1000, bytes: 1000 } });
  for (const books of [byRows, byBytes]) {
    for (let number = 1; number <= 3; number++) release(books.ledger, 'CONFIRMED', { release: number });
  }
  expect(byRows.outbox.fullness()).toBeCloseTo(0.3);
  expect(byRows.outbox.fullness(5)).toBeCloseTo(0.8);
  expect(byBytes.outbox.fullness()).toBeGreaterThan(0.5);
});

test('D8: of a filling outbox what has left is not counted, and the rows are not read for it', () => {
  using books = openBooks({ capacity: { rows: 10, bytes: 1_000_000 } });
  for (let number = 1; number <= 8; number++) release(books.ledger, 'CONFIRMED', { release: number });
  books.outbox.accepted(1);
  books.outbox.accepted(1);
  books.outbox.correct(2, attempt({ release: 2 }).history);
  const before = books.outbox.fullness();
  // Behind its back: only who reads the rows would find that one is gone.
  books.database.exec('DELETE FROM outbox WHERE id = 8');
  expect([before, books.outbox.fullness()]).toEqual([0.7, 0.7]);
  expect(books.outbox.fullness(3)).toBeCloseTo(0.9);
});
