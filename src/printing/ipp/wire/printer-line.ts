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
import { seconds } from '../../../core/duration.ts';
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
  readonly acquaintance: Pick<Acquaintance, 'meet'>;
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

/** Node's own agent would count the idle time by a clock of its own. */
class PrinterAgent extends Agent {
  readonly #clock: Clock;
  readonly #goodbyes = new WeakMap<Duplex, unknown>();

  constructor(clock: Clock) {
    super({ keepAlive: true, keepAliveMsecs: probeAfter, maxSockets: mostConnections });
    this.#clock = clock;
  }

  override keepSocketAlive(socket: Duplex): void {
    if (!this.#goodbyes.has(socket)) socket.once('close', () => this.#stay(socket));
    this.#goodbyes.set(
      socket,
      this.#clock.setTimeout(() => socket.destroy(), idleConnection),
    );
    return super.keepSocketAlive(socket);
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    this.#stay(socket);
    super.reuseSocket(socket, request);
  }

  #stay(socket: Duplex): void {
    this.#clock.clearTimeout(this.#goodbyes.get(socket));
  }
}

export function printerLine(options: PrinterLineOptions): Agent {
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

  const agent = new PrinterAgent(options.clock);
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
