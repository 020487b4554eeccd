/**
 * `platen check` for a serial reader. The check opens its port unless the running agent has it, and tells what it is
 * and what to do. It writes nothing to the reader.
 */
import { readdir, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { ReaderOf } from '../../../config/schema/reader.ts';
import { usbDeviceOf } from '../../../config/schema/usb-readers.ts';
import { trySerialPort } from '../../../readers/serial/serial.ts';
import { findUsbNodes, usbDeviceAbove } from '../../../readers/usb-device.ts';
import type { Looker } from '../unit-access.ts';
import { mayOpen } from '../unit-access.ts';

type SerialReader = ReaderOf<'serial'>;

/** The folders in which the system shows its devices and processes. */
export interface SystemFolders {
  readonly sysfs: string;
  readonly byId: string;
  readonly proc: string;
}

const linux: SystemFolders = { sysfs: '/sys', byId: '/dev/serial/by-id', proc: '/proc' };

export async function examineSerial(
  reader: SerialReader,
  {
    isUp,
    looker,
    folders = linux,
  }: {
    readonly isUp: boolean;
    readonly looker: () => Promise<Looker>;
    readonly folders?: SystemFolders;
  },
): Promise<string> {
  const path = reader.path ?? (await nodeOf(reader, folders));
  if (isUp) return `${path} is connected to the running agent${await adviceOn(reader, folders)}`;
  await examineNode(path, folders);
  await mayOpen(path, 'serial', await looker());
  await open({ path, baudRate: reader.baudRate }, folders);
  return `${path} can be opened${await descriptionOf(path, folders)}${await adviceOn(reader, folders)}`;
}

async function nodeOf({ device = '' }: SerialReader, { sysfs }: SystemFolders): Promise<string> {
  const [first] = await findUsbNodes({ ...usbDeviceOf(device), class: 'tty', root: sysfs });
  if (first) return first.path;
  throw new Error(
    `there is no serial port of ${device}. Plug the reader in, or correct its numbers; lsusb shows them`,
  );
}

async function examineNode(path: string, { byId }: SystemFolders): Promise<void> {
  const node = await stat(path).catch(() => undefined);
  if (!node) {
    const others = (await linksIn(byId)).map(({ link }) => link);
    const instead = others.length > 0 ? `. These exist: ${others.join(', ')}` : '';
    throw new Error(`${path} does not exist. Plug the reader in, or correct the path${instead}`);
  }
  if (!node.isCharacterDevice()) throw new Error(`${path} is not a serial device. Correct the path`);
}

async function open(port: { path: string; baudRate: number }, { proc }: SystemFolders): Promise<void> {
  try {
    await trySerialPort(port);
  } catch (cause) {
    const holders = await holdersOf(port.path, proc);
    const { message } = cause as Error;
    const what =
      holders.length > 0
        ? `is in use by ${holders.join(', ')}. Stop that program`
        : `cannot be opened: ${message}`;
    throw new Error(`${port.path} ${what}`, { cause });
  }
}

/** ` (USB 0403:6001, serial number AH06W0EQ)` */
async function descriptionOf(path: string, { sysfs }: SystemFolders): Promise<string> {
  const node = join(sysfs, 'class/tty', basename(await realpath(path)));
  const usb = await usbDeviceAbove(await realpath(node).catch(() => '/'));
  if (!usb) return '';
  const serial = usb.serial === undefined ? 'no serial number' : `serial number ${usb.serial}`;
  return ` (USB ${usb.vendor}:${usb.product}, ${serial})`;
}

/** The kernel numbers such names in the order in which adapters are plugged in. */
async function adviceOn({ path = '' }: SerialReader, { byId }: SystemFolders): Promise<string> {
  if (!/^\/dev\/tty(?:USB|ACM)\d+$/.test(path)) return '';
  const better = (await linksIn(byId)).find(({ target }) => target === path);
  return better ? `; write ${better.link}, which stays the same after replugging` : '';
}

async function linksIn(folder: string): Promise<readonly { link: string; target: string }[]> {
  const names = await readdir(folder).catch(() => []);
  return Promise.all(
    names.map(async (name) => {
      const link = join(folder, name);
      return { link, target: resolve(folder, await readlink(link).catch(() => '')) };
    }),
  );
}

/** The processes that this user may look at: the user's own, or all for root. `screen (4711)`. */
async function holdersOf(path: string, proc: string): Promise<readonly string[]> {
  const device = await realpath(path);
  const processes = (await readdir(proc).catch(() => [])).filter((name) => /^\d+$/.test(name));
  const holders = await Promise.all(
    processes.map(async (id) => {
      const folder = join(proc, id, 'fd');
      const files = await readdir(folder).catch(() => []);
      const targets = await Promise.all(files.map((file) => readlink(join(folder, file)).catch(() => '')));
      if (!targets.includes(device)) return [];
      const [program = ''] = (await readFile(join(proc, id, 'cmdline'), 'utf8').catch(() => '')).split('\0');
      return [`${basename(program)} (${id})`];
    }),
  );
  return holders.flat();
}
