/**
 * The database of ledger and outbox as the agent opens it: examined first, and where it cannot be trusted set aside,
 * with a fresh one in its place that holds what could be salvaged (reliability.md T31, B.4 table 11).
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Chance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import { isoInstant } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import type { Problem } from '../../domain/problem/problem.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import type { Database } from '../database.ts';
import {
  databaseName,
  isEmptyFile,
  openDatabase,
  openDatabaseInMemory,
  openDatabaseReadOnly,
  ioError,
  sqliteCode,
  storeProblem,
} from '../database.ts';
import type { EventChain, Head, Stamp } from './event-chain.ts';
import { createEventChain } from './event-chain.ts';
import { faultIn, integrityFault } from './examination.ts';
import type { HeadAnchor } from './head-anchor.ts';
import { anchorName, createHeadAnchor, openHeadAnchor, readHeadAnchor } from './head-anchor.ts';
import { firstChained, firstSealed, migrate, shapeOf, versionOf } from '../migrations.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { createOutbox } from '../outbox/outbox.ts';
import { keysInUse } from '../sealed/personal-columns.ts';
import type { QuarantineFolder } from './quarantine.ts';
import { completeMoves, noteSalvaged, quarantineFolders, setAside } from './quarantine.ts';
import type { RowKeys } from '../sealed/row-keys.ts';
import { openRowKeys, readRowKeys, rowKeysName } from '../sealed/row-keys.ts';
import { salvage } from './salvage.ts';

export interface LedgerBooks extends Disposable {
  readonly database: Database;
  readonly chain: EventChain;
  readonly anchor: HeadAnchor;
  readonly rowKeys: RowKeys;
  readonly outbox: Outbox;
  /** Books that were set aside and are still in the state directory, the newest: safe mode. */
  readonly quarantine: QuarantineFolder | undefined;
}

export interface LedgerBooksOptions extends Stamp {
  readonly directory: string;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly onFatal: (problem: Problem) => void;
}

/** Throws as `openDatabase` does, and `state-newer`. */
export function openLedgerBooks(options: LedgerBooksOptions): LedgerBooks {
  const { directory, clock, chance, log } = options;
  completeMoves(directory);
  const fault = faultOf(directory, options);
  if (fault !== undefined) setAside(directory, { reason: fault, at: isoInstant(clock.now()) });

  using opened = new DisposableStack();
  const path = join(directory, databaseName);
  const anchorPath = join(directory, anchorName);
  // The anchor comes first: from then on a database without events is not mistaken for one that lost them.
  if (readHeadAnchor(anchorPath) === 'absent') createHeadAnchor(anchorPath);
  const rowKeys = opened.use(openRowKeys({ path: join(directory, rowKeysName), chance }));
  const database = opened.use(openDatabase({ path, onFatal: options.onFatal }));
  const found = versionOf(database);
  // A crash may have come between the end of a row and that of its key.
  rowKeys.settle(found < firstSealed ? new Map() : keysInUse(database, rowKeys));
  migrate(database, options, { rowKeys });
  // What was there in clear does not stay in the log.
  if (found < firstSealed) database.emptyLog();
  const anchor = opened.use(openHeadAnchor(anchorPath));
  const chain = createEventChain({ database, ...options });
  const outbox = createOutbox({ database, chain, rowKeys, clock, bootId: options.bootId });

  for (const folder of quarantineFolders(directory)) {
    if (folder.salvaged) continue;
    const { salvaged, head } = salvage(folder, { database, chain, rowKeys, outbox, clock });
    anchor.hold(head);
    noteSalvaged(folder, salvaged);
    log.error('ledger quarantined', { folder: folder.path, reason: folder.reason, ...salvaged });
  }
  const held = opened.move();
  const quarantine = quarantineFolders(directory).at(-1);
  return { database, chain, anchor, rowKeys, outbox, quarantine, [Symbol.dispose]: () => held.dispose() };
}

/** Why the books in the directory cannot be trusted; `undefined`: they can, or there are none. Changes nothing in them. */
function faultOf(directory: string, stamp: Stamp): string | undefined {
  const anchored = readHeadAnchor(join(directory, anchorName));
  if (anchored === undefined) return `${anchorName} cannot be read`;
  const path = join(directory, databaseName);
  if (isEmptyFile(path)) return lostFault(anchored);
  try {
    // Of a first start that was killed before the file had its write-ahead log: SQLite rolls that back where it may write.
    if (existsSync(`${path}-journal`)) openDatabase({ path, onFatal() {} })[Symbol.dispose]();
    // For reading only: one that may write would carry the log into the file when it closes.
    using database = openDatabaseReadOnly(path);
    const version = versionOf(database);
    return version < firstChained
      ? unchainedFault(database, anchored)
      : chainedFault(database, anchored, { directory, stamp, version });
  } catch (error) {
    return damageIn(storeProblem(path, error));
  }
}

const unchainedFault = (database: Database, anchored: Head | 'absent'): string | undefined =>
  lostFault(anchored) ?? integrityFault(database);

/** Of a database without a chain, that may be a first start's. */
const lostFault = (anchored: Head | 'absent'): string | undefined =>
  anchored !== 'absent' && anchored.seq > 0
    ? `the database has no events, and ${anchored.seq} were written`
    : undefined;

function chainedFault(
  database: Database,
  anchored: Head | 'absent',
  { directory, stamp, version }: { directory: string; stamp: Stamp; version: number },
): string | undefined {
  if (anchored === 'absent') return `${anchorName} is missing`;
  using pattern = openDatabaseInMemory();
  migrate(pattern, stamp, { to: version });
  const rowKeys = readRowKeys(join(directory, rowKeysName));
  return faultIn(database, { anchored, shape: shapeOf(pattern), rowKeys });
}

/** What an error tells of damage, in words. What is not the file's own fault is thrown on: a restart may go well. */
function damageIn(error: Error): string {
  const isOfTheDisk = sqliteCode(error.cause) === ioError;
  const isOfTheFile = isProblem(error, 'store-failed', 'ledger-quarantined') || !isProblem(error);
  if (isOfTheDisk || !isOfTheFile) throw error;
  return `it cannot be read: ${error.message}`;
}
