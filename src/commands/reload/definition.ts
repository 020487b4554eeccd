/** The options of `platen reload`. */
import type { Command } from 'commander';
import type { Calls } from '../calls.ts';
import { configOption } from '../usual-options.ts';

export function define(program: Command, calls: Calls): void {
  program
    .command('reload')
    .description('let the running agent read its configuration anew, and tell what became of it')
    .option(...configOption)
    .action(calls.does(async () => (await import('./reload.ts')).reloadCommand));
}
