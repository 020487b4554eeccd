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
  const terminals = program.command('terminals').description('manage the terminals of a fleet');
  const move = calls.does(async () => (await import('./move.ts')).moveCommand);
  terminals
    .command('move <id>')
    .description('move a terminal, and the terminals at the same printer, to another gateway')
    .requiredOption('--to <gateway>', 'the new gateway; auto: let the fleet choose again')
    .option(
      '--site <site>',
      'the site of the terminal (default: fleet.site of the file, or the site of the gateway)',
    )
    .option(...configOption)
    .action((id: string, options: MoveFlags) => move({ ...options, id }));
}
