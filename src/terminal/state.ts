/** Where a terminal stands, in one word: what goes on within a state is nobody else's affair. */
import type { SnapshotFrom } from 'xstate';
import type { terminalMachine } from './machine.ts';

export type TerminalSnapshot = SnapshotFrom<typeof terminalMachine>;

export const stateOf = ({ value }: Pick<TerminalSnapshot, 'value'>): string =>
  typeof value === 'string' ? value : (Object.keys(value)[0] ?? '');
