/**
 * Checks that a caller is the kiosk's own user of this machine, so that a stolen cookie is worthless to others
 * (INVARIANTS.md D11, T03). On Linux the rows of /proc/self/net/tcp name the owner of each socket (proc(5)). A caller
 * that is not found is refused. Root is refused too, because uid 0 also stands for an owner who has closed the socket.
 */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tableMapped, tablePort, tableWord } from '../../core/tcp-table.ts';
import type { Log } from '../../core/log.ts';
import { Problem } from '../../domain/problem/problem.ts';

export interface PeerUser {
  /** The result is looked up once per connection. */
  isAt(socket: Socket): Promise<boolean>;
}

// The second file has the IPv4 connections of IPv6 sockets.
const paths = ['/proc/self/net/tcp', '/proc/self/net/tcp6'] as const;
/** The kernel gives this many bytes per read (seq_file.c). A larger buffer would not be filled. */
const pieceBytes = 4096;
const established = '01';
/** Stands for all users without a number in a user namespace (user_namespaces(7)). */
const nobody = 65_534;

/** Rejects `config-invalid` if the connections of this user cannot be distinguished from those of other users. */
export async function createPeerUser({ uid, log }: { uid: number; log: Log }): Promise<PeerUser> {
  const map = await readFile('/proc/self/uid_map', 'utf8').catch((cause: unknown) => {
    throw new Problem('config-invalid', 'kiosk.user: only Linux can show the user of a connection', {
      cause,
    });
  });
  if (!hasNumber(uid, map)) {
    const why = 'the user nobody is never possible, and other users need a unit with PrivateUsers=no';
    throw new Problem(
      'config-invalid',
      `kiosk.user: Platen cannot distinguish uid ${uid} from other users: ${why}`,
    );
  }
  const tables = paths.map((path) => oneAtATime(() => openConnections(path)));
  const answers = new WeakMap<Socket, Promise<boolean>>();

  async function ownersOf(socket: Socket): Promise<readonly number[]> {
    const row = rowOf(socket);
    if (row === undefined) return [];
    // Each table is read twice, because the kernel gives it in pieces and a row may be missed between two pieces.
    for (const read of [...tables, ...tables]) {
      const owners = ownersIn(await read(), row);
      if (owners.length > 0) return owners;
    }
    return [];
  }

  async function lookUp(socket: Socket): Promise<boolean> {
    const owners = await ownersOf(socket);
    // If the caller has gone, its port may already belong to another user.
    const isUser = !socket.destroyed && owners.length > 0 && owners.every((owner) => owner === uid);
    if (!isUser) log.warn('kiosk caller refused', { uid: owners[0] });
    return isUser;
  }

  return {
    isAt(socket) {
      const answer = answers.get(socket) ?? lookUp(socket);
      answers.set(socket, answer);
      return answer;
    },
  };
}

/** Each line of uid_map has the first number inside, the first number outside, and the count. */
export const hasNumber = (uid: number, map: string): boolean =>
  uid !== nobody &&
  map
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .some(([first = 0, , count = 0]) => first <= uid && uid < first + count);

/**
 * The rows of open connections; none if the table cannot be read. Closed connections stay in the table for a minute. A
 * caller that connects repeatedly leaves 100,000 of them, so they are dropped at once.
 */
export async function openConnections(path: string): Promise<string> {
  const rows: string[] = [];
  let rest = '';
  try {
    for await (const piece of createReadStream(path, { encoding: 'latin1', highWaterMark: pieceBytes })) {
      const lines = (rest + String(piece)).split('\n');
      rest = lines.pop() ?? '';
      rows.push(...lines.filter(isOpen));
    }
  } catch {
    return '';
  }
  return rows.join('\n');
}

const isOpen = (row: string): boolean => row.trim().split(/ +/, 4)[3] === established;

/** Calls during a run share the next run, which sees the state at the time of their call. */
function oneAtATime<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let latest: Promise<unknown> = Promise.resolve();
  let next: Promise<Result> | undefined;
  return () => {
    next ??= latest.then(() => {
      next = undefined;
      return run();
    });
    latest = next;
    return next;
  };
}

/** The beginning of the caller's row in either table. The other row of the connection is the agent's own end. */
function rowOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string | undefined {
  const caller = endOf(remoteAddress, remotePort);
  const own = endOf(localAddress, localPort);
  return caller && own && `(?:${tableMapped})?${caller} (?:${tableMapped})?${own} ${established} `;
}

const ownersIn = (table: string, row: string): readonly number[] =>
  [...table.matchAll(new RegExp(`: ${row}\\S+ \\S+ \\S+ +(\\d+) `, 'g'))].map(([, uid]) => Number(uid));

/** Addresses are 32-bit words in the byte order of the machine. For IPv6, only the loopback address occurs. */
function endOf(address = '', port = 0): string | undefined {
  const bytes = address.split('.').map(Number);
  const words =
    address === '::1' ? [0, 0, 0, 1] : bytes.length === 4 ? [Buffer.from(bytes).readUInt32BE()] : undefined;
  return words && `${words.map(tableWord).join('')}:${tablePort(port)}`;
}
