/**
 * Every durable step of a migration as a system call to die before (reliability.md C, G4): a migration from each earlier
 * version is recorded by strace(1), then made again and killed before one of its calls. What is left must be the old
 * database or a new one, whole; the next start must bring it to what an undisturbed migration makes of it.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { table } from '../../src/commands/terminal-text/table.ts';
import { openBooks } from '../store/books.ts';
import type { OlderVersion } from '../store/older-databases.ts';
import { contentOf, olderVersions, writeOlderDatabase } from '../store/older-databases.ts';
import type { FatalCall } from './mortal-agent.ts';
import { killingBefore } from './mortal-agent.ts';
import type { Program, Result } from './program.ts';

const migrating = fileURLToPath(new URL('../store/migrating-process.ts', import.meta.url));
const durable = ['pwrite64', 'write', 'fsync', 'fdatasync', 'ftruncate', 'unlink', 'rename'];

export interface MigrationKill {
  readonly from: OlderVersion;
  readonly call: FatalCall;
}

/** Each call that touches the state directory, from each earlier version. */
export async function migrationKills(): Promise<MigrationKill[]> {
  const kills = await Promise.all(
    olderVersions.map((from) =>
      inFolder(async (folder) => {
        const directory = olderDirectory(folder, from);
        const file = join(folder, 'calls');
        // `-y` shows the path of each descriptor.
        await migrate(directory, ['-y', '-f', '-qq', '-o', file, '-e', `trace=${durable.join(',')}`]);
        return fatalCalls(readFileSync(file, 'utf8'), directory).map((call) => ({ from, call }));
      }),
    ),
  );
  return kills.flat();
}

/** What the kill has broken; `undefined`: nothing. */
export async function violationOf({ from, call }: MigrationKill): Promise<string | undefined> {
  return await inFolder(async (folder) => {
    const directory = olderDirectory(folder, from);
    const before = contentOf(directory);
    const finished = contentAfter(olderDirectory(join(folder, 'undisturbed'), from));
    const where = `from version ${from}, before ${call.name} ${call.number}`;
    // One that needs a call less than the recorded one ends by itself, and must have done its work.
    await migrate(directory, killingBefore(call));

    // Of a copy: looking at a database carries its log into it.
    cpSync(directory, join(folder, 'left'), { recursive: true });
    const left = contentOf(join(folder, 'left'));
    if (left.version < from || left.version > finished.version)
      return `${where}: version ${left.version} is left`;
    if (!includes(left.rows, before.rows)) return `${where}: rows are lost`;
    const after = contentAfter(directory);
    return isDeepStrictEqual(after, finished)
      ? undefined
      : `${where}: the next start makes something else of it`;
  });
}

export const killedMigrations: Program = {
  name: 'migration',
  what: 'SIGKILL before each durable system call of a migration from each earlier version (G4)',
  runs: Number.POSITIVE_INFINITY,
  async run({ seed, runs }): Promise<Result> {
    const all = await migrationKills();
    const chosen = spread(all, runs, seed);
    const violations: string[] = [];
    for (const kill of chosen)
      violations.push(...[await violationOf(kill)].filter((found) => found !== undefined));
    const count = (from: OlderVersion) => String(chosen.filter((kill) => kill.from === from).length);
    return {
      table: table([
        ['from version', 'killed', 'of steps'],
        ...olderVersions.map((from) => [
          String(from),
          count(from),
          String(all.filter((kill) => kill.from === from).length),
        ]),
      ]),
      violations,
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

function olderDirectory(folder: string, version: OlderVersion): string {
  const directory = join(folder, 'state');
  mkdirSync(directory, { recursive: true });
  writeOlderDatabase(directory, version);
  return directory;
}

function contentAfter(directory: string) {
  using books = openBooks({ directory });
  if (books.quarantine) throw new Error(`set aside: ${books.quarantine.reason}`);
  books[Symbol.dispose]();
  return contentOf(directory);
}

const includes = (rows: readonly unknown[], wanted: readonly unknown[]): boolean =>
  wanted.every((row) => rows.some((other) => isDeepStrictEqual(row, other)));

/** Resolves when it has ended or was killed. */
async function migrate(directory: string, tracing: readonly string[]): Promise<void> {
  await promisify(execFile)('strace', [...tracing, process.execPath, migrating, directory]).catch(
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
  const folder = mkdtempSync(join(tmpdir(), 'platen-migration-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
