/**
 * Hands the launch secret to whoever starts a kiosk's browser, and says where the page is that it is good for, in a line
 * each: `LoadCredential=` of systemd.exec(5) reads a socket to its end. The socket is systemd's, outside of every directory
 * that the agent's user may write, and root's alone to call: nobody can lay another file in its place for root to read
 * (T26), and only an agent that has its listener open answers, so that the secret never goes to a program that took its
 * place (T03). Without such a socket nobody asks.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Log } from '../core/log.ts';
import type { Secret } from '../core/secret.ts';
import type { ListenAddress } from '../listener/address.ts';
import { hostAndPort } from '../listener/address.ts';

const mostAtOnce = 4;

export async function startLaunch(options: {
  /** The descriptor of the listening socket. */
  readonly kept: number | undefined;
  /** Where the kiosk listens in fact. */
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
