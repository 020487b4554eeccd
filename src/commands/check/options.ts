/** The options of `platen check`. */
import type { Command } from 'commander';
import { Option } from 'commander';
import type { CheckOptions } from './check.ts';
import { usualConfig } from '../init/options.ts';

export function defineCheck(program: Command, check: (options: CheckOptions) => Promise<void>): void {
  program
    .command('check')
    .description('look at everything a release depends on, a line each with what to do about it')
    .option('-c, --config <file>', 'the configuration file', usualConfig)
    .option(
      '--print-test-page [terminal]',
      'print one page at the printer of this terminal instead, and tell what became of it',
    )
    .option('--json', 'print JSON instead of a table')
    .addOption(
      new Option(
        '--monitor',
        'for Nagios and Icinga: one line with figures, exit 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN',
      ).conflicts(['json', 'printTestPage']),
    )
    .action(check);
}
