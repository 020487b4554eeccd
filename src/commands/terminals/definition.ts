/** The options of `platen terminals`. */
import type { Command } from 'commander';
import type { Calls } from '../calls.ts';
import { configOption } from '../usual-options.ts';

interface MoveFlags {
  readonly config: string;
  readonly to: string;
  readonly site?: string;
}

export function define(program: Command, calls: Calls): void {
  const terminals = program.command('terminals').description('the terminals of a fleet');
  const move = calls.does(async () => (await import('./move.ts')).moveCommand);
  terminals
    .command('move <id>')
    .description('has a terminal, and those at the same printer, served by another gateway from now on')
    .requiredOption('--to <gateway>', 'the gateway; auto: let the fleet choose again')
    .option(
      '--site <site>',
      'where the terminal is (default: fleet.site of the file, or that of the gateway)',
    )
    .option(...configOption)
    .action((id: string, options: MoveFlags) => move({ ...options, id }));
}
