/** The options of `platen logs`, and where it reads: a file, a pipe, else the journal. */
import { fstatSync } from 'node:fs';
import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { usualConfig } from '../init/options.ts';
import { moment } from '../terminal-text/moment.ts';
import { systemClock } from '../../core/clock.ts';
import { hours } from '../../core/duration.ts';
import { askJournal } from './journal.ts';
import type { LogSource } from './source.ts';

export interface LogsFlags {
  readonly config: string;
  /** `-` is standard input. */
  readonly file?: string;
  readonly terminal?: string;
  /** Given the present; milliseconds since 1970. */
  readonly since?: (now: number) => number;
  readonly follow?: boolean;
  readonly all?: boolean;
}

export interface LogsOptions extends Omit<LogsFlags, 'since' | 'file'> {
  readonly source: LogSource;
  /** Milliseconds since 1970. */
  readonly since: number | undefined;
}

/** Of the journal, where nobody says since when; a file or a pipe is told from its beginning. */
const usualSpan = hours(24);

/** Of `platen logs`, to be called while the command is still whoever called. */
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

/** `platen run | platen logs`, `platen logs <platen.log`; not a terminal, and not /dev/null. */
function isPiped(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isFile() || input.isSocket();
  } catch {
    return false;
  }
}

export function defineLogs(program: Command, logs: (flags: LogsFlags) => Promise<void>): void {
  program
    .command('logs [file]')
    .description("the log in a person's words: the journal, or JSON Lines from a file or standard input (-)")
    .option('-c, --config <file>', 'the configuration file, which says what terminals there are', usualConfig)
    .option('--terminal <id>', 'of this terminal alone')
    .option(
      '--since <when>',
      'from then on: a time (ISO 8601), or so long ago as in 30m, 12h, 7d; else 24h',
      moment,
    )
    .option('--follow', 'go on with what comes, until interrupted')
    .option('--all', 'routine and debug too, and all that there is')
    .action((file: string | undefined, flags: Omit<LogsFlags, 'file'>, command: Command) => {
      if (file !== undefined && file !== '-' && flags.follow) {
        command.error(`error: a file is told to its end; to follow it: tail -F ${file} | platen logs`);
      }
      return logs({ ...flags, ...(file === undefined ? {} : { file }) });
    });
}
