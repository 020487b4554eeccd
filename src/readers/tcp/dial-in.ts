/**
 * The listening sockets for network readers that dial in (`tcp-listen`): one per address, shared by all its readers and
 * terminals. A caller is identified by its source address or its hello line. An unexpected caller is refused before its
 * data is read (INVARIANTS.md T10). Data of a caller is never logged, because it may be a badge.
 */
import type { Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { AddressSet } from '../../core/address-set.ts';
import type { Clock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import type { Log } from '../../core/log.ts';
import { aborted } from '../../core/service.ts';
import type { Place } from './tcp-connect.ts';

/**
 * Limit for callers of one address that have not sent their hello line. Each expected reader has one more connection.
 */
const mostUnknown = 16;
const refusalsToldEvery = seconds(10);

interface ExpectedReader {
  readonly from: SourceAddresses;
  /** Needed if several readers come from the same address. */
  readonly hello: string | undefined;
  /** `head` is the data that came together with the hello line. */
  onConnection(socket: Socket, head: Uint8Array): void;
}

export interface DialIn {
  /**
   * Listens, calls `onListening` and passes connections to this reader. Resolves when the signal aborts. Rejects when
   * the agent cannot listen on the address.
   */
  expect(
    expected: { readonly place: Place; readonly reader: ExpectedReader; onListening(): void },
    signal: AbortSignal,
  ): Promise<void>;
}

interface Door {
  readonly readers: Set<ExpectedReader>;
  readonly listening: Promise<void>;
  close(): Promise<void>;
}

export function createDialIn(tools: { readonly clock: Clock; readonly log: Log }): DialIn {
  const doors = new Map<string, Door>();

  return {
    async expect({ place, reader, onListening }, signal) {
      const key = `${place.host} ${place.port}`;
      const door = doors.get(key) ?? openDoor(place, tools);
      doors.set(key, door);
      door.readers.add(reader);
      try {
        await door.listening;
        if (!signal.aborted) onListening();
        await aborted(signal);
      } finally {
        door.readers.delete(reader);
        if (door.readers.size === 0) {
          if (doors.get(key) === door) doors.delete(key);
          await door.close();
        }
      }
    },
  };
}

function openDoor(place: Place, { clock, log }: { readonly clock: Clock; readonly log: Log }): Door {
  const readers = new Set<ExpectedReader>();
  const unknown = new Set<Socket>();
  const tellRefusal = refusalTeller(place, { clock, log });

  async function answer(socket: Socket): Promise<void> {
    // An error without a listener would end the process.
    socket.on('error', () => {});
    const source = socket.remoteAddress ?? '';
    const refuse = (reason: string): void => {
      socket.destroy();
      tellRefusal({ source, reason });
    };
    const candidates = [...readers].filter(({ from }) => from.has(source));
    const nameless = candidates.find(({ hello }) => hello === undefined);
    if (candidates.length === 0) return refuse('no reader is expected from this address');
    if (nameless) return nameless.onConnection(socket, new Uint8Array());
    if (unknown.size >= mostUnknown) return refuse('too many callers have not said who they are');

    unknown.add(socket);
    const greeting = await readGreeting(socket, clock);
    unknown.delete(socket);
    const known = candidates.find((one) => one.hello === greeting?.hello && readers.has(one));
    if (!greeting) refuse('no hello line came');
    else if (!known) refuse('no reader of this address has such a hello line');
    else known.onConnection(socket, greeting.head);
  }

  const server = createServer((socket) => void answer(socket));
  return {
    readers,
    listening: listening(server, place),
    close() {
      for (const socket of unknown) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const listening = (server: Server, { host, port }: Place): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      // accept() may fail, for example without free descriptors. A later caller can still succeed, so this is no reason
      // to stop.
      server.on('error', () => {});
      resolve();
    });
  });

/** A caller that connects a thousand times a second must not fill the disk with log lines. */
function refusalTeller(
  { host, port }: Place,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): (refusal: { source: string; reason: string }) => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  let unreported = 0;
  return (refusal) => {
    const at = clock.monotonic();
    if (at - toldAt < refusalsToldEvery) {
      unreported += 1;
      return;
    }
    log.warn('reader refused', { listen: `${host}:${port}`, ...refusal, unreported });
    toldAt = at;
    unreported = 0;
  };
}

/**
 * Limit of the hello line in bytes. A reader sends this line before its first badge to say which reader it is. The line
 * is not a secret and proves nothing.
 */
const longestHello = 256;
const patience = seconds(5);
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** `head` is the data after the line. It belongs to the reader. */
interface Greeting {
  readonly hello: string;
  readonly head: Uint8Array;
}

/** The first line that is not empty; `undefined` if none comes within 5 s or 256 bytes, or if the caller goes. */
function readGreeting(socket: Socket, clock: Clock): Promise<Greeting | undefined> {
  const { promise, resolve } = Promise.withResolvers<Greeting | undefined>();
  let heard = Buffer.alloc(0);

  const hear = (bytes: Buffer): void => {
    heard = Buffer.concat([heard, bytes]);
    heard = heard.subarray(Math.max(0, heard.findIndex(isNoLineEnd)));
    const end = isNoLineEnd(heard[0]) ? heard.findIndex(isLineEnd) : -1;
    if (end >= 0) settle({ hello: heard.toString('latin1', 0, end), head: heard.subarray(end + 1) });
    else if (heard.length > longestHello) settle(undefined);
  };
  const gone = (): void => settle(undefined);
  const timer = clock.setTimeout(gone, patience);

  function settle(greeting: Greeting | undefined): void {
    clock.clearTimeout(timer);
    socket.off('data', hear).off('close', gone).off('end', gone);
    socket.pause();
    resolve(greeting);
  }

  socket.on('data', hear).once('close', gone).once('end', gone);
  return promise;
}

const isLineEnd = (byte: number | undefined): boolean => byte === lineFeed || byte === carriageReturn;
const isNoLineEnd = (byte: number | undefined): boolean => byte !== undefined && !isLineEnd(byte);

const thisMachine = ['127.0.0.0/8', '::1'];

interface SourceAddresses {
  /** `address` as a socket reports it: `10.0.0.21`, `::ffff:10.0.0.21`. */
  has(address: string): boolean;
}

/**
 * The addresses from which a reader may dial in: those of the configuration, otherwise only this machine. Takes
 * addresses and networks: `10.0.0.21`, `10.0.7.0/24`.
 */
export function sourceAddresses(from: readonly string[]): SourceAddresses {
  const set = new AddressSet(from.length > 0 ? from : thisMachine);
  // A socket for both families reports an IPv4 address in IPv6 form.
  return { has: (address) => set.has(address.replace(/^::ffff:(?=\d+\.)/i, '')) };
}
