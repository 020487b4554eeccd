/**
 * Opens the database of ledger and outbox for the agent. It is examined first. If it cannot be trusted, it is set
 * aside, and a fresh database takes its place with everything that could be salvaged (INVARIANTS.md T31, B.4 table 11).
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isoInstant } from '../../core/clock.ts';
import type { Env } from '../../domain/env.ts';
import type { Problem } from '../../domain/problem/problem.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import type { Database } from '../database.ts';
import {
  databaseName,
  isCutShort,
  isEmptyFile,
  openDatabase,
  openDatabaseReadOnly,
  isIoError,
  isUnreadable,
  storeProblem,
} from '../database.ts';
import type { EventChain, Head, Stamp } from '../event-chain.ts';
import { createEventChain } from '../event-chain.ts';
import { examinedBefore, faultIn, faultSince, integrityFault, noteClosed } from './audit.ts';
import type { GroupCommit } from './group-commit.ts';
import { createGroupCommit } from './group-commit.ts';
import { anchorName, createHeadAnchor, openHeadAnchor, readHeadAnchor } from './head-anchor.ts';
import { Outbox } from '../outbox/outbox.ts';
import { hasSchema, makeSchema } from '../schema.ts';
import { keysInUse } from '../sealed/personal-columns.ts';
import type { QuarantineFolder } from './quarantine.ts';
import { completeMoves, noteSalvaged, quarantineFolders, setAside } from './quarantine.ts';
import type { RowKeys } from '../sealed/row-keys.ts';
import { openRowKeys, readRowKeys, rowKeysName } from '../sealed/row-keys.ts';
import { salvage } from './salvage.ts';

export interface LedgerBooks extends Disposable {
  readonly database: Database;
  readonly chain: EventChain;
  readonly commits: GroupCommit;
  readonly rowKeys: RowKeys;
  readonly outbox: Outbox;
  /** The newest books that were set aside and are still in the state directory. */
  readonly quarantine: QuarantineFolder | undefined;
}

export interface LedgerBooksDeps extends Stamp, Pick<Env, 'clock' | 'chance' | 'log'> {
  readonly directory: string;
  readonly onFatal: (problem: Problem) => void;
}

/** Throws as `openDatabase` does, and `state-newer` or `state-unusable` for a database of another version. */
export function openLedgerBooks(deps: LedgerBooksDeps): LedgerBooks {
  const { directory, clock, chance, log } = deps;
  completeMoves(directory);
  const { fault, examinedAt } = examine(directory, clock.now());
  if (fault !== undefined) setAside(directory, { reason: fault, at: isoInstant(clock.now()) });

  using opened = new DisposableStack();
  opened.defer(() => noteClosed(directory, examinedAt));
  const path = join(directory, databaseName);
  const anchorPath = join(directory, anchorName);
  // The anchor is made first: otherwise a database without events could be mistaken for a database that lost them.
  if (readHeadAnchor(anchorPath) === 'absent') createHeadAnchor(anchorPath);
  const rowKeys = opened.use(openRowKeys({ path: join(directory, rowKeysName), chance }));
  const database = opened.use(openDatabase({ path, onFatal: deps.onFatal }));
  writeAnew(database);
  if (!hasSchema(database)) makeSchema(database);
  // A crash may have come after a row ended and before its key was destroyed.
  rowKeys.settle(keysInUse(database, rowKeys));
  const anchor = opened.use(openHeadAnchor(anchorPath));
  const chain = createEventChain({ database, ...deps });
  const commits = createGroupCommit({ database, anchor });
  const outbox = new Outbox({ database, chain, commits, rowKeys, clock, bootId: deps.bootId });

  for (const folder of quarantineFolders(directory)) {
    if (folder.salvaged) continue;
    const { salvaged, head } = salvage(folder, { database, chain, rowKeys, outbox, clock });
    anchor.hold(head);
    noteSalvaged(folder, salvaged);
    log.error('ledger quarantined', { folder: folder.path, reason: folder.reason, ...salvaged });
  }
  // A killed process may have committed this much without waiting for the disk.
  commits.anchors(database.read(() => chain.head()));
  const held = opened.move();
  const quarantine = quarantineFolders(directory).at(-1);
  return { database, chain, commits, rowKeys, outbox, quarantine, [Symbol.dispose]: () => held.dispose() };
}

/**
 * A killed process leaves a log that the system may believe to be on disk although a sync has failed (fsync(2));
 * another sync would not show that. So the log is written anew into the main file. On a full disk it stays where it is.
 */
function writeAnew(database: Database): void {
  try {
    database.emptyLog();
  } catch (error) {
    if (!isProblem(error, 'store-refused')) throw error;
  }
}

interface Examination {
  /** Why the books cannot be trusted; `undefined` if they can be, or if there are none. */
  readonly fault: string | undefined;
  /** When every event and row was examined. */
  readonly examinedAt: number;
}

/** Changes nothing in the books. */
function examine(directory: string, now: number): Examination {
  const anchored = readHeadAnchor(join(directory, anchorName));
  if (anchored === undefined) return { fault: `${anchorName} cannot be read`, examinedAt: now };
  const before = anchored === 'absent' ? undefined : examinedBefore(directory, anchored, now);
  const examinedAt = before ?? now;
  return { fault: faultOf(directory, { anchored, isAsClosed: before !== undefined }), examinedAt };
}

interface Known {
  readonly anchored: Head | 'absent';
  readonly isAsClosed: boolean;
}

function faultOf(directory: string, { anchored, isAsClosed }: Known): string | undefined {
  const path = join(directory, databaseName);
  if (isEmptyFile(path)) return lostFault(anchored);
  try {
    // A first start was killed before the file had its write-ahead log. SQLite rolls that back only if it may write.
    if (existsSync(`${path}-journal`)) openDatabase({ path, onFatal() {} })[Symbol.dispose]();
    // For reading only: a connection that may write would move the log into the file when it closes.
    using database = openDatabaseReadOnly(path);
    if (!hasSchema(database)) return lostFault(anchored) ?? integrityFault(database);
    if (anchored === 'absent') return `${anchorName} is missing`;
    const rowKeys = readRowKeys(join(directory, rowKeysName));
    return isAsClosed ? faultSince(database, rowKeys) : faultIn(database, anchored, rowKeys);
  } catch (error) {
    return damageIn(path, storeProblem(path, error));
  }
}

/** For an empty database, as a first start finds it. */
const lostFault = (anchored: Head | 'absent'): string | undefined =>
  anchored !== 'absent' && anchored.seq > 0
    ? `the database has no events, and ${anchored.seq} were written`
    : undefined;

/**
 * The damage that an error shows, in words. An error that the file did not cause is thrown on: a restart may succeed.
 * Blocks that the disk does not give back are damage of the file: if it is the whole disk, the books cannot be moved
 * either, and that is thrown.
 */
function damageIn(path: string, error: Error): string {
  const isOfTheDisk = isIoError(error.cause) && !isUnreadable(error.cause) && !isCutShort(path);
  const isOfTheFile = isProblem(error, 'store-failed', 'ledger-quarantined') || !isProblem(error);
  if (isOfTheDisk || !isOfTheFile) throw error;
  return `it cannot be read: ${error.message}`;
}
