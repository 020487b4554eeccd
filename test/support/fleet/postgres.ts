/**
 * A private PostgreSQL for a test, which can be stopped, killed, paused and asked. Its suite says `needsPostgres()(…)`.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { chown, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { NetConnectOpts } from 'node:net';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { PostgresCluster } from '../../../src/simulator/private-postgres.ts';
import { asUnprivileged, findPostgres, makeCluster } from '../../../src/simulator/private-postgres.ts';
import { needsPeer } from '../needs.ts';
import type { PeerProcess } from '../process-group.ts';
import { startProcess, whenReady } from '../process-group.ts';
import { freePort } from '../ports.ts';
import { eventually } from '../patience.ts';

const run = promisify(execFile);
const program = findPostgres() ?? '/usr/lib/postgresql/15/bin/postgres';

/** `describe` for a suite that needs one. */
export const needsPostgres = () => needsPeer(program, 'postgresql-15');

export interface Postgres extends AsyncDisposable {
  /** Of the database `postgres`, for the superuser `platen`. */
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  /** The URL of a new and empty database. */
  newDatabase(): Promise<string>;
  /** As the superuser, on a connection of its own, in the database of the URL. */
  query(text: string, url?: string): Promise<readonly Record<string, unknown>[]>;
  /** In order, with all connections closed. */
  stop(): Promise<void>;
  /** SIGKILL to all of its processes. */
  kill(): Promise<void>;
  /** After `stop` or `kill`; resolves when it takes connections. Settings are added to those of before. */
  start(settings?: readonly string[]): Promise<void>;
  /** Where it has ended by itself, or is about to; resolves when it takes connections. */
  revive(): Promise<void>;
  /** SIGSTOP to all of its processes: the lines stand, and nobody answers. */
  pause(): void;
  resume(): void;
  /** A database as it is now, by pg_dump(1). */
  dump(url: string): Promise<Dump>;
  /** In the place of that database, as the guide has it: restored under another name, and renamed. */
  restore(dump: Dump, url: string): Promise<void>;
  /** Its state as it is now, by pg_basebackup(1). */
  copy(): Promise<Copy>;
  /**
   * After `stop` or `kill`, from such a copy and at the same address: as the restore of an old backup, or as a standby
   * that was cut off from its primary since, and is promoted.
   */
  startFrom(copy: Copy, as: 'restored' | 'promoted'): Promise<void>;
}

export type Dump = string & { readonly of: 'a database' };
export type Copy = string & { readonly of: 'a data directory' };

export const password = 'a password';

/**
 * One whose members have beaten for an hour as soon as they beat: who has not for half a minute settles nothing of others,
 * and no test has to wait for that.
 */
export async function startSettledPostgres(settings: readonly string[] = []): Promise<Postgres> {
  const postgres = await startPostgres(settings);
  const template = postgres.url.replace(/postgres$/, 'template1');
  await postgres.query(beatingForLong, template);
  await postgres.query(
    `CREATE FUNCTION public.settle_fleet() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
       IF to_regclass('platen.member') IS NOT NULL THEN ${settledBeats}; END IF;
     END $$;
     CREATE EVENT TRIGGER settled ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION public.settle_fleet()`,
    template,
  );
  return postgres;
}

const beatingForLong = `
  CREATE OR REPLACE FUNCTION public.beating_for_long() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    NEW.beating_since := NEW.beat_at - interval '1 hour';
    RETURN NEW;
  END $$`;
const settledBeats = `CREATE OR REPLACE TRIGGER settled BEFORE INSERT OR UPDATE ON platen.member FOR EACH ROW
  WHEN (NEW.beating_since IS NOT NULL) EXECUTE FUNCTION public.beating_for_long()`;

/** The statements by which a fleet is made a settled one from its next beats on, and one as any other again. */
export const settled = `${beatingForLong}; ${settledBeats}`;
export const unsettled = 'DROP TRIGGER settled ON platen.member';

/**
 * `enter`: begins the command that starts it in a network of its own, where it is asked by its socket. `mount`: a disk of
 * its own over its empty folder.
 */
export async function startPostgres(
  settings: readonly string[] = [],
  enter: readonly string[] = [],
  mount?: (folder: string) => Disposable,
): Promise<Postgres> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-postgres-'));
  const disk = mount?.(folder);
  const postgres = await launch(await copyCluster(folder), settings, enter);
  return {
    ...postgres,
    async [Symbol.asyncDispose]() {
      await postgres.kill();
      disk?.[Symbol.dispose]();
      await postgres[Symbol.asyncDispose]();
    },
  };
}

let original: Promise<PostgresCluster> | undefined;

