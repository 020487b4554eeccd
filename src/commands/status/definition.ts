/** The options of `platen status`. */
import type { Command } from 'commander';
import type { Calls } from '../calls.ts';
import { configOption, jsonOption } from '../usual-options.ts';
import { watchSeconds } from '../watch-seconds.ts';

export function define(program: Command, calls: Calls): void {
  program
    .command('status')
    .description('show the status of the running agent')
    .option(...configOption)
    .option('--terminal <id>', 'one terminal alone, with its settings and where they come from')
    .option('--all', 'a line for every terminal and every condition, however many')
    .option('--watch [seconds]', 'show it again every so many seconds (2), until Ctrl-C', watchSeconds)
    .option(...jsonOption)
    .action(calls.does(async () => (await import('./status.ts')).statusCommand));
}
