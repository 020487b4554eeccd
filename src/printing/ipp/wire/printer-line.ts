/**
 * The connections to one printer, at most four: over TCP, with TLS for an `ipps` address, or through a domain socket. A
 * connection is made for a request and serves later requests until it was idle for a while. `http-post.ts` writes on
 * it.
 */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { ClientRequest, ClientRequestArgs } from 'node:http';
import { Agent } from 'node:http';
import type { LookupFunction, Socket } from 'node:net';
import { connect, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { connect as connectTls, TLSSocket } from 'node:tls';
import type { Clock } from '../../../core/clock.ts';
import { milliseconds, seconds } from '../../../core/duration.ts';
import { asProblem } from '../../../domain/problem/problem.ts';
import type { Acquaintance } from './acquaintance.ts';
import type { IppAddress } from './ipp-address.ts';
import { idleConnection } from '../../timings.ts';

/** More would not print sooner, and small printers allow only a few. */
export const mostConnections = 4;

/** TCP itself finds out if the printer was cut off during a long job. */
const probeAfter = seconds(60);

export interface PrinterLineDeps {
  readonly address: IppAddress;
  /** Called for an `ipps` address. */
  readonly secureContext: () => SecureContext;
  readonly acquaintance: Pick<Acquaintance, 'meet' | 'habits' | 'learn'>;
  /** The name look-up for the host; the system's unless set. */
  readonly lookup?: LookupFunction | undefined;
  /** A domain socket that is preferred to the address's host and port whenever it exists. */
  readonly socketPath?: string | undefined;
  readonly clock: Clock;
}

/** How long a request wants a connection; Node passes this back with the request's options. */
export interface ForThisLong {
  readonly over: AbortSignal;
}

type Taker = Parameters<Agent['createConnection']>[1];

/** If a printer closes a connection this soon after an answer without announcing it, it does so after every answer. */
const hangsUpWithin = seconds(2);

/** If a connection is still open this long after an answer, the printer was not about to close it. */
const provenAfter = milliseconds(250);

/**
 * Node's own agent measures idle time with another clock, and reuses a connection that the printer is about to close.
 */
export class PrinterAgent extends Agent {
  readonly #clock: Clock;
  readonly #acquaintance: PrinterLineDeps['acquaintance'];
  /** Connections that wait for the next request, each with the timer that will close it. */
  readonly #idle = new Map<Duplex, unknown>();
  /** When each connection became idle for the last time. */
  readonly #idleSince = new WeakMap<Duplex, number>();
  /** A connection was seen to stay open after an answer. */
  #staysOpen = false;

  constructor({ clock, acquaintance }: Pick<PrinterLineDeps, 'clock' | 'acquaintance'>) {
    super({ keepAlive: true, keepAliveMsecs: probeAfter, maxSockets: mostConnections });
    this.#clock = clock;
    this.#acquaintance = acquaintance;
  }

  override keepSocketAlive(socket: Duplex): boolean {
    if (this.#acquaintance.habits().hangsUp) return false;
    if (!this.#idleSince.has(socket)) {
      socket.once('close', () => {
        // A connection that we close ourselves is no longer in this map.
        if (this.#idle.has(socket)) this.brokeOff(socket);
        this.#use(socket);
      });
    }
    this.#idleSince.set(socket, this.#clock.monotonic());
    this.#idle.set(
      socket,
      this.#clock.setTimeout(() => this.#close(socket), idleConnection),
    );
    // Its type says void, but Node returns whether it keeps the connection.
    return super.keepSocketAlive(socket) as unknown as boolean;
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    this.#staysOpen ||= this.#idleFor(socket) >= provenAfter;
    this.#use(socket);
    super.reuseSocket(socket, request);
  }

  override destroy(): void {
    for (const socket of [...this.#idle.keys()]) this.#use(socket);
    super.destroy();
  }

  /** Before a request that must not be repeated: closes the idle connections that the printer may be about to close. */
  letGoOfUncertain(): void {
    if (this.#staysOpen) return;
    for (const socket of [...this.#idle.keys()]) this.#close(socket);
  }

  /** The printer has closed this connection without announcing it. */
  brokeOff(socket: Duplex): void {
    if (this.#idleFor(socket) > hangsUpWithin || this.#acquaintance.habits().hangsUp) return;
    this.#staysOpen = false;
    try {
      this.#acquaintance.learn({ hangsUp: true });
    } catch {
      // It stays known until the next start. Another place reports a memory that cannot be written.
    }
  }

  #idleFor(socket: Duplex): number {
    return this.#clock.monotonic() - (this.#idleSince.get(socket) ?? Number.NEGATIVE_INFINITY);
  }

  #close(socket: Duplex): void {
    this.#use(socket);
    socket.destroy();
  }

  #use(socket: Duplex): void {
    this.#clock.clearTimeout(this.#idle.get(socket));
    this.#idle.delete(socket);
  }
}

export function printerLine(deps: PrinterLineDeps): PrinterAgent {
  const open = opener(deps);

  async function handOver(socket: Socket, over: AbortSignal, to: Taker): Promise<void> {
    const isSecure = socket instanceof TLSSocket;
    try {
      await once(socket, isSecure ? 'secureConnect' : 'connect', { signal: over });
      // At every new connection: no TLS session is resumed.
      if (isSecure) meet(socket, deps.acquaintance);
    } catch (cause) {
      socket.destroy();
      to?.(over.aborted ? (over.reason as Error) : (cause as Error), socket);
      return;
    }
    to?.(null, socket);
  }

  const agent = new PrinterAgent(deps);
  // Node's way to hand a connection over later than it is asked for.
  agent.createConnection = (request, taker) => {
    const socket = open();
    // The user of the connection learns of errors in other ways. An error between two users only ends the socket.
    socket.on('error', () => {});
    void handOver(socket, overOf(request), taker);
    return undefined;
  };
  return agent;
}

/** The domain socket is looked for at each connection, because the spooler may start after us. */
function opener({ address, secureContext, lookup, socketPath }: PrinterLineDeps): () => Socket {
  const { hostname, port, protocol } = new URL(address.origin);
  const host = hostname.replace(/^\[|\]$/g, '');
  const tcp = {
    host,
    // `URL` leaves out the usual port of HTTP.
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: probeAfter,
    ...(lookup ? { lookup } : {}),
  };
  const byHost =
    protocol === 'https:'
      ? () =>
          connectTls({
            ...tcp,
            secureContext: secureContext(),
            servername: isIP(host) === 0 ? host : '',
            ALPNProtocols: ['http/1.1'],
            // The certificate is judged after the connection is made.
            rejectUnauthorized: false,
          })
      : () => connect(tcp);
  return () =>
    socketPath !== undefined && existsSync(socketPath) ? connect({ path: socketPath }) : byHost();
}

/** Throws unless the printer at the other end is the right one. */
function meet(socket: TLSSocket, acquaintance: PrinterLineDeps['acquaintance']): void {
  try {
    acquaintance.meet(socket);
  } catch (refusal) {
    throw asProblem(refusal, 'printer-unreachable', 'the printer could not be recognised');
  }
}

function overOf(request: ClientRequestArgs): AbortSignal {
  if ('over' in request && request.over instanceof AbortSignal) return request.over;
  throw new TypeError('a request without its end asked for a connection');
}
