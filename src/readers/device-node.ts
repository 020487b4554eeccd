/**
 * A node in `/dev` that is read as the kernel has something to tell: event nodes and hidraw nodes. It is opened without
 * blocking and waited for by the event loop's own poll, which serialport's binding lends. `fs.createReadStream` would
 * hold a thread of the pool in a read that never returns, and keep the process from ending.
 */
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type * as bindings from '@serialport/bindings-cpp';

const load = createRequire(import.meta.url);

/** More than the largest report of a USB device, and so many key events at once. */
const mostAtOnce = 24 * 256;

export interface DeviceNode {
  readonly fd: number;
  /** What came since the last time, waited for; rejects when the device goes (ENODEV), or the node was closed. */
  read(): Promise<Uint8Array>;
  close(): Promise<void>;
}

export async function openNode(path: string): Promise<DeviceNode> {
  // Native code, which no start waits for.
  const { LinuxPortBinding } = load('@serialport/bindings-cpp') as typeof bindings;
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    // It neither opens nor sets anything up: what is said of the line is for drawing up the object only.
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
        // A device that is gone is told by the read after it; what is left is a fault of the poll itself.
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

/** `undefined` where nothing is there yet. */
async function readNow(handle: FileHandle, buffer: Buffer): Promise<number | undefined> {
  try {
    return (await handle.read(buffer, 0, buffer.length, null)).bytesRead;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN' || code === 'EINTR') return undefined;
    throw error;
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
