/**
 * How many connections a local listener has at once, and who gives way when there is one too many (reliability.md T28):
 * first those who look on from a desk, then others who only look on, then the oldest that is not being answered, then the
 * oldest that is, so that no crowd of callers that drip, or do not read, keeps the page's commands, or the monitoring, out.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Disposing cuts all, those too that have not come as far as a request. */
export interface Room extends Disposable {
  /** Whoever gets this answer gives way to everybody, though it has no end; from a desk, to passers-by too. */
  looksOn(response: ServerResponse, from: Onlooker): void;
  /** Whoever gets this answer gives way to nobody. */
  stays(response: ServerResponse): void;
}

export type Onlooker = 'desk' | 'passer-by';

/** To be called before the server listens. */
export function limitConnections(server: Server, most: number): Room {
  const open = new Map<string, Socket>();
  /** The longest so first. */
  const lookingOn: Readonly<Record<Onlooker, Set<string>>> = { desk: new Set(), 'passer-by': new Set() };
  /** Those that bring out no request, or none since their last answer; the longest so first. */
  const silent = new Set<string>();
  /** The longest so first: an answer that nobody reads is never done. */
  const answered = new Set<string>();
  /** Those whose answer is not done, whoever they are. */
  const busy = new Set<string>();
  /** In the order in which they give way. */
  const lists = [lookingOn.desk, lookingOn['passer-by'], silent, answered];

  server.on('connection', (socket) => {
    const name = nameOf(socket);
    // Gone before it could be told from others.
    if (name === undefined) {
      socket.destroy();
      return;
    }
    open.set(name, socket);
    silent.add(name);
    const forget = (): void => {
      // The port may be another caller's by now.
      if (open.get(name) !== socket) return;
      for (const list of [open, busy, ...lists]) list.delete(name);
    };
    socket.once('close', forget);
    if (open.size <= most) return;
    // Where all others stay, that is the new one.
    const [first = name] = lists.flatMap(([oldest]) => oldest ?? []);
    const gives = open.get(first);
    for (const list of [open, busy, ...lists]) list.delete(first);
    gives?.destroy();
  });
  server.on('request', (request, response) => {
    const name = nameOf(request.socket);
    if (name === undefined) return;
    // Requests on top of each other (RFC 9112, 9.3.2) are sent by no browser, and fill the memory with their answers.
    if (busy.has(name)) {
      open.get(name)?.destroy();
      return;
    }
    busy.add(name);
    const begin = (): void => {
      if (silent.delete(name)) answered.add(name);
    };
    // A body is a request that is not brought out yet.
    if (hasBody(request)) request.once('end', begin);
    else begin();
    response.once('close', () => {
      busy.delete(name);
      answered.delete(name);
      if (open.has(name)) silent.add(name);
    });
  });
  return {
    looksOn(response, from) {
      const name = nameOf(response.req.socket);
      if (name === undefined || !answered.delete(name)) return;
      lookingOn[from].add(name);
      response.once('close', () => lookingOn[from].delete(name));
    },
    stays(response) {
      const name = nameOf(response.req.socket);
      if (name !== undefined) answered.delete(name);
    },
    [Symbol.dispose]() {
      for (const socket of open.values()) socket.destroy();
    },
  };
}

/** By the caller's end: over TLS a request has another socket than the connection it came on. */
const nameOf = ({ localAddress, remoteAddress, remotePort }: Socket): string | undefined =>
  remotePort === undefined ? undefined : `${localAddress} ${remoteAddress} ${remotePort}`;

/** RFC 9112, 6.3. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
