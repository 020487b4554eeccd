/** Whether two terminals read the same badge reader or prompt on the same TTY: then only one of them can run. */
import { withoutDistinction } from './alike-readers.ts';
import type { Mistake } from './mistakes.ts';
import type { TerminalConfig } from './schema/config.ts';
import type { PromptConfig } from './schema/prompt.ts';
import type { ReaderConfig } from './schema/reader.ts';

export function useSameDevice(one: TerminalConfig, other: TerminalConfig): boolean {
  const terminals = [one, other];
  return [...withoutDistinction({ terminals }), ...withSharedTty({ terminals })].length > 0;
}

interface Prompted {
  readonly terminals: readonly {
    readonly id: string;
    readonly prompt?: PromptConfig | undefined;
    readonly readers: readonly ReaderConfig[];
  }[];
}

export function withSharedTty({ terminals }: Prompted): Mistake[] {
  return terminals.flatMap(({ prompt: own, readers }, index) => {
    if (own === undefined) return [];
    const path = ['terminals', index, 'prompt'];
    const earlier = terminals.slice(0, index).find((one) => one.prompt?.tty === own.tty);
    if (earlier) return [{ path, message: `is the prompt of ${earlier.id} too; give each a TTY of its own` }];
    if (readers.some((reader) => 'path' in reader && reader.path === own.tty))
      return [
        {
          path,
          message:
            'is a reader of this terminal too; where it types, write { tty: DEVICE, wedge: true } alone',
        },
      ];
    return [];
  });
}
