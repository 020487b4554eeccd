/** The card readers that are plugged in, and the readers that an answer names. `platen init` opens no reader. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { knownReaders } from '../../config/schema/known-readers.ts';
import type { ReaderConfig, ReaderSettings } from '../../config/schema/reader.ts';
import { readerKinds } from '../../config/schema/reader.ts';
import { hidNodes } from '../../readers/usb-device.ts';

export interface FoundReader {
  /** The answer that names it. */
  readonly answer: string;
  readonly what: string;
}

/** Serial readers by their stable names, then HID devices that are known as readers. */
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

const forms = Object.values(readerKinds).flatMap((kind) => kind.forms);
export const readerForms = `/dev/serial/by-id/…, /dev/input/by-id/…, ${forms.slice(0, -1).join(', ')} or ${forms.at(-1)}`;

/** `undefined` if the answer has none of these forms. */
export function readerSettings(answer: string): ReaderSettings | undefined {
  if (answer.startsWith('/'))
    return { type: answer.startsWith('/dev/input/') ? 'hid' : 'serial', path: answer };
  const [, type = '', rest = ''] = /^([^:]+)(?::(.+))?$/.exec(answer) ?? [];
  return Object.hasOwn(readerKinds, type)
    ? readerKinds[type as ReaderConfig['type']].settings(rest)
    : undefined;
}
