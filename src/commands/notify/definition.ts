/** The options of `platen notify`. */
import type { Command } from 'commander';
import type { Calls } from '../calls.ts';
import { configOption, jsonOption } from '../usual-options.ts';

export function define(program: Command, calls: Calls): void {
  program
    .command('notify')
    .description('the receivers of messages about conditions')
    .command('test')
    .description('send one test message to each receiver of notify, and show the result in one line each')
    .option(...configOption)
    .option(...jsonOption)
    .action(calls.does(async () => (await import('./notify.ts')).testNotify));
}
