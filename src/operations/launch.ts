/**
 * Gives the launch secret, and the address of the page, to the program that starts a kiosk's browser. `LoadCredential=`
 * of systemd.exec(5) reads the socket, with a line for each, to its end.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Log } from '../core/log.ts';
import type { Secret } from '../core/secret.ts';
import type { ListenAddress } from '../listener/address.ts';
import { hostAndPort } from '../listener/address.ts';

const mostAtOnce = 4;

/**
 * The socket is systemd's, outside of every directory that the agent's user may write, and only root may call it. So no
 * user can put another file in its place for root to read (T26). Only an agent with an open listener answers, so the
 * secret never goes to a program that took its place (T03). Without such a socket there are no calls.
 */
export async function startLaunch(options: {
  readonly kept: number | undefined;
  /** The actual address of the kiosk. */
  readonly page: ListenAddress;
  secret(): Secret;
  readonly log: Log;
}): Promise<AsyncDisposable> {
  const { kept, page, log } = options;
  await using opened = new AsyncDisposableStack();
  if (kept === undefined) return opened.move();
  const server = createServer((caller) => {
    caller.on('error', () => {}).end(`http://${hostAndPort(page)}\n${options.secret().reveal()}\n`);
  });
  server.maxConnections = mostAtOnce;
  try {
    server.listen({ fd: kept });
    await once(server, 'listening');
    opened.defer(async () => void server.close());
  } catch (error) {
    log.warn('socket of systemd not used', { key: 'launch', error: error as Error });
  }
  return opened.move();
}
