/**
 * Where a server listens: at the socket that systemd keeps for it, where that is of the configured address; else at one
 * of its own. A gateway is not left dead because the two say different things: the log tells it.
 */
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import type { Log } from '../core/log.ts';
import type { ListenAddress } from './address.ts';
import { hostAndPort } from './address.ts';

export interface Binding {
  readonly wanted: ListenAddress;
  /** The descriptor of a listening socket. */
  readonly kept?: number | undefined;
  /** Of the configuration, as in `kiosk.listen`. */
  readonly key: string;
  readonly log: Log;
}

/** Port 0 of the configuration is settled by the system. Rejects with the system's error. */
export async function listenAt(server: Server, binding: Binding): Promise<ListenAddress> {
  const { wanted, kept } = binding;
  if (kept !== undefined && (await isKept(server, kept, binding))) return wanted;
  return listening(server, wanted);
}

async function isKept(server: Server, fd: number, { wanted, key, log }: Binding): Promise<boolean> {
  const says = { key, configured: hostAndPort(wanted) };
  try {
    const { host, port } = await listening(server, { fd });
    if (host === wanted.host && port === wanted.port) return true;
    log.warn('socket of systemd not used', { ...says, kept: hostAndPort({ host, port }) });
    server.close();
    await once(server, 'close');
  } catch (error) {
    log.warn('socket of systemd not used', { ...says, error: error as Error });
  }
  return false;
}

async function listening(
  server: Server,
  where: ListenAddress | { readonly fd: number },
): Promise<ListenAddress> {
  server.listen(where);
  await once(server, 'listening');
  const { address: host, port } = server.address() as AddressInfo;
  return { host: 'host' in where ? where.host : host, port };
}
