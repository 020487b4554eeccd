/** The options of what shows the gateways of a fleet. */
import type { Command } from 'commander';
import type { Calls } from '../calls.ts';
import { configOption, jsonOption } from '../usual-options.ts';
import { watchSeconds } from '../watch-seconds.ts';

export function defineSight(fleet: Command, calls: Calls): void {
  fleet
    .command('status')
    .description('sites and gateways, what is wrong first')
    .option(...configOption)
    .option('--problems', 'only what is wrong')
    .option('--all', 'a line for every site and gateway, however many')
    .option('--watch [seconds]', 'show it again every so many seconds (2), until Ctrl-C', watchSeconds)
    .option(...jsonOption)
    .action(calls.does(async () => (await import('./status.ts')).fleetStatusCommand));
  fleet
    .command('targets')
    .description('the operations listeners, for the HTTP service discovery of Prometheus')
    .option(...configOption)
    .action(calls.does(async () => (await import('./targets.ts')).fleetTargetsCommand));
}
