/** The options of `platen notify`. */
import type { Command } from 'commander';
import type { Calls } from '../calls.ts';
import { configOption, jsonOption } from '../usual-options.ts';

export function define(program: Command, calls: Calls): void {
  program
    .command('notify')
    .description('who is told of conditions')
    .command('test')
    .description('send one test message to each receiver of notify; a line each with what happened')
    .option(...configOption)
    .option(...jsonOption)
    .action(calls.does(async () => (await import('./notify.ts')).testNotify));
}
