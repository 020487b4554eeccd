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
    .description('the log in plain words: the journal, or JSON Lines from a file or standard input (-)')
    .option('-c, --config <file>', 'the configuration file, which says what terminals there are', usualConfig)
    .option('--terminal <id>', 'of this terminal alone')
    .option(
      '--since <when>',
      'from then on: a time (ISO 8601), or how long ago as in 10s, 30m, 12h, 7d; else 24h',
      moment,
    )
    .option('--follow', 'keep showing new lines, until Ctrl-C')
    .option('--all', 'everything, routine and debug lines too')
    .action((file: string | undefined, flags: Omit<LogsFlags, 'file'>, command: Command) => {
      if (file !== undefined && file !== '-' && flags.follow) {
        command.error(`error: a file cannot be followed. Use: tail -F ${file} | platen logs`);
      }
      return logs({ ...flags, ...(file === undefined ? {} : { file }) });
    });
}
