/**
 * The source of `platen logs`: a file, a pipe, or else the journal. The journal is opened while the command still runs
 * as the caller.
 */
import { fstatSync } from 'node:fs';
import { systemClock } from '../../core/clock.ts';
import { hours } from '../../core/duration.ts';
import type { Io } from '../io.ts';
import { askJournal } from './journal.ts';
import type { LogSource } from './source.ts';

export interface LogsFlags {
  readonly config: string;
  /** `-` is standard input. */
  readonly file?: string;
  readonly terminal?: string;
  /** Gets the present time; returns milliseconds since 1970. */
  readonly since?: (now: number) => number;
  readonly follow?: boolean;
  readonly all?: boolean;
}

export interface LogsOptions extends Omit<LogsFlags, 'since' | 'file'> {
  readonly source: LogSource;
  /** Milliseconds since 1970. */
  readonly since: number | undefined;
}

/** For the journal without a start time. A file or a pipe is read from its beginning. */
const usualSpan = hours(24);

export function openLog({ file, since, ...given }: LogsFlags, { env }: Io): LogsOptions {
  const now = systemClock.now();
  const from = since?.(now);
  if (file !== undefined && file !== '-') {
    return { ...given, since: from, source: { kind: 'file', path: file } };
  }
  if (file === '-' || isPiped()) return { ...given, since: from, source: { kind: 'pipe' } };
  const follow = given.follow ?? false;
  const asked = from ?? (given.all || follow ? undefined : now - usualSpan);
  return {
    ...given,
    since: asked,
    source: { kind: 'journal', journal: askJournal({ since: asked, follow }, env) },
  };
}

/** `platen run | platen logs`, `platen logs <platen.log`: a pipe or a file, but no terminal and not /dev/null. */
function isPiped(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isFile() || input.isSocket();
  } catch {
    return false;
  }
}
