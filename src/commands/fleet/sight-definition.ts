/** The options of what shows the gateways of a fleet. */
import type { Command } from 'commander';
import type { Calls } from '../calls.ts';
import { configOption, jsonOption } from '../usual-options.ts';
import { watchSeconds } from '../watch-seconds.ts';

export function defineSight(fleet: Command, calls: Calls): void {
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
