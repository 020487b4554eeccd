import { expect, test } from 'vitest';
import { hours } from '../../src/core/duration.ts';
import { openReleaseRegister } from '../../src/store/ledger/release-register.ts';
import { openBooks } from '../support/store/books.ts';
import { intend, printerUri, release, releaseId } from '../support/store/release-samples.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

test('releases are listed newest first, beside the agent that writes them', () => {
  using books = openBooks();
  for (const number of [1, 2, 3]) release(books.ledger, 'CONFIRMED', { release: number });
  using register = openReleaseRegister({ stateDir: books.directory });
  expect(register.list(2).map((row) => row.releaseId)).toEqual([3, 2].map(releaseId));
  release(books.ledger, 'NOOUTPUT', { release: 4 });
  expect(register.list(1)).toEqual([
    {
      releaseId: releaseId(4),
      terminal: 'lobby',
      documentUuid: 'doc-4',
      state: 'NOOUTPUT',
      outcome: 'failed',
      confirmation: undefined,
      pages: undefined,
      problem: undefined,
      tookMs: 0,
      startedAt: '2026-11-21T12:00:00.000Z',
      endedAt: '2026-11-21T12:00:00.000Z',
      deletionOwed: false,
    },
  ]);
});

test('of those that have ended the times and outcomes are told, of one terminal or all', () => {
  using books = openBooks();
  release(books.ledger, 'CONFIRMED', { release: 1 });
  release(books.ledger, 'NOOUTPUT', { release: 2, terminal: 'annex' });
  intend(books.ledger, { release: 3 });
  const noon = '2026-11-21T12:00:00.000Z';
  const [lobby, annex] = [
    { startedAt: noon, outcome: 'completed', seconds: 0 },
    { startedAt: noon, outcome: 'failed', seconds: 0 },
  ];
  expect(books.register.ended(noon)).toEqual([lobby, annex]);
  expect(books.register.ended(noon, 'annex')).toEqual([annex]);
  expect(books.register.ended('2026-11-21T12:00:00.001Z')).toEqual([]);
});

test('of the last day those are counted that may have printed, and no others', () => {
  using books = openBooks();
  release(books.ledger, 'UNKNOWN', { release: 1 });
  release(books.ledger, 'PARTIAL', { release: 2 });
  release(books.ledger, 'CONFIRMED', { release: 3 });
  intend(books.ledger, { release: 4 });
  expect(books.register.unknownSince('2026-11-20T12:00:00.000Z')).toBe(2);
  expect(books.register.unknownSince('2026-11-21T12:00:00.001Z')).toBe(0);
});

test('of a printer those are counted whose pages a person has found, by their problem', () => {
  using books = openBooks();
  for (const number of [1, 2, 3, 4]) {
    const id = intend(books.ledger, { release: number });
    const problem = number === 3 ? 'transfer-broken' : 'ended-by-reset';
    books.ledger.end(id, { state: 'UNKNOWN', problem, deletionOwed: false, holdFor: hours(1) });
    if (number < 4) books.ledger.confirmedByPerson(id);
  }
  expect(books.register.foundInTray(printerUri, 'ended-by-reset')).toBe(2);
  expect(books.register.foundInTray('socket://10.0.0.8', 'ended-by-reset')).toBe(0);
});

test('a release is found with its events by the beginning of its id, when no other begins so', () => {
  using books = openBooks();
  const id = intend(books.ledger, { release: 0xab });
  books.ledger.end(id, {
    state: 'PARTIAL',
    problem: 'printer-stalled',
    reasons: ['media-jam'],
    report: { state: 'canceled', reasons: ['job-canceled-by-user'], impressionsCompleted: 2 },
    deletionOwed: false,
    holdFor: hours(24),
  });
  release(books.ledger, 'CONFIRMED', { release: 0xac });
  const found = books.register.find(id);
  expect(found?.row).toMatchObject({ state: 'PARTIAL', outcome: 'unknown', problem: 'printer-stalled' });
  expect(found?.events.map((event) => event.state)).toEqual(['PLANNED', 'FETCHED', 'INTENT', 'PARTIAL']);
  expect(found?.events.at(-1)?.facts).toEqual({
    problem: 'printer-stalled',
    reasons: ['media-jam'],
    pages: { source: 'device-confirmed', pages: 2 },
    report: { state: 'canceled', reasons: ['job-canceled-by-user'], impressionsCompleted: 2 },
    reportedBy: 'device',
  });
  expect(books.register.find(id.slice(0, 31))).toBeUndefined();
});

test.each(['', '0', '%', 'f'.repeat(33), 'zz'])(
  'the beginning %j fits no release or more than one',
  (prefix) => {
    using books = openBooks();
    for (const number of [1, 2]) release(books.ledger, 'CONFIRMED', { release: number });
    expect(books.register.find(prefix)).toBeUndefined();
  },
);

test('the register opens when the agent is not running', () => {
  using directory = temporaryDirectory();
  {
    using books = openBooks({ directory: directory.path });
    release(books.ledger, 'UNKNOWN');
  }
  using register = openReleaseRegister({ stateDir: directory.path });
  expect(register.list(10)).toMatchObject([{ releaseId: releaseId(1), outcome: 'unknown' }]);
});

test('a directory no agent has worked in is unusable, and stays as it is', () => {
  using directory = temporaryDirectory();
  expect(() => openReleaseRegister({ stateDir: directory.path })).toThrow(
    expect.objectContaining({ code: 'state-unusable' }),
  );
});
