/**
 * A private PostgreSQL to try a fleet with. It has its own folder and port, and it is durable by default (fsync on). It
 * runs as a user other than root, because PostgreSQL refuses root.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '../core/clock.ts';
import { seconds } from '../core/duration.ts';

export interface PostgresCluster {
  readonly folder: string;
  readonly port: number;
  /** For the database `postgres` and the superuser `platen`. */
  readonly url: string;
  /** The command that starts the server in the foreground. */
  serverWith(settings: readonly string[]): Command;
}

type Command = readonly [program: string, args: readonly string[]];

export interface PrivatePostgres extends AsyncDisposable {
  readonly url: string;
}

/** The newest version in Debian's folders. */
export const findPostgres = (): string | undefined =>
  globSync('/usr/lib/postgresql/{15,16,17,18,19}/bin/postgres').toSorted().at(-1);

export async function makeCluster(program: string, password: string): Promise<PostgresCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-postgres-'));
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password);
  if (isRoot()) await chown(folder, await idOf('-u'), await idOf('-g'));
  const [name, args] = asUnprivileged(join(dirname(program), 'initdb'), [
    '-D',
    data,
    '-U',
    'platen',
    '-A',
    'scram-sha-256',
    '--pwfile',
    passwordFile,
    '-E',
    'UTF8',
    '--no-locale',
    '--no-sync',
  ]);
  await run(name, [...args]);
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

/** Time for an orderly stop. */
const patience = seconds(5);

/** Resolves when the server accepts connections. The server ends with this process, even if the process is killed. */
export async function startPrivatePostgres(program: string, password: string): Promise<PrivatePostgres> {
  await using opening = new AsyncDisposableStack();
  const cluster = await makeCluster(program, password);
  opening.defer(() => rm(cluster.folder, { recursive: true, force: true }));
  const [name, args] = cluster.serverWith([]);
  // Clients may keep connections open, so a fast shutdown is used (pg_ctl(1)).
  const server = spawn('setpriv', ['--pdeathsig=INT', name, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(server, 'close');
  opening.defer(async () => {
    server.kill('SIGINT');
    await Promise.race([ended, systemClock.sleep(patience)]);
    server.kill('SIGKILL');
  });
  let said = '';
  const isReady = new Promise<void>((resolve) => {
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('ready to accept connections')) resolve();
    });
  });
  const hasFailed = ended.then(() => Promise.reject(new Error(`PostgreSQL did not start: ${said.trim()}`)));
  await Promise.race([isReady, hasFailed]);
  hasFailed.catch(() => {});
  const open = opening.move();
  return { url: cluster.url, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

const run = promisify(execFile);
const isRoot = (): boolean => process.getuid?.() === 0;
const idOf = async (flag: '-u' | '-g'): Promise<number> => Number((await run('id', [flag, 'nobody'])).stdout);

export const asUnprivileged = (program: string, args: readonly string[]): Command =>
  isRoot()
    ? ['setpriv', ['--reuid=nobody', '--regid=nogroup', '--clear-groups', program, ...args]]
    : [program, args];

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
