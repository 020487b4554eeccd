/**
 * The place of the agent's control socket, which only its user and root reach: in its state directory, of mode 0700;
 * on Windows a named pipe. A caller tells its user id there. It has its own file, so that a command that calls does
 * not load a server.
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

interface SocketAddress extends Disposable {
  /** In the form for bind(2) and connect(2), valid until this is disposed. */
  readonly path: string;
}

/**
 * `sun_path` of unix(7) holds 108 octets with its end; a longer path is reached by the directory's descriptor, proc(5).
 */
const longestPath = 107;
const file = 'control.sock';

/** Throws the system's error if the directory cannot be opened. */
export function socketAddress(stateDir: string): SocketAddress {
  if (process.platform === 'win32') {
    const hash = createHash('sha256').update(realpathSync(stateDir)).digest('hex');
    return {
      path: `\\\\.\\pipe\\platen-${hash}`,
      [Symbol.dispose]: () => {},
    };
  }
  const path = join(stateDir, file);
  if (Buffer.byteLength(path) <= longestPath) return { path, [Symbol.dispose]: () => {} };
  const directory = openSync(stateDir, constants.O_RDONLY | constants.O_DIRECTORY);
  return {
    path: `/proc/self/fd/${directory}/${file}`,
    [Symbol.dispose]: () => closeSync(directory),
  };
}

/**
 * The user id of the caller, as the command itself says it (`commands/caller.ts`). Node does not tell which process
 * is at the other end of a socket (SO_PEERCRED). So only the socket's mode limits the callers.
 */
export const callerHeader = 'platen-uid';

export function callerIn(headers: Readonly<Record<string, unknown>>): number | undefined {
  const said = headers[callerHeader];
  return typeof said === 'string' && /^\d{1,10}$/.test(said) ? Number(said) : undefined;
}
