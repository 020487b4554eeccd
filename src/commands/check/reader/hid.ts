/**
 * `platen check` for a `hid` reader. The check does not open it, because a grab would take the reader away from a
 * running agent.
 */
import { stat } from 'node:fs/promises';
import type { HidReaderConfig } from '../../../config/schema/usb-readers.ts';
import type { KnownReader } from '../../../config/schema/known-readers.ts';
import { knownReaderOf } from '../../../config/schema/known-readers.ts';
import { usbDeviceOf } from '../../../config/schema/usb-readers.ts';
import { hidNodes, usbDeviceAt } from '../../../readers/usb-device.ts';
import { loadIoctl } from '../../../readers/hid/ioctl.ts';
import type { Looker } from '../unit-access.ts';
import { mayOpen } from '../unit-access.ts';

export async function examineHid(
  reader: HidReaderConfig,
  { isUp, looker }: { readonly isUp: boolean; readonly looker: () => Promise<Looker> },
): Promise<string> {
  if (reader.layout === undefined) await loadIoctl();
  const path = reader.path ?? (await nodeOf(reader));
  await examineNode(path);
  if (!isUp) await mayOpen(path, 'hid', await looker());
  const device = reader.device === undefined ? await usbDeviceAt(path) : usbDeviceOf(reader.device);
  const known = device && knownReaderOf(device);
  const way = reader.layout === undefined ? 'as a keyboard' : `by ${reader.layout}`;
  return `${known ? `${known.name}, ${path},` : path} can be read ${way}${known ? hintOf(known, reader) : ''}`;
}

async function nodeOf({ device = '', layout }: HidReaderConfig): Promise<string> {
  const kind = layout === undefined ? 'keyboard' : 'raw';
  const [path] = await hidNodes({ device: usbDeviceOf(device), kind });
  if (path !== undefined) return path;
  const what = kind === 'keyboard' ? 'keyboard' : 'hidraw node';
  throw new Error(
    `there is no ${what} of ${device}. Plug the reader in, or correct its numbers; lsusb shows them`,
  );
}

async function examineNode(path: string): Promise<void> {
  const node = await stat(path).catch(() => undefined);
  if (!node) throw new Error(`${path} does not exist. Plug the reader in, or correct the path`);
  if (!node.isCharacterDevice()) throw new Error(`${path} is not a device. Correct the path`);
}

/** Some readers have several modes with the same numbers. So this is a hint and no fault. */
function hintOf({ mode, layout }: KnownReader, reader: HidReaderConfig): string {
  if (mode === 'raw' && reader.layout === undefined)
    return `; usually it sends raw reports: layout: ${layout}`;
  if (mode === 'serial' || mode === 'pcsc') return `; usually it is a reader of type: ${mode}`;
  return '';
}
