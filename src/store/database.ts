/**
 * The SQLite database of ledger and outbox: opening it with settings that are set *and read back*, transactions, and
 * the meaning of its errors (INVARIANTS.md D1, D8, D12; B.1 "Store"). It knows no table.
 */
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { StatementSync } from 'node:sqlite';
import { DatabaseSync } from 'node:sqlite';
import { isProblem, Problem } from '../domain/problem/problem.ts';
import {
  ensurePrivateFile,
  isFile,
  openStandingFile,
  readIfPresent,
  syncDirectory,
} from './files/durable-file.ts';
import type { StandingFile } from './files/durable-file.ts';

export const databaseName = 'platen.db';

export interface Database extends Disposable {
  readonly path: string;
  prepare(sql: string): StatementSync;
  exec(sql: string): void;
  /** BEGIN IMMEDIATE … COMMIT: on disk when it returns. It rolls back on every error but `store-failed`. */
  transaction<T>(work: () => T): T;
  /**
   * As `transaction`, but on disk only with the next `transaction` or `syncBeside`. If the process is killed, nothing
   * is lost. A power cut may lose it, and everything that was committed after it.
   */
  unsynced<T>(work: () => T): T;
  /** Everything that `unsynced` left before the call is on disk when it resolves. The thread does not wait. */
  syncBeside(): Promise<void>;
  read<T>(work: () => T): T;
  /**
   * For work on files that belong to the database but are not in it: a `store-failed` there counts as a failure of the
   * database (D12).
   */
  guarded<T>(work: () => T): T;
  /** As `guarded`, for work beside the thread. */
  guardedBeside(work: () => Promise<void>): Promise<void>;
  /**
   * Moves the write-ahead log into the main file and empties it: until then, deleted titles and names stay in the log.
   * It does less while another process reads.
   */
  emptyLog(): void;
}

/**
 * WAL with synchronous=FULL: a commit is reported after it and all commits before it are synced. NORMAL loses the last
 * commits on power loss; it is used for one transaction at a time, where that is acceptable.
 */
const settings = {
  journal_mode: 'wal',
  synchronous: 2,
  secure_delete: 1,
  mmap_size: 0,
  trusted_schema: 0,
  foreign_keys: 1,
} as const;

/**
 * How long a statement waits for the lock of another process. Only the command line reads at the same time, and
 * briefly.
 */
const busyMilliseconds = 500;

export interface DatabaseOptions {
  readonly path: string;
  /** Called once, when the first call after opening fails with `store-failed`. */
  readonly onFatal: (problem: Problem) => void;
}

/** Throws `store-failed` for a damaged file, `store-refused` or `state-unusable` if it cannot be opened. */
export function openDatabase({ path, onFatal }: DatabaseOptions): Database {
  ensurePrivateFile(path);
  requireFiles(path);
  let log: StandingFile | undefined;
  const connection = connect(path, { timeout: busyMilliseconds }, (opened) => {
    for (const [name, wanted] of Object.entries(settings)) {
      opened.exec(`PRAGMA ${name} = ${wanted}`);
      const actual = pragma(opened, name);
      if (actual !== wanted) {
        throw new Problem(
          'state-unusable',
          `${path}: SQLite keeps ${name} at ${String(actual)}, not ${wanted}`,
        );
      }
    }
    // The first read creates the log file. SQLite then syncs the directory, but ignores a failure of that sync, so it
    // is done again here.
    opened.exec('PRAGMA user_version');
    syncDirectory(dirname(path));
    // Stays open as long as the database: later there may be no free descriptor, and that must not look like a failed
    // disk (D12).
    log = openStandingFile(`${path}-wal`);
  });
  return guard(connection, { path, onFatal, log });
}

/**
 * SQLite opens any file at these names, and would wait for ever for a FIFO (INVARIANTS.md T26). Throws `store-refused`.
 */
export function requireFiles(path: string): void {
  for (const side of ['', '-wal', '-shm', '-journal']) isFile(`${path}${side}`);
}

/**
 * True also if there is no file. SQLite wipes a log that it finds beside an empty file, so this is checked before
 * anything is opened.
 */
export const isEmptyFile = (path: string): boolean => !existsSync(path) || statSync(path).size === 0;

/**
 * Compares the file with the size in its own header (https://sqlite.org/fileformat2.html, 1.3). For a file that is too
 * short SQLite may report an I/O error, although the disk is good.
 */
export function isCutShort(path: string): boolean {
  const header = readIfPresent(path)?.subarray(0, 100);
  if (header?.length !== 100) return true;
  const pageSize = header.readUInt16BE(16);
  return statSync(path).size < header.readUInt32BE(28) * (pageSize === 1 ? 65_536 : pageSize);
}

/**
 * For reading beside a running agent. Throws `state-unusable` if there is no such database, `store-refused` if it is
 * not a file.
 */
export function openDatabaseReadOnly(path: string): Database {
  requireFiles(path);
  const connection = connect(path, { readOnly: true, timeout: busyMilliseconds }, (opened) =>
    opened.exec('PRAGMA trusted_schema = 0; PRAGMA mmap_size = 0'),
  );
  return guard(connection, { path, onFatal() {} });
}

