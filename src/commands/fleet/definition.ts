/** The options of `platen fleet`, a subcommand each. */
import type { Command } from 'commander';
import type { Calls } from '../calls.ts';
import { defineRetire } from './retire-definition.ts';

export function define(program: Command, calls: Calls): void {
  const fleet = program.command('fleet').description('the gateways of a fleet, by way of its engine');
  for (const defineOne of [defineRetire]) defineOne(fleet, calls);
}
