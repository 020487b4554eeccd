/**
 * Hands the launch secret to whoever starts a kiosk's browser, and says where the page is that it is good for, in a line
 * each: `LoadCredential=` of systemd.exec(5) reads a socket to its end. Nobody else could tell who listens there: only an
 * agent that has its listener open answers here, so that the secret never goes to a program that took its place (T03).
 */
import { createServer } from 'node:net';
import type { Log } from '../core/log.ts';
import type { Secret } from '../core/secret.ts';
import type { ListenAddress } from '../listener/address.ts';
import { hostAndPort } from '../listener/address.ts';
import { openOwnSocket } from './own-socket.ts';

const mostAtOnce = 4;

export async function startLaunch(options: {
  readonly stateDir: string;
  /** Where the kiosk listens in fact. */
  readonly page: ListenAddress;
  secret(): Secret;
  readonly log: Log;
}): Promise<AsyncDisposable> {
  const { stateDir, page, log } = options;
  const server = createServer((caller) => {
    caller.on('error', () => {}).end(`http://${hostAndPort(page)}\n${options.secret().reveal()}\n`);
  });
  server.maxConnections = mostAtOnce;
  const close = async () => {
    server.close();
  };
  return openOwnSocket({ ...{ stateDir, server, close, log }, name: 'launch' });
}
