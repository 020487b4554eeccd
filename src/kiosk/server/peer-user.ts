/**
 * Whether a caller is the kiosk's own user of this machine (INVARIANTS.md D11, T03), so that a stolen cookie is worth
 * nothing to others. Linux tells it in /proc/self/net/tcp (proc(5)), whose rows name the owner of each socket. Whoever
 * is not found there is refused, and so is root: uid 0 also stands for an owner who has closed the socket.
 */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';
import type { Log } from '../../core/log.ts';
import { Problem } from '../../domain/problem/problem.ts';

export interface PeerUser {
  /** Looked up once for each connection. */
  isAt(socket: Socket): Promise<boolean>;
}

// What an IPv6 socket does over IPv4 stands in the second one.
const paths = ['/proc/self/net/tcp', '/proc/self/net/tcp6'] as const;
/** What the kernel gives at a time, seq_file.c; room for more would only be thrown away. */
const pieceBytes = 4096;
const established = '01';
/** Everybody who has no number in a user namespace (user_namespaces(7)). */
const nobody = 65_534;

/** Rejects `config-invalid` where the user's connections cannot be told from those of others. */
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
    // Twice: the kernel gives a table in pieces, and a row may slip through between two of them.
    for (const read of [...tables, ...tables]) {
      const owners = ownersIn(await read(), row);
      if (owners.length > 0) return owners;
    }
    return [];
  }

  async function lookUp(socket: Socket): Promise<boolean> {
    const owners = await ownersOf(socket);
    // The port of a caller who is gone may be somebody else's by now.
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

/** By the lines of uid_map: first number here, first number outside, how many. */
export const hasNumber = (uid: number, map: string): boolean =>
  uid !== nobody &&
  map
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .some(([first = 0, , count = 0]) => first <= uid && uid < first + count);

/**
 * The rows of the connections that are open; none where the table cannot be read. The others stay there for a minute after
 * their end: whoever connects again and again leaves 100,000 of them, and they are not kept, nor looked through by anybody.
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

/** Whoever comes while it runs shares the next run, which sees what was there when they came. */
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

/** The caller's end of the connection, as its row begins in either table; the other row is our own end. */
function rowOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string | undefined {
  const caller = endOf(remoteAddress, remotePort);
  const own = endOf(localAddress, localPort);
  return caller && own && `(?:${mapped})?${caller} (?:${mapped})?${own} ${established} `;
}

const ownersIn = (table: string, row: string): readonly number[] =>
  [...table.matchAll(new RegExp(`: ${row}\\S+ \\S+ \\S+ +(\\d+) `, 'g'))].map(([, uid]) => Number(uid));

/** Addresses are words of 32 bits in the machine's own order; loopback of IPv6 is one address only. */
function endOf(address = '', port = 0): string | undefined {
  const bytes = address.split('.').map(Number);
  const words =
    address === '::1' ? [0, 0, 0, 1] : bytes.length === 4 ? [Buffer.from(bytes).readUInt32BE()] : undefined;
  const inHex = port.toString(16).toUpperCase().padStart(4, '0');
  return words && `${words.map(wordInHex).join('')}:${inHex}`;
}

function wordInHex(word: number): string {
  const bytes = Buffer.alloc(4);
  if (endianness() === 'LE') bytes.writeUInt32LE(word);
  else bytes.writeUInt32BE(word);
  return bytes.toString('hex').toUpperCase();
}

/** RFC 4291, 2.5.5.2: an IPv4 address as one of IPv6. */
const mapped = [0, 0, 0xffff].map(wordInHex).join('');
