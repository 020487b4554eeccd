/**
 * The place of the agent's control socket, which only its user and root reach: in its state directory, of mode 0700; on
 * Windows a named pipe. It has its own file, so that a command that calls does not load a server.
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

export interface SocketAddress extends Disposable {
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
