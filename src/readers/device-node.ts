/**
 * Opens and reads a device node in `/dev`: an event node or a hidraw node. The node is opened without blocking, and the
 * poll of the event loop (from serialport's binding) waits for data. `fs.createReadStream` would hold a thread of the
 * pool in a read that never returns, and the process could not end. The file also explains why a device is refused.
 */
import { once } from 'node:events';
import { constants, watch } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type * as bindings from '@serialport/bindings-cpp';
import { errnoOf } from '../core/errno.ts';
import { aborted } from '../core/service.ts';

const load = createRequire(import.meta.url);

/** Larger than the largest report of a USB device; room for 256 key events in one read. */
const mostAtOnce = 24 * 256;

export interface DeviceNode {
  readonly fd: number;
  /** Waits for new bytes. Rejects when the device goes (ENODEV) or when the node is closed. */
  read(): Promise<Uint8Array>;
  close(): Promise<void>;
}

export async function openNode(path: string): Promise<DeviceNode> {
  // Native code: loaded here, so that the start of the agent does not wait for it.
  const { LinuxPortBinding } = load('@serialport/bindings-cpp') as typeof bindings;
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    // The binding opens no port and sets nothing on it. The settings are only needed to construct it.
    return nodeOf(path, handle, new LinuxPortBinding(handle.fd, lineSettings(path)));
  } catch (cause) {
    await handle.close();
    throw new Error(`${path} is not a device`, { cause });
  }
}

function nodeOf(path: string, handle: FileHandle, { poller }: bindings.LinuxPortBinding): DeviceNode {
  const buffer = Buffer.alloc(mostAtOnce);
  let closing: Promise<void> | undefined;

  const readable = (): Promise<Error | null> =>
    new Promise((resolve) => {
      poller.once('readable', resolve);
    });

  const closeOnce = async (): Promise<void> => {
    poller.stop();
    poller.destroy();
    await handle.close();
  };

  return {
    fd: handle.fd,
    async read() {
      let fault: Error | null = null;
      for (;;) {
        if (closing) throw new Error(`${path} was closed`);
        const count = await readNow(handle, buffer);
        if (count === 0) throw new Error(`${path} came to its end`);
        if (count !== undefined) {
          const bytes = Uint8Array.from(buffer.subarray(0, count));
          buffer.fill(0, 0, count);
          return bytes;
        }
        // If the device is gone, the read above has already failed. A fault that is left here is one of the poll.
        if (fault) throw fault;
        if (!closing) fault = await readable();
      }
    },
    close() {
      closing ??= closeOnce();
      return closing;
    },
  };
}

/** Gives `undefined` if no data is there yet. */
async function readNow(handle: FileHandle, buffer: Buffer): Promise<number | undefined> {
  try {
    return (await handle.read(buffer, 0, buffer.length, null)).bytesRead;
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'EAGAIN' || code === 'EINTR') return undefined;
    throw error;
  }
}

/** Resolves when something in a folder comes, goes or gets other rights, or when the signal aborts. */
export async function changeIn(folder: string, signal: AbortSignal): Promise<void> {
  try {
    await once(watch(folder, { signal, persistent: false }), 'change', { signal });
  } catch {
    // A folder of devices may be missing until the first one comes.
    await aborted(signal);
  }
}

const lineSettings = (path: string): ConstructorParameters<typeof bindings.LinuxPortBinding>[1] => ({
  path,
  baudRate: 9600,
  dataBits: 8,
  stopBits: 1,
  parity: 'none',
  vmin: 1,
  vtime: 0,
  lock: false,
  hupcl: false,
  rtscts: false,
  xon: false,
  xoff: false,
  xany: false,
});

const explanations: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  EACCES: 'may not be opened by this user. `sudo platen check` says what mends it',
  EPERM:
    'is there, but platen.service may not open it (EPERM). Its driver was loaded after the service started, or a drop-in is missing. Run: systemctl restart platen. If that does not help, run: sudo platen check',
  EBUSY: 'is used by another program. `sudo platen check` says by which',
};

/**
 * Explains why a device that is there cannot be opened: the text to put after the path, or `undefined` if the error
 * itself says enough. EPERM comes from the control group of the unit: systemd reads the allowed kinds of device from
 * `/proc/devices` when the unit starts. A device whose driver was loaded later is refused.
 */
export const whyRefused = (code: string): string | undefined => explanations[code];
