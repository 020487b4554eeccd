/** Card readers as `platen init` finds them plugged in, and as an answer names one. None is opened. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { knownReaderOf, knownReaders } from '../../config/schema/known-readers.ts';
import { usbDeviceOf } from '../../config/schema/usb-device.ts';
import { hidNodes } from '../../readers/hid/hid-nodes.ts';

/** A reader of a terminal as the configuration has it; the schema checks the rest. */
export type ReaderSettings = Readonly<Record<string, string | readonly string[]>>;

export interface FoundReader {
  /** The answer that names it. */
  readonly answer: string;
  readonly what: string;
}

/** Serial ones by their lasting names, then HID devices that are known as readers. */
export async function findReaders({
  byId = '/dev/serial/by-id',
  sysfs = '/sys',
} = {}): Promise<readonly FoundReader[]> {
  const names = await readdir(byId).catch(() => []);
  const serial = names
    .sort((a, b) => a.localeCompare(b, 'en'))
    .map((name) => ({ answer: join(byId, name), what: 'serial' }));
  const hid = await Promise.all(
    knownReaders.map(async ({ vendor, product, name, mode }): Promise<readonly FoundReader[]> => {
      if (mode !== 'keyboard' && mode !== 'raw') return [];
      const nodes = await hidNodes({ device: { vendor, product }, kind: mode, sysfs });
      return nodes.length === 0 ? [] : [{ answer: `hid:${vendor}:${product}`, what: name }];
    }),
  );
  return [...serial, ...hid.flat()];
}

export const readerForms =
  '/dev/serial/by-id/…, /dev/input/by-id/…, serial:VENDOR:PRODUCT, hid:VENDOR:PRODUCT, pcsc, pcsc:NAME, ' +
  'tcp-connect:HOST:PORT or tcp-listen:ADDRESS:PORT?from=ADDRESS&hello=LINE';

/** `undefined` for an answer of none of these forms. */
export function readerSettings(answer: string): ReaderSettings | undefined {
  const [, network = '', place = ''] = /^(tcp-connect|tcp-listen):(.+)$/.exec(answer) ?? [];
  if (network === 'tcp-connect') return { type: network, address: place };
  if (network === 'tcp-listen') return dialsIn(place);
  const [, type = '', device = ''] = /^(serial|hid|pcsc)(?::(.+))?$/.exec(answer) ?? [];
  if (type === 'pcsc') return device === '' ? { type } : { type, reader: device };
  if (type !== '' && device !== '') return { type, device, ...(type === 'hid' ? layoutOf(device) : {}) };
  if (!answer.startsWith('/')) return undefined;
  return { type: answer.startsWith('/dev/input/') ? 'hid' : 'serial', path: answer };
}

/** `from` may come several times; what is missing, or too much, the schema tells. */
function dialsIn(place: string): ReaderSettings | undefined {
  const [listen = '', words, ...more] = place.split('?');
  const given = new URLSearchParams(words);
  const from = given.getAll('from');
  const [hello, ...hellos] = given.getAll('hello');
  const isOther = [...given.keys()].some((key) => key !== 'from' && key !== 'hello');
  if (isOther || more.length > 0 || hellos.length > 0) return undefined;
  return {
    type: 'tcp-listen',
    listen,
    ...(from.length === 0 ? {} : { from }),
    ...(hello === undefined ? {} : { hello }),
  };
}

/** A reader of raw reports is read by its layout; any other is a keyboard. */
function layoutOf(device: string): { layout?: string } {
  const known = knownReaderOf(usbDeviceOf(device));
  return known?.mode === 'raw' && known.layout !== undefined ? { layout: known.layout } : {};
}
