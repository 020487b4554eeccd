/**
 * Where the agent's control socket is: `control.sock` in its state directory; on Windows a named pipe. Its own file,
 * so that a command that calls carries no server.
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

export interface ControlAddress extends Disposable {
  /** As bind(2) and connect(2) take it, until this is disposed. */
  readonly path: string;
}

/** `sun_path` of unix(7) holds 108 octets with its end; longer ones go by the directory's descriptor, proc(5). */
const longestPath = 107;

/** Throws the system's error where the directory cannot be opened. */
export function controlAddress(stateDir: string): ControlAddress {
  if (process.platform === 'win32') {
    const name = createHash('sha256').update(realpathSync(stateDir)).digest('hex');
    return { path: `\\\\.\\pipe\\platen-${name}`, [Symbol.dispose]: () => {} };
  }
  const path = join(stateDir, 'control.sock');
  if (Buffer.byteLength(path) <= longestPath) return { path, [Symbol.dispose]: () => {} };
  const directory = openSync(stateDir, constants.O_RDONLY | constants.O_DIRECTORY);
  return {
    path: `/proc/self/fd/${directory}/control.sock`,
    [Symbol.dispose]: () => closeSync(directory),
  };
}
