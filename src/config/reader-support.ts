/**
 * Readers that this system has no way to: `hid` ones are read as Linux has them, by event nodes and hidraw nodes, and
 * `pcsc` ones through pcscd of pcsc-lite, where Windows and macOS have resource managers of their own.
 */
import type { Mistake } from './mistakes.ts';
import type { ReaderConfig } from './schema/reader.ts';

interface Readers {
  readonly terminals: readonly { readonly readers: readonly Pick<ReaderConfig, 'type'>[] }[];
}

export function readersOfOtherSystems(
  { terminals }: Readers,
  platform: NodeJS.Platform = process.platform,
): Mistake[] {
  return terminals.flatMap(({ readers }, index) =>
    readers.flatMap(({ type }, at) => {
      const message = refusalOf(type, platform);
      return message === undefined ? [] : [{ path: ['terminals', index, 'readers', at, 'type'], message }];
    }),
  );
}

function refusalOf(type: ReaderConfig['type'], platform: NodeJS.Platform): string | undefined {
  if (type === 'hid' && platform !== 'linux')
    return 'hid readers work only on Linux. Set the reader to serial, and write type: serial';
  if (type === 'pcsc' && (platform === 'win32' || platform === 'darwin'))
    return 'pcsc readers need pcscd of pcsc-lite, which this system does not have. Use a reader of another type';
  return undefined;
}
