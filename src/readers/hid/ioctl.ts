/**
 * Calls ioctl(2) for the exclusive grab of an event node, which Node itself cannot do. The package koffi is optional.
 * Without it no keyboard reader is opened, because an ungrabbed keyboard types its numbers into the focused field.
 */
import { getSystemErrorName } from 'node:util';

/**
 * Rejects if another program has the device (EBUSY) or if it is not an event node (ENOTTY). Closing the node ends the
 * grab.
 */
export type Grab = (fd: number) => Promise<void>;

/** EVIOCGRAB of linux/input.h: `_IOW('E', 0x90, int)`. */
const EVIOCGRAB = 0x40044590;

export function createGrab(): Grab {
  let ioctl: ((fd: number) => number) | undefined;
  return async (fd) => {
    ioctl ??= await loadIoctl();
    const errno = ioctl(fd);
    if (errno === 0) return;
    const code = getSystemErrorName(-errno);
    throw Object.assign(new Error(`${code}: the device is used by another program`), { code });
  };
}

/** Rejects if koffi is missing. The message says what to do. */
export async function loadIoctl(): Promise<(fd: number) => number> {
  const { default: koffi } = await import('koffi').catch((cause: unknown) => {
    throw new Error(
      'the package koffi is missing, and Platen needs it to open a reader alone: npm install koffi',
      {
        cause,
      },
    );
  });
  const ioctl = koffi.load(null).func('int ioctl(int fd, unsigned long request, ...)');
  return (fd) => (ioctl(fd, EVIOCGRAB, 'int', 1) === 0 ? 0 : koffi.errno());
}
