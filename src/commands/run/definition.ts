/** `platen run`, as the command line names it. */
import type { Command } from 'commander';
import type { Calls } from '../calls.ts';

export function define(program: Command, calls: Calls): void {
  program
    .command('run')
    .description('run the daemon in the foreground until SIGTERM or SIGINT')
    .requiredOption('-c, --config <file>', 'the configuration file')
    .action(calls.does(async () => (await import('./run.ts')).runCommand));
}