/** For comparison with a database on disk. */
export const openDatabaseInMemory = (): Database =>
  guard(
    connect(':memory:', { timeout: busyMilliseconds }, () => {}),
    { path: ':memory:', onFatal() {} },
  );

/** Each row as the list of its columns: half the cost of an object, for tables with very many rows. */
export function rowsAsLists(database: Database, sql: string): Iterable<unknown[]> {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  // The type of `iterate` knows rows as objects only.
  return statement.iterate() as Iterable<unknown> as Iterable<unknown[]>;
}

export const pragma = (connection: Pick<DatabaseSync, 'prepare'>, name: string): unknown =>
  Object.values(connection.prepare(`PRAGMA ${name}`).get() ?? {})[0];

function connect(
  path: string,
  options: { readOnly?: true; timeout: number },
  prepare: (connection: DatabaseSync) => void,
): DatabaseSync {
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(path, options);
    prepare(connection);
    return connection;
  } catch (error) {
    if (connection?.isOpen) connection.close();
    throw storeProblem(path, error);
  }
}

function guard(
  connection: DatabaseSync,
  { path, onFatal, log }: DatabaseOptions & { readonly log?: StandingFile | undefined },
): Database {
  const { guarded, guardedBeside, hasFailed } = failingOnce({ path, onFatal });
  /**
   * The log may hold something that is not on disk. True at first, because a killed process may have left something
   * there.
   */
  let isBehind = true;
  return {
    path,
    prepare: (sql) => guarded(() => connection.prepare(sql)),
    exec: (sql) => guarded(() => connection.exec(sql)),
    read: guarded,
    guarded,
    guardedBeside,
    // A transaction that writes nothing syncs nothing, so earlier unsynced commits stay unsynced.
    transaction: (work) => guarded(() => committed({ connection, path }, work)),
    unsynced: (work) =>
      guarded(() => {
        connection.exec('PRAGMA synchronous = NORMAL');
        try {
          isBehind = true;
          return committed({ connection, path }, work);
        } finally {
          connection.exec('PRAGMA synchronous = FULL');
        }
      }),
    syncBeside: () =>
      guardedBeside(async () => {
        if (!isBehind) return;
        isBehind = false;
        try {
          await log?.syncBeside();
        } catch (cause) {
          // Every error counts, because it is unknown what is on the disk.
          throw new Problem('store-failed', `${path}: its log could not be synced`, { cause });
        }
      }),
    emptyLog: () => guarded(() => connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')),
    [Symbol.dispose]() {
      log?.[Symbol.dispose]();
      // Closing writes the log into the main file. After a failure the next start does that.
      if (!hasFailed()) guarded(() => connection.close());
    },
  };
}

/**
 * After an I/O error SQLite would go on committing. It is unknown whether the failed transaction is on disk until the
 * file is opened anew, so from then on every call fails (D12).
 */
function failingOnce({ path, onFatal }: DatabaseOptions) {
  let failure: Problem | undefined;
  const noted = (error: unknown): Error => {
    const problem = failure ?? storeProblem(path, error);
    if (!failure && isProblem(problem, 'store-failed')) {
      failure = problem;
      onFatal(problem);
    }
    return problem;
  };
  return {
    hasFailed: () => failure !== undefined,
    guarded<T>(work: () => T): T {
      if (failure) throw failure;
      try {
        return work();
      } catch (error) {
        throw noted(error);
      }
    },
    async guardedBeside(work: () => Promise<void>): Promise<void> {
      if (failure) throw failure;
      try {
        await work();
      } catch (error) {
        throw noted(error);
      }
    },
  };
}

function committed<T>({ connection, path }: { connection: DatabaseSync; path: string }, work: () => T): T {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    const fatal = isProblem(storeProblem(path, error), 'store-failed');
    // After some errors SQLite has rolled back by itself.
    if (!fatal && connection.isTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

/** SQLITE_IOERR. */
const ioError = 10;

/** SQLITE_IOERR_CORRUPTFS: the disk did not give back what was read (EIO). */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === 8458;

export const isIoError = (error: unknown): boolean => sqliteCode(error) === ioError;

/**
 * SQLite's primary result code (https://sqlite.org/rescode.html); `undefined` for an error that does not come from
 * SQLite.
 */
export function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : undefined;
}

/**
 * D12: `store-failed` ends the agent; after `store-refused` nothing has changed. Other errors come back as they are.
 */
export function storeProblem(path: string, error: unknown): Error {
  switch (sqliteCode(error)) {
    case ioError:
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
      return new Problem('store-failed', `${path}: reading or writing the database failed`, { cause: error });
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
    case 8: // SQLITE_READONLY
    case 13: // SQLITE_FULL
      return new Problem('store-refused', `${path}: the database cannot be written`, { cause: error });
    case 14: // SQLITE_CANTOPEN
      return new Problem('state-unusable', `${path}: the database cannot be opened`, { cause: error });
    case undefined:
    default:
      return error instanceof Error ? error : new Error('thrown', { cause: error });
  }
}
