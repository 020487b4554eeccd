/** Where a local HTTP listener is, by what limits, and how binding fails. */
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
  // Node looks at its time limits only every 30 s unless told otherwise.
  http: { headersTimeout: seconds(5), connectionsCheckingInterval: seconds(1) },
} as const;

/** `localhost` means 127.0.0.1: bound to both families it would be two sockets, and the cap would hold for one. */
export const bindAddress = ({ host, port }: ListenAddress): ListenAddress => ({
  host: host === 'localhost' ? '127.0.0.1' : host,
  port,
});

/** As it stands in a URL and in a Host header: `127.0.0.1:7380`, `[::1]:7380`. */
export const hostAndPort = ({ host, port }: ListenAddress): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/** Why the address of this key of the configuration could not be bound. */
export function listenProblem(key: string, address: ListenAddress, cause: unknown): Problem {
  const where = `${key}: ${hostAndPort(address)}`;
  return cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE'
    ? new Problem('port-taken', `${where} is taken by another program`, { cause })
    : new Problem('config-invalid', `${where} cannot be listened on`, { cause });
}

/** A body nobody asked for, too long or not understood: an error of the framework that is the caller's. */
export const blamesTheRequest = ({ statusCode }: { readonly statusCode?: number }): boolean =>
  statusCode !== undefined && statusCode < 500;
