/** The options of `platen timeline`. */
import type { Command } from 'commander';
import { Option } from 'commander';
import type { Calls } from '../calls.ts';
import { configOption } from '../usual-options.ts';
import type { TimelineOptions } from './timeline.ts';
import { endOfMoment, moment } from '../terminal-text/moment.ts';

export function define(program: Command, calls: Calls): void {
  const tell = calls.does(async () => (await import('./timeline.ts')).timelineCommand);
  program
    .command('timeline [terminal]')
    .description('show the events at a terminal (kept for 30 days), or its state at one moment')
    .option(...configOption)
    .addOption(
      new Option(
        '--at <time>',
        'show the state at this time (for example 10:15), with the events 15 minutes before and after',
      )
        .argParser(endOfMoment)
        .conflicts(['since', 'until', 'admin']),
    )
    .option(
      '--since <when>',
      'the start: a time, or how long ago, for example 10s, 30m, 12h, 7d (default: 24h)',
      moment,
    )
    .option('--until <when>', 'the end, written like --since', moment)
    .option('--admin', 'show only actions of administrators; of all 30 days unless --since is given')
    .option('--json', 'print JSON Lines instead of sentences')
    .action((terminal: string | undefined, options: Omit<TimelineOptions, 'terminal'>) =>
      tell({ ...options, ...(terminal === undefined ? {} : { terminal }) }),
    );
}
