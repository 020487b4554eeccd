/** The commands of `platen fleet`; what each takes is in the definitions beside it. */
import type { Command } from 'commander';
import type { Calls } from '../calls.ts';
import { defineDiagnose } from './diagnose-definition.ts';
import { defineLosses } from './losses-definition.ts';
import { defineRollout } from './rollout-definition.ts';
import { defineSight } from './sight-definition.ts';

export function define(program: Command, calls: Calls): void {
  const fleet = program.command('fleet').description('manage the gateways of a fleet through its engine');
  for (const defineSome of [defineSight, defineRollout, defineDiagnose, defineLosses])
    defineSome(fleet, calls);
}
