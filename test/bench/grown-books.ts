/**
 * Books of a gateway that has worked for long: written by the store's own ledger and outbox into their own schema, only
 * many steps to a commit, and the head noted once at the end. They pass the examination of a start.
 */
import { systemChance } from '../../src/core/chance.ts';
import { systemClock } from '../../src/core/clock.ts';
import { seconds } from '../../src/core/duration.ts';
import type { Log } from '../../src/core/log.ts';
import { Wake } from '../../src/core/periodic.ts';
import type { LedgerBooks } from '../../src/store/ledger/ledger-books.ts';
import { openLedgerBooks } from '../../src/store/ledger/ledger-books.ts';
import { AttemptLedger } from '../../src/store/ledger/ledger.ts';
import { createPast } from '../../src/store/ledger/past.ts';
import { sealed } from '../../src/store/sealed/personal-columns.ts';
import { attempt, job, printerUri, releaseId } from '../support/store/release-samples.ts';

/** Planned, fetched, intent, job, sent, end, deleted. */
export const eventsOfRelease = 7;
const inOneCommit = 1000;
const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };

/** Adds releases that have ended, whose records the service has, until there are so many events in all. */
export async function growLedger(stateDir: string, events: number): Promise<void> {
  using books = openBooks(stateDir);
  const { database, commits, rowKeys } = books;
  const ledger = new AttemptLedger({
    ...books,
    clock: systemClock,
    wake: new Wake(),
    doubtedUpTo: undefined,
    database: { ...database, transaction: (work) => work(), unsynced: (work) => work() },
    // Their keys would be destroyed one by one, each with its own sync.
    rowKeys: {
      ...rowKeys,
      sealing: (slot) => rowKeys.sealing(slot),
      spend: (work) => work(0),
      destroy: async () => {},
    },
  });
  inCommits(books, Math.ceil(events / eventsOfRelease), (number) => {
    const planned = attempt({ release: number });
    const id = releaseId(number);
    ledger.plan(planned);
    ledger.fetched(id, { length: 1_000_000, digest: 'ab'.repeat(32) });
    ledger.intend(id, printerUri);
    ledger.jobCreated(id, job);
    ledger.sent(id);
    ledger.end(id, { state: 'CONFIRMED', deletionOwed: true, history: 'service', holdFor: seconds(0) });
    ledger.deleted(id);
  });
  await commits.durable();
}

/** Adds so many documents whose releases are compacted. */
export function growPast(stateDir: string, documents: number): void {
  using books = openBooks(stateDir);
  const past = createPast(books.database);
  inCommits(books, documents, (number) => past.note(`long-ago-${number}`, 'CONFIRMED'));
}

/** Adds so many records that wait, of releases that are compacted by now. */
export function growOutbox(stateDir: string, records: number): void {
  using books = openBooks(stateDir);
  const { outbox, rowKeys } = books;
  inCommits(books, records, (number) => {
    const { history } = attempt({ release: number });
    const id = releaseId(number);
    rowKeys.spend((slot) => {
      const record = sealed(rowKeys, slot, { kind: 'history', releaseId: id }, JSON.stringify(history));
      outbox.add({ releaseId: id, terminal: 'lobby', record, holdFor: seconds(0) });
    });
  });
}

function inCommits({ database }: LedgerBooks, times: number, work: (number: number) => void): void {
  for (let done = 0; done < times; done += inOneCommit) {
    database.transaction(() => {
      for (let number = done + 1; number <= Math.min(times, done + inOneCommit); number += 1) work(number);
    });
  }
  database.emptyLog();
}

const openBooks = (directory: string): LedgerBooks =>
  openLedgerBooks({
    directory,
    clock: systemClock,
    chance: systemChance,
    bootId: systemChance.uuid(),
    log: silent,
    onFatal(problem) {
      throw problem;
    },
  });
