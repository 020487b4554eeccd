/**
 * The SQLite database of ledger and outbox: opening it with settings that are set *and read back*, transactions, and
 * what its errors mean (INVARIANTS.md D1, D8, D12; B.1 "Store"). It knows no table.
 */
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { StatementSync } from 'node:sqlite';
import { DatabaseSync } from 'node:sqlite';
import { isProblem, Problem } from '../domain/problem/problem.ts';
import { ensurePrivateFile, isFile, readIfPresent, syncDirectory } from './files/durable-file.ts';
import type { StandingFile } from './files/standing-file.ts';
import { openStandingFile } from './files/standing-file.ts';

/** The database's file in the state directory. */
export const databaseName = 'platen.db';

export interface Database extends Disposable {
  readonly path: string;
  prepare(sql: string): StatementSync;
  exec(sql: string): void;
  /** BEGIN IMMEDIATE … COMMIT: on disk when it returns, rolled back when it throws anything but `store-failed`. */
  transaction<T>(work: () => T): T;
  /**
   * The same, but on disk with the next `transaction`, or with `syncBeside`: who kills the process takes nothing of it, a power cut
   * may, and whatever was committed after it with it.
   */
  unsynced<T>(work: () => T): T;
  /** What `unsynced` left before the call is on disk when it resolves; the thread goes on meanwhile. */
  syncBeside(): Promise<void>;
  read<T>(work: () => T): T;
  /** What belongs to the database without being in it: a `store-failed` there is one here (D12). */
  guarded<T>(work: () => T): T;
  /** The same for what goes on beside the thread. */
  guardedBeside(work: () => Promise<void>): Promise<void>;
  /**
   * Carries the write-ahead log into the main file and cuts it to nothing: deleted titles and names stand in it until
   * then. Does less while somebody else reads.
   */
  emptyLog(): void;
}

/**
 * WAL with synchronous=FULL: a commit is synced before it is reported, with all commits before it. NORMAL loses the last
 * ones on power loss, and is for what may be lost so, one transaction long.
 */
const settings = {
  journal_mode: 'wal',
  synchronous: 2,
  secure_delete: 1,
  mmap_size: 0,
  trusted_schema: 0,
  foreign_keys: 1,
} as const;

/** How long a statement waits for another process's lock. Only the command line reads beside us, and briefly. */
const busyMilliseconds = 500;

export interface DatabaseOptions {
  readonly path: string;
  /** Told once, when the first call after opening fails with `store-failed`. */
  readonly onFatal: (problem: Problem) => void;
}

/** Throws `store-failed` for a damaged file, `store-refused` or `state-unusable` where it cannot be opened. */
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
    // The log file is made with the first look; SQLite syncs the directory once it is in it, but goes on when that fails.
    opened.exec('PRAGMA user_version');
    syncDirectory(dirname(path));
    // For as long as the database is: later there may be no descriptor left for it, and the disk has not failed (D12).
    log = openStandingFile(`${path}-wal`);
  });
  return guard(connection, { path, onFatal, log });
}

/** SQLite opens by their names whatever lies there, and would wait for a FIFO for ever (INVARIANTS.md T26). Throws `store-refused`. */
export function requireFiles(path: string): void {
  for (const side of ['', '-wal', '-shm', '-journal']) isFile(`${path}${side}`);
}

/** Or there is none. SQLite wipes a log that it finds beside such a file: it is looked for before anything is opened. */
export const isEmptyFile = (path: string): boolean => !existsSync(path) || statSync(path).size === 0;

/**
 * By its own header (https://sqlite.org/fileformat2.html, 1.3). Where such a file ends too early SQLite may say that
 * there was an I/O error, which is the file's fault and none of the disk's.
 */
export function isCutShort(path: string): boolean {
  const header = readIfPresent(path)?.subarray(0, 100);
  if (header?.length !== 100) return true;
  const pageSize = header.readUInt16BE(16);
  return statSync(path).size < header.readUInt32BE(28) * (pageSize === 1 ? 65_536 : pageSize);
}

/** For reading beside a running agent. Throws `state-unusable` when there is no such database, `store-refused` when it is no file. */
export function openDatabaseReadOnly(path: string): Database {
  requireFiles(path);
  const connection = connect(path, { readOnly: true, timeout: busyMilliseconds }, (opened) =>
    opened.exec('PRAGMA trusted_schema = 0; PRAGMA mmap_size = 0'),
  );
  return guard(connection, { path, onFatal() {} });
}

/** For comparison with one on disk. */
export const openDatabaseInMemory = (): Database =>
  guard(
    connect(':memory:', { timeout: busyMilliseconds }, () => {}),
    { path: ':memory:', onFatal() {} },
  );

/** Each row as the list of its columns, one after the other: half the price of an object, where there are very many. */
export function rowsAsLists(database: Database, sql: string): Iterable<unknown[]> {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  // Its type tells rows as objects only.
  return statement.iterate() as Iterable<unknown> as Iterable<unknown[]>;
}

/** The first column of the pragma's first row. */
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
  /** Something may be in the log that is not on the disk: at first what a killed process has left there. */
  let isBehind = true;
  return {
    path,
    prepare: (sql) => guarded(() => connection.prepare(sql)),
    exec: (sql) => guarded(() => connection.exec(sql)),
    read: guarded,
    guarded,
    guardedBeside,
    // One that finds nothing to write syncs nothing: what was left before it is still behind.
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
          // Whatever it says: nobody knows what is on the disk.
          throw new Problem('store-failed', `${path}: its log could not be synced`, { cause });
        }
      }),
    emptyLog: () => guarded(() => connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')),
    [Symbol.dispose]() {
      log?.[Symbol.dispose]();
      // Closing writes the log into the main file; after a failure that is the next start's work.
      if (!hasFailed()) guarded(() => connection.close());
    },
  };
}

/**
 * After an I/O error SQLite would go on committing, and whether the failed transaction is on disk is not known before the
 * file is opened anew: from then on every call fails (D12).
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
    // SQLite has rolled back by itself after some errors.
    if (!fatal && connection.isTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

/** SQLITE_IOERR. */
export const ioError = 10;

/** SQLite's primary result code (https://sqlite.org/rescode.html); `undefined` when the error is none of SQLite's. */
export function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : undefined;
}

/** D12: `store-failed` ends the agent; `store-refused` changed nothing. Other errors come back as they are. */
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
