/** The fleet's configuration as one gateway follows it, and looks after its roll-outs with the others. */
import type { Chance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import type { Log } from '../../core/log.ts';
import type { Service } from '../../core/service.ts';
import type { Conditions } from '../../domain/condition.ts';
import type { Engine } from '../engine/engine.ts';
import type { FollowerUser } from './follower.ts';
import { Follower } from './follower.ts';
import { createRolloutTable } from './rollout-table.ts';
import { createSteward } from './steward.ts';
import type { Ask } from './version-table.ts';
import { createVersionTable } from './version-table.ts';

export interface FleetConfiguration extends Pick<Follower, 'standing' | 'now' | 'again'> {
  readonly services: readonly Service[];
}

const within = seconds(10);

/** A gateway whose own file names nobody who may sign follows nothing, and looks after what the others do. */
export function followConfiguration(options: {
  readonly engine: Engine;
  readonly member: string;
  readonly user: FollowerUser;
  readonly conditions: Conditions;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}): FleetConfiguration {
  const { engine, ...world } = options;
  const ask: Ask = (statement, values, signal) => engine.ask(statement, values, { within, signal });
  const rollouts = createRolloutTable(ask, (channel, listener) => engine.onNotice(channel, listener));
  const fleet = (): string | undefined => {
    const state = engine.state();
    return state.is === 'up' ? state.facts.fleet.id : undefined;
  };
  const follower = new Follower({ ...world, rollouts, versions: createVersionTable(ask), fleet });
  const steward = createSteward({ ...world, table: rollouts });
  return {
    services: world.user.signers.length === 0 ? [steward] : [follower.service, steward],
    standing: () => follower.standing(),
    now: () => follower.now(),
    again: () => follower.again(),
  };
}
