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
    .option('--terminal <id>', 'show only this terminal, with its settings and their sources')
    .option('--all', 'show a line for every terminal and every condition, even if there are many')
    .option('--watch [seconds]', 'repeat every so many seconds (default: 2), until Ctrl-C', watchSeconds)
    .option(...jsonOption)
    .action(calls.does(async () => (await import('./status.ts')).statusCommand));
}
