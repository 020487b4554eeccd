/**
 * Opens what a configuration is read from. A running agent reads it again, and whatever else stands in the place of a
 * file, a FIFO that nobody writes to, say, must not hold it up.
 */
import { closeSync, constants, fstatSync, openSync } from 'node:fs';

/** A descriptor for the caller to close. Throws an error with a `code`, as openSync does. */
export function openFile(path: string): number {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const found = fstatSync(descriptor);
  // Of a folder the first reading tells.
  if (found.isFile() || found.isDirectory()) return descriptor;
  closeSync(descriptor);
  throw Object.assign(new Error(`${path} is not a file`), { code: 'not a file' });
}
