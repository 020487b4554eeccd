/**
 * How many connections a local listener has at once, and who gives way when there is one too many (INVARIANTS.md T28):
 * first those who look on from a desk, then others who only look on, then the oldest that has had its answer, then the
 * oldest that has brought out no request, then the oldest that is being answered, and last those that are known, so that no
 * crowd of callers that ask for more, drip, or do not read keeps the page's commands, or the monitoring, out.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Disposing cuts all, those too that have not come as far as a request. */
export interface Room extends Disposable {
  /** Whoever gets this answer gives way to everybody, though it has no end; from a desk, to passers-by too. */
  looksOn(response: ServerResponse, from: Onlooker): void;
  /** Whoever gets this answer gives way to nobody. */
  stays(response: ServerResponse): void;
  /** Whoever asks so has a pass: their connection gives way when all that have none are gone. */
  knows(request: IncomingMessage): void;
}

export type Onlooker = 'desk' | 'passer-by';

/** To be called before the server listens. */
export function limitConnections(server: Server, most: number): Room {
  const room = new CrowdedRoom(most);
  server.on('connection', (socket) => room.enter(socket));
  server.on('request', (request, response) => room.ask(request, response));
  return room;
}

class CrowdedRoom implements Room {
  readonly #most: number;
  readonly #open = new Map<string, Socket>();
  /** The longest so first. */
  readonly #lookingOn: Readonly<Record<Onlooker, Set<string>>> = { desk: new Set(), 'passer-by': new Set() };
  /** Those that had an answer and ask for no other; the longest so first. */
  readonly #done = new Set<string>();
  /** Those that bring out no request; the longest so first. */
  readonly #silent = new Set<string>();
  /** The longest so first: an answer that nobody reads is never done. */
  readonly #answered = new Set<string>();
  /** Those whose answer is not done, whoever they are. */
  readonly #busy = new Set<string>();
  /** Those that have shown a pass, whatever they do since; the longest so first. */
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
    // Gone before it could be told from others.
    if (name === undefined) {
      socket.destroy();
      return;
    }
    this.#open.set(name, socket);
    this.#silent.add(name);
    socket.once('close', () => {
      // The port may be another caller's by now.
      if (this.#open.get(name) === socket) this.#forget(name);
    });
    if (this.#open.size <= this.#most) return;
    // Where all others stay, that is the new one.
    const [first = name] = this.#lists.flatMap(([oldest]) => oldest ?? []);
    const gives = this.#open.get(first);
    this.#forget(first);
    gives?.destroy();
  }

  ask(request: IncomingMessage, response: ServerResponse): void {
    const name = nameOf(request.socket);
    if (name === undefined) return;
    // Requests on top of each other (RFC 9112, 9.3.2) are sent by no browser, and fill the memory with their answers.
    if (this.#busy.has(name)) {
      this.#open.get(name)?.destroy();
      return;
    }
    this.#busy.add(name);
    const begin = (): void => {
      if (this.#done.delete(name) || this.#silent.delete(name)) this.#answered.add(name);
    };
    // A body is a request that is not brought out yet.
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

/** By the caller's end: over TLS a request has another socket than the connection it came on. */
const nameOf = ({ localAddress, remoteAddress, remotePort }: Socket): string | undefined =>
  remotePort === undefined ? undefined : `${localAddress} ${remoteAddress} ${remotePort}`;

/** RFC 9112, 6.3. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
