/**
 * The connections to one printer, four at most: over TCP, with TLS where its address is one of `ipps`, or through a
 * domain socket. A connection is made for a request, which may give it up, and serves later ones until it was idle for
 * a while. What goes over it is `http-post.ts`.
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

/** More would not print sooner; small printers have room for few. */
export const mostConnections = 4;

/** A printer that was cut off in the middle of a long job is found out by TCP itself. */
const probeAfter = seconds(60);

export interface PrinterLineOptions {
  readonly address: IppAddress;
  /** Asked for where the address is one of `ipps`. */
  readonly secureContext: () => SecureContext;
  readonly acquaintance: Pick<Acquaintance, 'meet' | 'habits' | 'learn'>;
  /** How the host's name becomes addresses; the system's way unless said. */
  readonly lookup?: LookupFunction | undefined;
  /** A domain socket that is preferred to the address's host and port, whenever it is there. */
  readonly socketPath?: string | undefined;
  readonly clock: Clock;
}

/** A request's own word on how long it wants a connection; it comes back with the request's options. */
export interface ForThisLong {
  readonly over: AbortSignal;
}

type Taker = Parameters<Agent['createConnection']>[1];

/** Whoever closes a connection sooner after an answer, and has not said so, does it after each. */
const hangsUpWithin = seconds(2);

/** A connection that is still open so long after an answer was not about to be closed. */
const provenAfter = milliseconds(250);

/** A connection that was kept for the next request. */
interface Kept {
  readonly since: number;
  readonly goodbye: unknown;
}

/** Node's own agent would count the idle time by a clock of its own, and use a connection that the printer is closing. */
export class PrinterAgent extends Agent {
  readonly #clock: Clock;
  readonly #acquaintance: PrinterLineOptions['acquaintance'];
  readonly #idle = new Map<Duplex, Kept>();
  /** When those in use were kept for the last time. */
  readonly #keptAt = new WeakMap<Duplex, number>();
  /** A connection was seen to stay open after an answer. */
  #staysOpen = false;

  constructor({ clock, acquaintance }: Pick<PrinterLineOptions, 'clock' | 'acquaintance'>) {
    super({ keepAlive: true, keepAliveMsecs: probeAfter, maxSockets: mostConnections });
    this.#clock = clock;
    this.#acquaintance = acquaintance;
  }

  override keepSocketAlive(socket: Duplex): boolean {
    if (this.#acquaintance.habits().hangsUp) return false;
    if (!this.#keptAt.has(socket)) socket.once('close', () => this.#closed(socket));
    const since = this.#clock.monotonic();
    this.#keptAt.set(socket, since);
    this.#idle.set(socket, {
      since,
      goodbye: this.#clock.setTimeout(() => this.#close(socket), idleConnection),
    });
    // Typed as nothing; it is whether the connection is kept.
    return super.keepSocketAlive(socket) as unknown as boolean;
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    const kept = this.#take(socket);
    this.#staysOpen ||= kept !== undefined && this.#clock.monotonic() - kept.since >= provenAfter;
    super.reuseSocket(socket, request);
  }

  override destroy(): void {
    for (const socket of this.#idle.keys()) this.#take(socket);
    super.destroy();
  }

  /** For what is never asked again: a connection that the printer may be closing is none for it. */
  letGoOfUncertain(): void {
    if (this.#staysOpen) return;
    for (const socket of [...this.#idle.keys()]) this.#close(socket);
  }

  /** A request found that the printer had closed the connection, or closed it over the request. */
  brokeOff(socket: Duplex): void {
    const since = this.#keptAt.get(socket);
    if (since !== undefined) this.#hungUp(since);
  }

  #closed(socket: Duplex): void {
    const kept = this.#take(socket);
    if (kept) this.#hungUp(kept.since);
  }

  #hungUp(since: number): void {
    if (this.#clock.monotonic() - since > hangsUpWithin || this.#acquaintance.habits().hangsUp) return;
    this.#staysOpen = false;
    this.#acquaintance.learn({ hangsUp: true });
  }

  #close(socket: Duplex): void {
    this.#take(socket);
    socket.destroy();
  }

  #take(socket: Duplex): Kept | undefined {
    const kept = this.#idle.get(socket);
    this.#idle.delete(socket);
    this.#clock.clearTimeout(kept?.goodbye);
    return kept;
  }
}

export function printerLine(options: PrinterLineOptions): PrinterAgent {
  const open = opener(options);

  async function handOver(socket: Socket, over: AbortSignal, to: Taker): Promise<void> {
    const isSecure = socket instanceof TLSSocket;
    try {
      await once(socket, isSecure ? 'secureConnect' : 'connect', { signal: over });
      // At every connection anew: none goes on from an earlier one.
      if (isSecure) meet(socket, options.acquaintance);
    } catch (cause) {
      socket.destroy();
      to?.(over.aborted ? (over.reason as Error) : (cause as Error), socket);
      return;
    }
    to?.(null, socket);
  }

  const agent = new PrinterAgent(options);
  // Node's own way to make a connection that is handed over later than it is asked for.
  agent.createConnection = (request, taker) => {
    const socket = open();
    // Whoever uses it hears of faults by other ways; one that comes between two users ends the socket and nothing else.
    socket.on('error', () => {});
    void handOver(socket, overOf(request), taker);
    return undefined;
  };
  return agent;
}

/** The domain socket is looked for at each connection: the spooler may start after us. */
function opener({ address, secureContext, lookup, socketPath }: PrinterLineOptions): () => Socket {
  const { hostname, port, protocol } = new URL(address.origin);
  const host = hostname.replace(/^\[|\]$/g, '');
  const tcp = {
    host,
    // A port that is usual for HTTP is no part of an origin.
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
            // It is judged when the connection stands.
            rejectUnauthorized: false,
          })
      : () => connect(tcp);
  return () =>
    socketPath !== undefined && existsSync(socketPath) ? connect({ path: socketPath }) : byHost();
}

/** Goes on when the printer at the other end is the one it should be. */
function meet(socket: TLSSocket, acquaintance: PrinterLineOptions['acquaintance']): void {
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
