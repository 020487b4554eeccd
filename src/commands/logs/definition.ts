/** The options of `platen logs`. */
import type { Command } from 'commander';
import type { Calls } from '../calls.ts';
import { usualConfig } from '../usual-options.ts';
import { moment } from '../terminal-text/moment.ts';
import type { LogsFlags } from './opened-log.ts';
import { openLog } from './opened-log.ts';

export function define(program: Command, calls: Calls): void {
  const logs = calls.opens({ load: async () => (await import('./logs.ts')).logsCommand, open: openLog });
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
