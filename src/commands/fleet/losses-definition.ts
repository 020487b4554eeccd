/** The options of `platen fleet retire` and `platen fleet accept`: what is lost for good. */
import type { Command } from 'commander';
import type { Calls } from '../calls.ts';
import { configOption } from '../usual-options.ts';

export function defineLosses(fleet: Command, calls: Calls): void {
  const retire = calls.does(async () => (await import('./retire.ts')).retireCommand);
  fleet
    .command('retire <gateway>')
    .description('remove a gateway from the fleet if it will not come back; give its name or id')
    .option(...configOption)
    .action((gateway: string, options: { readonly config: string }) => retire({ ...options, gateway }));
  const accept = calls.does(async () => (await import('./accept.ts')).acceptCommand);
  fleet
    .command('accept')
    .description('continue with a new engine, after the old engine was lost for good')
    .option(...configOption)
    .action(accept);
}
