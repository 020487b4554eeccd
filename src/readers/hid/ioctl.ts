/**
 * The native door to ioctl(2), for the one call that Node has no other way to make: the exclusive grab of an event node.
 * The package koffi is optional; without it no keyboard reader is opened, for a keyboard that is read without a grab
 * types its numbers into whatever has the focus.
 */
import { getSystemErrorName } from 'node:util';

/** Rejects when somebody else has the device (EBUSY), or it is no event node (ENOTTY). Closing the node lets it go. */
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

/** Rejects where koffi is missing, with what to do about it. */
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
