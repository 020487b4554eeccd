/** The commands of `platen fleet`. The options of each command are in the definitions of this folder. */
import type { Command } from 'commander';
import type { Calls } from '../calls.ts';
import { createNewFile } from '../new-file.ts';
import { configOption, jsonOption } from '../usual-options.ts';
import { watchSeconds } from '../watch-seconds.ts';
import { defineRollout } from './rollout-definition.ts';

export function define(program: Command, calls: Calls): void {
  const fleet = program.command('fleet').description('manage the gateways of a fleet through its engine');
  for (const defineSome of [defineSight, defineRollout, defineDiagnose, defineLosses])
    defineSome(fleet, calls);
}

/** The options of `platen fleet diagnose`. */
interface DiagnoseFlags {
  readonly config: string;
  readonly output: string;
  readonly force?: boolean;
}

function defineDiagnose(fleet: Command, calls: Calls): void {
  const diagnose = calls.opens({
    load: async () => (await import('./diagnose.ts')).diagnoseCommand,
    open: ({ output, force, ...given }: DiagnoseFlags & { readonly gateway: string }) => ({
      ...given,
      output: createNewFile(output, { mode: 0o600, force }),
    }),
  });
  fleet
    .command('diagnose <gateway>')
    .description('get the support bundle of a gateway through the engine; it is encrypted on the way')
    .requiredOption('-o, --output <file>', 'the archive, a .tar.gz')
    .option('--force', 'overwrite the file')
    .option(...configOption)
    .action((gateway: string, options: DiagnoseFlags) => diagnose({ ...options, gateway }));
}

/** The options of `platen fleet retire` and `platen fleet accept`, which are for final losses. */
function defineLosses(fleet: Command, calls: Calls): void {
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

/** The options of the commands that show the gateways of a fleet. */
function defineSight(fleet: Command, calls: Calls): void {
  fleet
    .command('status')
    .description('show sites and gateways, with problems first')
    .option(...configOption)
    .option('--problems', 'show only problems')
    .option('--all', 'show a line for every site and gateway, even if there are many')
    .option('--watch [seconds]', 'repeat every so many seconds (default: 2), until Ctrl-C', watchSeconds)
    .option(...jsonOption)
    .action(calls.does(async () => (await import('./status.ts')).fleetStatusCommand));
  fleet
    .command('targets')
    .description('list the operations listeners for the HTTP service discovery of Prometheus')
    .option(...configOption)
    .action(calls.does(async () => (await import('./targets.ts')).fleetTargetsCommand));
}