/** One that this process has made once: initdb takes a second and more. */
async function copyCluster(folder: string): Promise<PostgresCluster> {
  original ??= makeOriginal();
  const { folder: from } = await original;
  const { uid, gid } = await stat(from);
  await chown(folder, uid, gid);
  const data = join(folder, 'data');
  await run('cp', ['-a', '--reflink=auto', join(from, 'data'), data]);
  const port = await freePort();
  const own = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`];
  return {
    folder,
    port,
    url: `postgresql://platen:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`,
    serverWith: (settings) =>
      asUnprivileged(program, ['-D', data, ...[...own, ...settings].flatMap((one) => ['-c', one])]),
  };
}

async function makeOriginal(): Promise<PostgresCluster> {
  const made = await makeCluster(program, password);
  process.once('exit', () => rmSync(made.folder, { recursive: true, force: true }));
  return made;
}

async function launch(
  cluster: PostgresCluster,
  atFirst: readonly string[],
  enter: readonly string[],
): Promise<Postgres> {
  const { folder, port, url } = cluster;
  const isElsewhere = enter.length > 0;
  const reached = (at: string) => (isElsewhere ? `${at}?host=${folder}` : at);
  const listens = isElsewhere ? { path: join(folder, `.s.PGSQL.${port}`) } : { port, host: '127.0.0.1' };
  // As files of its own folder: what a killed server leaves in the machine's shared memory nobody takes away.
  let settings = ['dynamic_shared_memory_type=mmap', ...atFirst];
  let server: PeerProcess | undefined;
  let databases = 0;

  async function start(more: readonly string[] = []): Promise<void> {
    settings = [...settings, ...more];
    const [name, args] = cluster.serverWith(settings);
    const [first = name, ...rest] = [...enter, name, ...args];
    const started = await startProcess(first, rest, { PATH: `${process.env['PATH']}:/usr/sbin:/sbin` });
    server = started;
    await whenReady('PostgreSQL', () => query('SELECT 1', url), started);
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = server;
    if (!ending || ending.hasExited()) return;
    toFamily(ending.pid, 'SIGCONT');
    // Those that a dead server leaves behind end by themselves, but not while they stand still.
    if (signal === 'SIGKILL') toFamily(ending.pid, signal);
    else ending.signal(signal);
    await ending.exited;
    // After SIGKILL its children go by themselves, and the port with the last of them.
    await eventually(async () => {
      if (await answers(listens)) throw new Error('somebody still listens');
    });
  }
  async function query(text: string, at = url): Promise<readonly Record<string, unknown>[]> {
    const client = new Client({ connectionString: reached(at) });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }
  await start();
  const data = join(folder, 'data');
  let copies = 0;
  let dumps = 0;
  return {
    url,
    port,
    folder,
    query,
    start,
    async dump(database) {
      dumps += 1;
      const to = join(folder, `dump-${dumps}`);
      await run(join(dirname(program), 'pg_dump'), ['-Fc', '-d', reached(database), '-f', to]);
      return to as Dump;
    },
    async restore(dump, database) {
      const name = new URL(database).pathname.slice(1);
      const restored = `${name}_restored`;
      const [row] = await query(
        `SELECT pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = '${name}'`,
      );
      await query(`CREATE DATABASE ${restored} OWNER ${String(row?.['owner'])}`);
      const into = reached(database.replace(name, restored));
      const wholly = ['--exit-on-error', '--single-transaction'];
      await run(join(dirname(program), 'pg_restore'), [...wholly, '-d', into, dump]);
      await query(`DROP DATABASE ${name} WITH (FORCE)`);
      await query(`ALTER DATABASE ${restored} RENAME TO ${name}`);
      await rm(dump);
    },
    async copy() {
      copies += 1;
      const to = join(folder, `copy-${copies}`);
      const source = ['-d', reached(url), '-c', 'fast', '-X', 'stream', '--no-sync'];
      const [name, args] = asUnprivileged(join(dirname(program), 'pg_basebackup'), ['-D', to, ...source]);
      await run(name, [...args]);
      return to as Copy;
    },
    async startFrom(copy, as) {
      await rm(data, { recursive: true });
      await rename(copy, data);
      if (as === 'promoted') await writeFile(join(data, 'standby.signal'), '');
      await start();
      if (as === 'promoted') await query('SELECT pg_promote()');
    },
    async newDatabase() {
      databases += 1;
      const name = `fleet_${databases}`;
      await query(`CREATE DATABASE ${name}`);
      return url.replace(/postgres$/, name);
    },
    // Fast shutdown, pg_ctl(1).
    stop: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
    revive: () =>
      eventually(async () => {
        if (server?.hasExited()) await start();
        else await query('SELECT 1');
      }),
    pause: () => server && toFamily(server.pid, 'SIGSTOP'),
    resume: () => server && toFamily(server.pid, 'SIGCONT'),
    async [Symbol.asyncDispose]() {
      await end('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Each of its processes is the leader of a group of its own. */
function toFamily(pid: number, signal: NodeJS.Signals): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean);
  for (const one of [pid, ...children.map(Number)]) {
    try {
      process.kill(one, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

async function answers(address: NetConnectOpts): Promise<boolean> {
  const socket = connect(address);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
