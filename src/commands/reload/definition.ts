/** The options of `platen reload`. */
import type { Command } from 'commander';
import type { Calls } from '../calls.ts';
import { configOption } from '../usual-options.ts';

export function define(program: Command, calls: Calls): void {
  program
    .command('reload')
    .description('make the running agent reload its configuration, and show the result')
    .option(...configOption)
    .action(calls.does(async () => (await import('./reload.ts')).reloadCommand));
}
