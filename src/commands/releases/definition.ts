/** The options of `platen releases`. */
import type { Command } from 'commander';
import { Option } from 'commander';
import type { Calls } from '../calls.ts';
import { moment } from '../terminal-text/moment.ts';
import { configOption, jsonOption, wholeNumber } from '../usual-options.ts';

export function define(program: Command, calls: Calls): void {
  const releases = program.command('releases').description('the release ledger');
  releases
    .command('list')
    .description('the newest releases')
    .option(...configOption)
    .option('--limit <number>', 'how many', wholeNumber, 20)
    .option('--terminal <id>', 'of this terminal alone')
    .addOption(new Option('--outcome <outcome>', 'that ended so').choices(['completed', 'failed', 'unknown']))
    .option(
      '--since <when>',
      'wanted since then: a time (ISO 8601), or how long ago as in 10s, 30m, 12h, 7d',
      moment,
    )
    .option(...jsonOption)
    .action(calls.does(async () => (await import('./releases.ts')).listReleases));
  const show = calls.does(async () => (await import('./releases.ts')).showRelease);
  releases
    .command('show <code>')
    .description('one release: what happened and how long it took; or an outage, by the code on the screen')
    .option(...configOption)
    .option(...jsonOption)
    .action((id: string, options: { config: string; json?: boolean }) => show({ ...options, id }));
}
