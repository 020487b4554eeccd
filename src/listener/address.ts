/** The address and limits of a local HTTP listener, and the problem if it cannot be bound. */
import { seconds } from '../core/duration.ts';
import { Problem } from '../domain/problem/problem.ts';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

export const mostConnections = 32;

/** INVARIANTS.md T28, in the spelling of fastify's options. */
export const listenerLimits = {
  bodyLimit: 4096,
  requestTimeout: seconds(10),
  keepAliveTimeout: seconds(5),
  forceCloseConnections: true,
  // By default Node checks its time limits only every 30 s.
  http: { headersTimeout: seconds(5), connectionsCheckingInterval: seconds(1) },
} as const;

/**
 * `localhost` means 127.0.0.1. Bound to both families it would be two sockets, and the cap would count for each alone.
 */
export const bindAddress = ({ host, port }: ListenAddress): ListenAddress => ({
  host: host === 'localhost' ? '127.0.0.1' : host,
  port,
});

/** As in a URL and in a Host header: `127.0.0.1:7380`, `[::1]:7380`. */
export const hostAndPort = ({ host, port }: ListenAddress): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/** The problem if the address of this key of the configuration cannot be bound. */
export function listenProblem(key: string, address: ListenAddress, cause: unknown): Problem {
  const where = `${key}: ${hostAndPort(address)}`;
  return cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE'
    ? new Problem('port-taken', `${where} is taken by another program`, { cause })
    : new Problem('config-invalid', `${where} cannot be listened on`, { cause });
}

/** The caller caused this error of the framework: its body is unwanted, too long or not understood. */
export const blamesTheRequest = ({ statusCode }: { readonly statusCode?: number }): boolean =>
  statusCode !== undefined && statusCode < 500;
