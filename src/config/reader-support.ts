/** Finds readers that do not work on this operating system. */
import type { Mistake } from './mistakes.ts';
import type { ReaderConfig } from './schema/reader.ts';
import { readerKinds } from './schema/reader.ts';

interface Readers {
  readonly terminals: readonly { readonly readers: readonly Pick<ReaderConfig, 'type'>[] }[];
}

export function readersOfOtherSystems(
  { terminals }: Readers,
  platform: NodeJS.Platform = process.platform,
): Mistake[] {
  return terminals.flatMap(({ readers }, index) =>
    readers.flatMap(({ type }, at) => {
      const message = readerKinds[type].refusal(platform);
      return message === undefined ? [] : [{ path: ['terminals', index, 'readers', at, 'type'], message }];
    }),
  );
}
