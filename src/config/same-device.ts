/** Whether two terminals read the same badge reader or prompt on the same TTY: then only one of them can run. */
import { withoutDistinction } from './alike-readers.ts';
import { withSharedTty } from './schema/prompt.ts';
import type { TerminalConfig } from './schema/config.ts';

export function useSameDevice(one: TerminalConfig, other: TerminalConfig): boolean {
  const terminals = [one, other];
  return [...withoutDistinction({ terminals }), ...withSharedTty({ terminals })].length > 0;
}
