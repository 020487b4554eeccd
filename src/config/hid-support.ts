/** Whether this machine has `hid` readers: they are read as Linux has them, by event nodes and hidraw nodes. */
import type { Mistake } from './mistakes.ts';
import type { ReaderConfig } from './reader-schema.ts';

interface Readers {
  readonly terminals: readonly { readonly readers: readonly Pick<ReaderConfig, 'type'>[] }[];
}

export function withoutHid({ terminals }: Readers, platform: NodeJS.Platform = process.platform): Mistake[] {
  if (platform === 'linux') return [];
  const message = 'hid readers are read as Linux has them; set the reader to serial, and write type: serial';
  return terminals.flatMap(({ readers }, index) =>
    readers.flatMap(({ type }, at) =>
      type === 'hid' ? [{ path: ['terminals', index, 'readers', at, 'type'], message }] : [],
    ),
  );
}
