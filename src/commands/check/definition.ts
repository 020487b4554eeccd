/** The options of `platen check`. */
import type { Command } from 'commander';
import { Option } from 'commander';
import type { Calls } from '../calls.ts';
import { runProgramOf } from '../program.ts';
import { configOption, jsonOption } from '../usual-options.ts';
import type { CheckOptions } from './check.ts';

export function define(program: Command, calls: Calls): void {
  program
    .command('check')
    .description('check everything that a release needs; each line says what to do')
    .option(...configOption)
    .option(
      '--print-test-page [terminal]',
      'do not check; print one page at the printer of this terminal, and show the result',
    )
    .option(...jsonOption)
    .addOption(
      new Option(
        '--monitor',
        'for Nagios and Icinga: one line with figures; exit code 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN',
      ).conflicts(['json', 'printTestPage']),
    )
    .action(
      calls.opens({
        load: async () => (await import('./check.ts')).checkCommand,
        open: (given: CheckOptions) => given,
        // The check opens readers as the agent does, so it needs the same groups.
        groups: async (io) => (await import('./unit-access.ts')).unitGroups(runProgramOf(io.env['PATH'])),
      }),
    );
}
