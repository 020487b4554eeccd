/**
 * The limit of connections at a local listener, and the order in which connections give way when there is one too many
 * (INVARIANTS.md T28). Watchers at a desk come first, then other watchers, then the oldest connection that has had its
 * answer. Next are the oldest without a complete request, and the oldest that is being answered; known callers come
 * last. So the page's commands and the monitoring stay reachable. A crowd of callers cannot keep them out by asking for
 * more, by sending byte by byte, or by not reading.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Disposing ends all connections, including those without a request. */
export interface Room extends Disposable {
  /**
   * A connection with this answer gives way to all others, although the answer never ends. A watcher at a desk also
   * gives way to passers-by.
   */
  looksOn(response: ServerResponse, from: Onlooker): void;
  /** A connection with this answer never gives way. */
  stays(response: ServerResponse): void;
  /**
   * The caller of this request has a pass. Its connection gives way only when all connections without a pass are gone.
   */
  knows(request: IncomingMessage): void;
}

export type Onlooker = 'desk' | 'passer-by';

/** Must be called before the server listens. */
export function limitConnections(server: Server, most: number): Room {
  const room = new CrowdedRoom(most);
  server.on('connection', (socket) => room.enter(socket));
  server.on('request', (request, response) => room.ask(request, response));
  return room;
}

class CrowdedRoom implements Room {
  readonly #most: number;
  readonly #open = new Map<string, Socket>();
  /** The oldest first. */
  readonly #lookingOn: Readonly<Record<Onlooker, Set<string>>> = { desk: new Set(), 'passer-by': new Set() };
  /** Connections that had an answer and ask for no other; the oldest first. */
  readonly #done = new Set<string>();
  /** Connections without a complete request; the oldest first. */
  readonly #silent = new Set<string>();
  /** The oldest first. An answer that the caller does not read never ends. */
  readonly #answered = new Set<string>();
  /** Connections with an unfinished answer, of all kinds. */
  readonly #busy = new Set<string>();
  /** Connections that have shown a pass, whatever they have done since; the oldest first. */
  readonly #known = new Set<string>();
  /** In the order in which they give way. */
  readonly #lists = [
    this.#lookingOn.desk,
    this.#lookingOn['passer-by'],
    this.#done,
    this.#silent,
    this.#answered,
    this.#known,
  ];

  constructor(most: number) {
    this.#most = most;
  }

  enter(socket: Socket): void {
    const name = nameOf(socket);
    // The connection ended before its caller was known.
    if (name === undefined) {
      socket.destroy();
      return;
    }
    this.#open.set(name, socket);
    this.#silent.add(name);
    socket.once('close', () => {
      // The port may belong to another caller by now.
      if (this.#open.get(name) === socket) this.#forget(name);
    });
    if (this.#open.size <= this.#most) return;
    // If all others stay, the new connection gives way.
    const [first = name] = this.#lists.flatMap(([oldest]) => oldest ?? []);
    const gives = this.#open.get(first);
    this.#forget(first);
    gives?.destroy();
  }

  ask(request: IncomingMessage, response: ServerResponse): void {
    const name = nameOf(request.socket);
    if (name === undefined) return;
    // No browser sends the next request before the answer (RFC 9112, 9.3.2), and such answers fill the memory.
    if (this.#busy.has(name)) {
      this.#open.get(name)?.destroy();
      return;
    }
    this.#busy.add(name);
    const begin = (): void => {
      if (this.#done.delete(name) || this.#silent.delete(name)) this.#answered.add(name);
    };
    // Until its body is complete, the request is not complete.
    if (hasBody(request)) request.once('end', begin);
    else begin();
    response.once('close', () => {
      this.#busy.delete(name);
      this.#answered.delete(name);
      if (this.#open.has(name) && !this.#known.has(name)) this.#done.add(name);
    });
  }

  looksOn(response: ServerResponse, from: Onlooker): void {
    const name = nameOf(response.req.socket);
    if (name === undefined || !this.#answered.delete(name)) return;
    this.#lookingOn[from].add(name);
    response.once('close', () => this.#lookingOn[from].delete(name));
  }

  stays(response: ServerResponse): void {
    const name = nameOf(response.req.socket);
    if (name === undefined) return;
    this.#answered.delete(name);
    this.#known.delete(name);
  }

  knows({ socket }: IncomingMessage): void {
    const name = nameOf(socket);
    if (name === undefined || !this.#open.has(name)) return;
    for (const list of this.#lists) list.delete(name);
    this.#known.add(name);
  }

  [Symbol.dispose](): void {
    for (const socket of this.#open.values()) socket.destroy();
  }

  #forget(name: string): void {
    for (const list of [this.#open, this.#busy, ...this.#lists]) list.delete(name);
  }
}

/** By the caller's address and port, because over TLS a request has another socket than its connection. */
const nameOf = ({ localAddress, remoteAddress, remotePort }: Socket): string | undefined =>
  remotePort === undefined ? undefined : `${localAddress} ${remoteAddress} ${remotePort}`;

/** RFC 9112, 6.3. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
