/**
 * Every durable step by which the books are made as a system call to die before (INVARIANTS.md G4): a first start is
 * recorded by strace(1), then made again and killed before one of its calls. What is left must be nothing or the books,
 * whole; the next start must bring it to what an undisturbed one makes.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, promisify } from 'node:util';
import { table } from '../../src/commands/terminal-text/table.ts';
import { databaseName } from '../../src/store/database.ts';
import { openBooks } from '../support/store/books.ts';
import type { FatalCall } from '../support/agent/mortal-agent.ts';
import { killingBefore } from '../support/agent/mortal-agent.ts';
import type { Program, Result } from '../support/campaign-program.ts';

const creating = fileURLToPath(new URL('../store/creating-process.ts', import.meta.url));
const durable = ['pwrite64', 'write', 'fsync', 'fdatasync', 'ftruncate', 'unlink', 'rename'];

/** Each call of a first start that touches the state directory. */
export const creationCalls = (): Promise<FatalCall[]> =>
  inFolder(async (folder) => {
    const directory = emptyDirectory(folder);
    const file = join(folder, 'calls');
    // `-y` shows the path of each descriptor.
    await create(directory, ['-y', '-f', '-qq', '-o', file, '-e', `trace=${durable.join(',')}`]);
    return fatalCalls(readFileSync(file, 'utf8'), directory);
  });

/** What the kill has broken; `undefined`: nothing. */
export const violationOf = (call: FatalCall): Promise<string | undefined> =>
  inFolder(async (folder) => {
    const directory = emptyDirectory(folder);
    const nothing = contentOf(emptyDirectory(join(folder, 'nothing')));
    const whole = contentAfterStart(emptyDirectory(join(folder, 'undisturbed')));
    const where = `before ${call.name} ${call.number}`;
    // One that needs a call less than the recorded one ends by itself, and must have done its work.
    await create(directory, killingBefore(call));

    // Of a copy: looking at a database carries its log into it.
    cpSync(directory, join(folder, 'left'), { recursive: true });
    const left = contentOf(join(folder, 'left'));
    if (!isDeepStrictEqual(left, nothing) && !isDeepStrictEqual(left, whole))
      return `${where}: a half database is left`;
    return isDeepStrictEqual(contentAfterStart(directory), whole)
      ? undefined
      : `${where}: the next start makes something else of it`;
  });

export const killedCreations: Program = {
  name: 'creation',
  what: 'SIGKILL before each durable system call by which the books are made (G4)',
  runs: Number.POSITIVE_INFINITY,
  async run({ seed, runs }): Promise<Result> {
    const all = await creationCalls();
    const chosen = spread(all, runs, seed);
    const violations: string[] = [];
    for (const call of chosen)
      violations.push(...[await violationOf(call)].filter((found) => found !== undefined));
    return {
      table: table([
        ['killed', 'of steps'],
        [String(chosen.length), String(all.length)],
      ]),
      violations,
      played: chosen.length,
    };
  },
};

/** So many of them, evenly, from one on that the seed chooses. */
export function spread<Item>(all: readonly Item[], most: number, seed: number): Item[] {
  const stride = Math.max(1, all.length / most);
  const first = seed % Math.floor(stride);
  return all
    .filter((_, index) => index >= first && Math.floor((index - first) % stride) === 0)
    .slice(0, most);
}

function emptyDirectory(folder: string): string {
  const directory = join(folder, 'state');
  mkdirSync(directory, { recursive: true });
  return directory;
}

/** Past our code. Throws for a database that SQLite finds fault with. */
export function contentOf(directory: string) {
  using database = new DatabaseSync(join(directory, databaseName));
  const all = (query: string): unknown[] => database.prepare(query).all();
  const check = JSON.stringify(all('PRAGMA integrity_check'));
  if (check !== '[{"integrity_check":"ok"}]') throw new Error(`the database is damaged: ${check}`);
  const shape = all('SELECT name, sql FROM sqlite_schema ORDER BY name');
  return {
    shape,
    versions: [all('PRAGMA user_version'), all('PRAGMA application_id')],
    rows: shape.length === 0 ? [] : all('SELECT * FROM hold_time'),
  };
}

function contentAfterStart(directory: string) {
  {
    using books = openBooks({ directory });
    if (books.quarantine) throw new Error(`set aside: ${books.quarantine.reason}`);
  }
  return contentOf(directory);
}

/** Resolves when it has ended or was killed. */
async function create(directory: string, tracing: readonly string[]): Promise<void> {
  await promisify(execFile)('strace', [...tracing, process.execPath, creating, directory]).catch(
    (error: unknown) => {
      if ((error as { signal?: unknown }).signal !== 'SIGKILL') throw error;
    },
  );
}

/** strace(1): `PID call(descriptor<path>, …) = result`, a line each; the first thread is the one that SQLite works in. */
function fatalCalls(recording: string, directory: string): FatalCall[] {
  const counts = new Map<string, number>();
  const calls: FatalCall[] = [];
  const lines = recording.split('\n').map((line) => /^(\d+) +(\w+)\((.*)/.exec(line));
  const main = lines[0]?.[1];
  for (const [, thread, name = '', rest = ''] of lines.map((line) => line ?? [])) {
    if (thread !== main) continue;
    const number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    if (rest.includes(directory)) calls.push({ name, number });
  }
  return calls;
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-creation-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
