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
    .description('show the log in plain words: the journal, or JSON Lines from a file or standard input (-)')
    .option('-c, --config <file>', 'the configuration file with the list of terminals', usualConfig)
    .option('--terminal <id>', 'show only this terminal')
    .option(
      '--since <when>',
      'the start: a time (ISO 8601), or how long ago, for example 10s, 30m, 12h, 7d (default: 24h)',
      moment,
    )
    .option('--follow', 'keep showing new lines, until Ctrl-C')
    .option('--all', 'show everything, with routine and debug lines')
    .action((file: string | undefined, flags: Omit<LogsFlags, 'file'>, command: Command) => {
      if (file !== undefined && file !== '-' && flags.follow) {
        command.error(`error: a file cannot be followed. Use: tail -F ${file} | platen logs`);
      }
      return logs({ ...flags, ...(file === undefined ? {} : { file }) });
    });
}
