/**
 * Lives within this process that can end as by SIGKILL: from that moment on nothing of a life is heard outside. Its
 * connections and listeners are gone, it makes no new ones, and its clock stands, so that all that it waits for never
 * comes. Not a death of the process: what it holds in memory is let go of by the garbage collector, and system calls
 * are cut off at the boundary of a turn, not within one; the kill campaign is for those.
 *
 * Also the way out of each life can be made bad here: connections that are refused, names that are not found, servers
 * that cannot be trusted.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import net from 'node:net';

export interface Life {
  /** All that this starts belongs to the life, and all that comes of it. */
  live<Result>(work: () => Result): Result;
  /** For its next connections to this port; gives how often they met it, and ends with `mend`. */
  breakWay(port: number, fault: WayFault): { readonly met: () => number; mend(): void };
  /** Its open connections to this port break. */
  cut(port: number): void;
  kill(): void;
  isOver(): boolean;
}

export type WayFault = 'refused' | 'not found' | 'a stranger' | 'unreachable';

/** As Node has them of the system, and of OpenSSL. */
const wayErrors: Readonly<Record<WayFault, { code: string; message: string }>> = {
  refused: { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' },
  'not found': { code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND' },
  'a stranger': { code: 'DEPTH_ZERO_SELF_SIGNED_CERT', message: 'self-signed certificate' },
  unreachable: { code: 'EHOSTUNREACH', message: 'connect EHOSTUNREACH' },
};

interface State {
  isOver: boolean;
  readonly sockets: Map<Socket, number>;
  readonly servers: Set<net.Server>;
  readonly ways: Map<number, { readonly fault: WayFault; met: number }>;
}

export interface Mortality extends Disposable {
  bear(): Life;
  /** What this starts belongs to no life, whoever calls. */
  outside<Result>(work: () => Result): Result;
}

/** One at a time: Node's own sockets are watched as long as it lasts. */
export function openMortality(): Mortality {
  const lives = new AsyncLocalStorage<State>();
  const { connect } = net.Socket.prototype;
  const { listen } = net.Server.prototype;

  function watchedConnect(this: Socket, ...given: readonly unknown[]): Socket {
    const life = lives.getStore();
    if (!life) return Reflect.apply(connect, this, given);
    // Nobody answers a dead one, and nobody hears that.
    if (life.isOver) return this;
    const port = portOf(given);
    const way = life.ways.get(port);
    if (way) {
      way.met += 1;
      const { code, message } = wayErrors[way.fault];
      setImmediate(() => this.destroy(Object.assign(new Error(message), { code, port })));
      return this;
    }
    life.sockets.set(this, port);
    this.once('close', () => life.sockets.delete(this));
    return Reflect.apply(connect, this, given);
  }

  function watchedListen(this: net.Server, ...given: readonly unknown[]): net.Server {
    // Node's own limits run on this computer's time, which is nobody's in a scene: a busy one would close connections.
    if (this instanceof HttpServer) {
      Object.assign(this, { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 });
    }
    const life = lives.getStore();
    if (life) {
      life.servers.add(this);
      this.on('connection', (socket: Socket) => {
        life.sockets.set(socket, 0);
        socket.once('close', () => life.sockets.delete(socket));
      });
    }
    return Reflect.apply(listen, this, given);
  }

  Object.assign(net.Socket.prototype, { connect: watchedConnect });
  Object.assign(net.Server.prototype, { listen: watchedListen });
  return {
    bear: () => createLife(lives),
    outside: (work) => lives.exit(work),
    [Symbol.dispose]() {
      Object.assign(net.Socket.prototype, { connect });
      Object.assign(net.Server.prototype, { listen });
    },
  };
}

function createLife(lives: AsyncLocalStorage<State>): Life {
  const state: State = { isOver: false, sockets: new Map(), servers: new Set(), ways: new Map() };
  return {
    live: (work) => lives.run(state, work),
    breakWay(port, fault) {
      const way = { fault, met: 0 };
      state.ways.set(port, way);
      return {
        met: () => way.met,
        mend() {
          if (state.ways.get(port) === way) state.ways.delete(port);
        },
      };
    },
    cut(port) {
      for (const [socket, to] of [...state.sockets]) if (to === port) socket.destroy(reset());
    },
    isOver: () => state.isOver,
    kill() {
      state.isOver = true;
      for (const server of state.servers) {
        server.removeAllListeners();
        server.close();
      }
      for (const socket of [...state.sockets.keys()]) {
        socket.removeAllListeners();
        socket.on('error', () => undefined);
        socket.destroy();
      }
      state.sockets.clear();
      state.servers.clear();
    },
  };
}

const reset = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

/** `connect({ port })`, `connect(port)`, or as `net.connect` passes it on: `connect([{ port }, callback])`. */
function portOf([first]: readonly unknown[]): number {
  const given: unknown = Array.isArray(first) ? first[0] : first;
  if (typeof given === 'number') return given;
  const port: unknown = (given as { port?: unknown } | undefined)?.port;
  return Number(port ?? 0);
}
