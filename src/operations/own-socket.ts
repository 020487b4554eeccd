/**
 * Opens the agent's control socket in its state directory, of mode 0600: for its user and root. Called by the holder of the
 * instance lock: a socket that is there is a dead agent's. Where none can be made (a file system without sockets, a full
 * disk) the agent does its work without; the log tells it.
 */
import { once } from 'node:events';
import { chmodSync, closeSync, constants, openSync, rmSync } from 'node:fs';
import type { Server } from 'node:net';
import type { Log } from '../core/log.ts';
import { socketAddress } from './socket-address.ts';

export async function openOwnSocket(options: {
  readonly stateDir: string;
  readonly server: Server;
  /** Ends the server, which unlinks its socket by the address. */
  close(): Promise<unknown>;
  readonly log: Log;
}): Promise<AsyncDisposable> {
  const { stateDir, server, log } = options;
  await using opened = new AsyncDisposableStack();
  try {
    const { path } = opened.use(socketAddress(stateDir));
    opened.defer(async () => void (await options.close()));
    const isFile = process.platform !== 'win32';
    if (isFile) rmSync(path, { force: true });
    server.listen(path);
    await once(server, 'listening');
    if (process.platform === 'linux') closeToOthers(path);
    else if (isFile) chmodSync(path, 0o600);
  } catch (error) {
    log.warn('control socket not opened', { error: error as Error });
  }
  return opened.move();
}

/** The socket, and nothing that a link in its place leads to: chmod(2) follows one. */
function closeToOthers(path: string): void {
  const socket = openSync(path, pathOnly | constants.O_NOFOLLOW);
  try {
    chmodSync(`/proc/self/fd/${socket}`, 0o600);
  } finally {
    closeSync(socket);
  }
}

/** O_PATH of open(2), which Node has no name for: a socket cannot be opened otherwise. */
const pathOnly = 0o10000000;
