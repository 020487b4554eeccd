/** The options of `platen releases`. */
import type { Command } from 'commander';
import { Option } from 'commander';
import type { Calls } from '../calls.ts';
import { moment } from '../terminal-text/moment.ts';
import { configOption, jsonOption, wholeNumber } from '../usual-options.ts';

interface SettleOptions {
  readonly config: string;
  readonly cameOut?: boolean;
  readonly didNotComeOut?: boolean;
}

export function define(program: Command, calls: Calls): void {
  const releases = program.command('releases').description('show the release ledger');
  releases
    .command('list')
    .description('show the newest releases')
    .option(...configOption)
    .option('--limit <number>', 'the number of releases', wholeNumber, 20)
    .option('--terminal <id>', 'show only this terminal')
    .addOption(
      new Option('--outcome <outcome>', 'show only releases with this outcome').choices([
        'completed',
        'failed',
        'unknown',
      ]),
    )
    .option(
      '--since <when>',
      'show only releases since a time (ISO 8601), or for so long, for example 10s, 30m, 12h, 7d',
      moment,
    )
    .option(...jsonOption)
    .action(calls.does(async () => (await import('./releases.ts')).listReleases));
  const show = calls.does(async () => (await import('./releases.ts')).showRelease);
  releases
    .command('show <code>')
    .description('show one release with its events and times, or an outage, by the code on the screen')
    .option(...configOption)
    .option(...jsonOption)
    .action((id: string, options: { config: string; json?: boolean }) => show({ ...options, id }));
  const settle = calls.does(async () => (await import('./settle.ts')).settleReleases);
  releases
    .command('settle <codes...>')
    .description('say what came out of releases that ended as unknown, after you looked at the printer')
    .option(...configOption)
    .addOption(new Option('--came-out', 'the pages are there').conflicts('didNotComeOut'))
    .addOption(new Option('--did-not-come-out', 'nothing was printed'))
    .action((codes: string[], options: SettleOptions) => settle({ ...options, codes }));
}
