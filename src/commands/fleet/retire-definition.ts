/** The options of `platen fleet retire`. */
import type { Command } from 'commander';
import type { Calls } from '../calls.ts';
import { configOption } from '../usual-options.ts';

export function defineRetire(fleet: Command, calls: Calls): void {
  const retire = calls.does(async () => (await import('./retire.ts')).retireCommand);
  fleet
    .command('retire <gateway>')
    .description('take a gateway off the roll that will not come back: by its name, or its id')
    .option(...configOption)
    .action((gateway: string, options: { readonly config: string }) => retire({ ...options, gateway }));
}
