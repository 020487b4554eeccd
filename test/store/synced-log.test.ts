/** B.1: what is not known to be on the disk is synced before anybody is told that it is. */
import { cpSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { databaseName } from '../../src/store/database.ts';
import type { Database } from '../../src/store/database.ts';
import { anchorName, readHeadAnchor } from '../../src/store/ledger/head-anchor.ts';
import { openBooks, openQuietly } from '../support/store/books.ts';
import { release } from '../support/store/release-samples.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** Calls of the system that are under way beside the thread. */
const underWay = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'FSReqCallback').length;

/** Whether the disk was asked for anything. */
async function syncs(database: Database): Promise<boolean> {
  const before = underWay();
  const synced = database.syncBeside();
  const isAsked = underWay() > before;
  await synced;
  return isAsked;
}

test('what was committed unsynced is synced once', async () => {
  using directory = temporaryDirectory();
  using database = openQuietly(join(directory.path, databaseName));
  database.unsynced(() => database.exec('CREATE TABLE t (x)'));
  expect([await syncs(database), await syncs(database)]).toEqual([true, false]);
});

test('a transaction that found nothing to write has synced nothing of what was written before it', async () => {
  using directory = temporaryDirectory();
  using database = openQuietly(join(directory.path, databaseName));
  database.unsynced(() => database.exec('CREATE TABLE t (x)'));
  database.transaction(() => {});
  expect(await syncs(database)).toBe(true);
});

test('I8: to be synced the log is not opened anew: where no more files can be opened, no disk has failed', async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, databaseName);
  using database = openQuietly(path);
  database.unsynced(() => database.exec('CREATE TABLE t (x)'));
  renameSync(`${path}-wal`, `${path}-away`);
  expect(await syncs(database)).toBe(true);
  renameSync(`${path}-away`, `${path}-wal`);
});

test('a database may be closed under a sync; who comes later is refused, whatever has its descriptor by then', async () => {
  using directory = temporaryDirectory();
  const database = openQuietly(join(directory.path, databaseName));
  database.unsynced(() => database.exec('CREATE TABLE t (x)'));
  const underSync = database.syncBeside();
  database.unsynced(() => database.exec('INSERT INTO t VALUES (1)'));
  database[Symbol.dispose]();
  await underSync;
  await expect(database.syncBeside()).rejects.toMatchObject({ code: 'store-failed' });
});

test('what a killed process has left in the log is not taken to be on the disk', async () => {
  using killed = temporaryDirectory();
  using left = temporaryDirectory();
  using before = openQuietly(join(killed.path, databaseName));
  before.unsynced(() => before.exec('CREATE TABLE t (x)'));
  cpSync(killed.path, left.path, { recursive: true });
  using after = openQuietly(join(left.path, databaseName));
  expect(await syncs(after)).toBe(true);
});

test('D12: what a killed process has left is written anew: after a sync that failed the system takes it to be on the disk', () => {
  using left = temporaryDirectory();
  using killed = openBooks();
  release(killed.ledger, 'CONFIRMED');
  cpSync(killed.directory, left.path, { recursive: true });
  using books = openBooks({ directory: left.path });
  expect(statSync(join(left.path, `${databaseName}-wal`)).size).toBe(0);
  expect(books.outbox.size()).toBe(1);
});

test('I2: the record that a killed process has left is posted when its end is synced and anchored', async () => {
  using left = temporaryDirectory();
  using killed = openBooks();
  release(killed.ledger, 'CONFIRMED');
  cpSync(killed.directory, left.path, { recursive: true });
  using books = openBooks({ directory: left.path });
  await books.outbox.durable();
  const { seq } = books.database.prepare('SELECT max(seq) AS seq FROM event').get() ?? {};
  expect(readHeadAnchor(join(left.path, anchorName))).toMatchObject({ seq });
});
