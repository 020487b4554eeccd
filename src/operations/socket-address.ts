/**
 * Where the sockets of the agent are that only its user and root reach: in its state directory, of mode 0700; on Windows
 * named pipes. Its own file, so that a command that calls carries no server.
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/** `control`: what the command line asks. `launch`: what a kiosk's browser is started with. */
export type SocketName = 'control' | 'launch';

export interface SocketAddress extends Disposable {
  /** As bind(2) and connect(2) take it, until this is disposed. */
  readonly path: string;
}

/** `sun_path` of unix(7) holds 108 octets with its end; longer ones go by the directory's descriptor, proc(5). */
const longestPath = 107;

/** Throws the system's error where the directory cannot be opened. */
export function socketAddress(stateDir: string, name: SocketName): SocketAddress {
  if (process.platform === 'win32') {
    const hash = createHash('sha256').update(realpathSync(stateDir)).digest('hex');
    return {
      path: `\\\\.\\pipe\\platen-${name === 'control' ? '' : `${name}-`}${hash}`,
      [Symbol.dispose]: () => {},
    };
  }
  const path = join(stateDir, `${name}.sock`);
  if (Buffer.byteLength(path) <= longestPath) return { path, [Symbol.dispose]: () => {} };
  const directory = openSync(stateDir, constants.O_RDONLY | constants.O_DIRECTORY);
  return {
    path: `/proc/self/fd/${directory}/${name}.sock`,
    [Symbol.dispose]: () => closeSync(directory),
  };
}
