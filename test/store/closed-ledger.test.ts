import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { databaseName } from '../../src/store/database.ts';
import { genesis } from '../../src/store/event-chain.ts';
import { closedLedgerName, examinedBefore } from '../../src/store/ledger/audit.ts';
import { anchorName, readHeadAnchor } from '../../src/store/ledger/head-anchor.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { openBooks } from '../support/store/books.ts';
import { attempt, printerUri, releaseId } from '../support/store/release-samples.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const day = 24 * 3_600_000;

describe('a ledger that was closed in order', () => {
  const clock = createSteeredClock();
  const start = clock.now();
  let directory = '';
  const at = (name: string) => join(directory, name);
  const known = (now = start) => {
    const anchored = readHeadAnchor(at(anchorName));
    return examinedBefore(directory, anchored && anchored !== 'absent' ? anchored : genesis, now);
  };
  const work = () => {
    const books = openBooks({ directory, clock });
    books.ledger.plan(attempt({ release: 1 }));
    books.ledger.fetched(releaseId(1), { length: 1000, digest: 'ab'.repeat(32) });
    books.ledger.intend(releaseId(1), printerUri);
    return books;
  };

  beforeEach(() => {
    const room = temporaryDirectory();
    directory = room.path;
    work()[Symbol.dispose]();
    return () => room[Symbol.dispose]();
  });

  test('need not be examined event by event at the next start', () => {
    expect(known()).toBe(start);
  });

  test('is examined all the same a month after each event was looked at', () => {
    expect(known(start + 30 * day)).toBe(start);
    expect(known(start + 30 * day + 1)).toBeUndefined();
    expect(known(start - 1)).toBeUndefined();
  });

  test('is examined when an octet of it has changed, and set aside (T31)', () => {
    const size = statSync(at(databaseName)).size;
    const file = openSync(at(databaseName), 'r+');
    writeSync(file, Buffer.from([0xff]), 0, 1, size - 200);
    closeSync(file);
    expect(known()).toBeUndefined();
  });

  test('is examined after a crash, whose log says what the file does not', () => {
    const books = openBooks({ directory, clock });
    books.ledger.end(releaseId(1), { state: 'UNKNOWN', deletionOwed: false, holdFor: seconds(60) });
    // As a killed process leaves it: nothing is closed.
    expect(known()).toBeUndefined();
    books[Symbol.dispose]();
    expect(known()).toBe(start);
  });

  test('is examined where the anchored head is another one', async () => {
    const before = readFileSync(at(anchorName));
    const books = openBooks({ directory, clock });
    books.ledger.end(releaseId(1), { state: 'UNKNOWN', deletionOwed: false, holdFor: seconds(60) });
    await books.ledger.durable();
    books[Symbol.dispose]();
    writeFileSync(at(anchorName), before);
    expect(known()).toBeUndefined();
  });

  test.each(['', '{', '{"sha256":"00"}', 'null'])('is examined where what was noted reads %j', (text) => {
    writeFileSync(at(closedLedgerName), text);
    expect(known()).toBeUndefined();
    const books = openBooks({ directory, clock });
    expect(books.quarantine).toBeUndefined();
    books[Symbol.dispose]();
  });

  test('opens where a directory lies in the place of the note, and is examined', () => {
    rmSync(at(closedLedgerName));
    mkdirSync(at(closedLedgerName));
    expect(known()).toBeUndefined();
    openBooks({ directory, clock })[Symbol.dispose]();
  });

  test('opens without what was noted, and notes it anew', () => {
    rmSync(at(closedLedgerName));
    openBooks({ directory, clock })[Symbol.dispose]();
    expect(existsSync(at(closedLedgerName))).toBe(true);
    expect(known()).toBe(start);
  });
});
