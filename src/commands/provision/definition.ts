/** The options of `platen provision`. */
import type { Command } from 'commander';
import type { Calls } from '../calls.ts';
import { configOption, passwordFileOption } from '../usual-options.ts';

export function define(program: Command, calls: Calls): void {
  program
    .command('provision')
    .description('compare the output ports of the service with the terminals here; correct them with --apply')
    .option(...configOption)
    .requiredOption('--user <name>', 'the administrator to log in as')
    .option(...passwordFileOption)
    .option('--domain <domain>', "of new output ports; else the account's primary domain")
    .option('--apply', 'make and change output ports instead of telling only')
    .option('--json', 'print JSON instead of lines')
    .action(calls.does(async () => (await import('./provision.ts')).provisionCommand));
}
