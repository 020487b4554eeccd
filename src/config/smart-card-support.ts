/** Smart-card readers are read through pcscd of pcsc-lite. Windows and macOS have resource managers of their own. */
import type { Mistake } from './mistakes.ts';
import type { ReaderConfig } from './reader-schema.ts';

interface Readers {
  readonly terminals: readonly { readonly readers: readonly Pick<ReaderConfig, 'type'>[] }[];
}

const withoutPcscd: readonly NodeJS.Platform[] = ['win32', 'darwin'];

export function withoutSmartCards(
  { terminals }: Readers,
  platform: NodeJS.Platform = process.platform,
): Mistake[] {
  if (!withoutPcscd.includes(platform)) return [];
  const message = 'pcsc readers need pcscd of pcsc-lite, as Linux has it; use a reader of another type here';
  return terminals.flatMap(({ readers }, index) =>
    readers.flatMap(({ type }, at) =>
      type === 'pcsc' ? [{ path: ['terminals', index, 'readers', at, 'type'], message }] : [],
    ),
  );
}
