/**
 * Opens a file of the configuration. A running agent reads its files again, so it must not block on a path that is not
 * a file, for example a FIFO without a writer.
 */
import { closeSync, constants, fstatSync, openSync } from 'node:fs';

/** Gives a descriptor that the caller closes. Throws an error with a `code`, as openSync does. */
export function openFile(path: string): number {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const found = fstatSync(descriptor);
  // A folder passes here, because the first read reports it.
  if (found.isFile() || found.isDirectory()) return descriptor;
  closeSync(descriptor);
  throw Object.assign(new Error(`${path} is not a file`), { code: 'not a file' });
}
