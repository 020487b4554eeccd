/** Follows the fleet's configuration on one gateway, and looks after its roll-outs together with the others. */
import type { Chance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import { minutes, seconds } from '../../core/duration.ts';
import type { Log } from '../../core/log.ts';
import type { Service } from '../../core/service.ts';
import type { Conditions } from '../../domain/condition.ts';
import type { Engine } from '../engine/engine.ts';
import { runPeriodically, Wake } from '../../core/periodic.ts';
import type { Env } from '../../domain/env.ts';
import { parsedOrder, sampleSize } from '../../config/pushed/order.ts';
import { asProblem } from '../../domain/problem/problem.ts';
import type { FollowerUser } from './follower.ts';
import { Follower } from './follower.ts';
import { createRolloutTable } from './rollout-table.ts';
import type { Ask } from './version-table.ts';
import { createVersionTable } from './version-table.ts';
import { judge } from './judgement.ts';
import type { RolloutTable } from './rollout-table.ts';

export interface FleetConfiguration extends Pick<Follower, 'standing' | 'now' | 'again'> {
  readonly services: readonly Service[];
}

const within = seconds(10);

/** A gateway without signers in its own file follows nothing, but looks after the roll-outs of the others. */
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

/** All members together look once in this time. */
const lookEvery = seconds(10);
const retry = { first: seconds(10), factor: 2, longest: minutes(2) };

interface StewardDeps extends Pick<Env, 'clock' | 'chance' | 'log'> {
  readonly table: RolloutTable;
}

/**
 * Looks after the newest roll-out. Any living member does so, and the engine gives the turn to one at a time. So no
 * command has to keep running. `judgement.ts` decides, and the change is made by compare-and-set.
 */
export function createSteward({ table, clock, chance, log }: StewardDeps): Service {
  const wake = new Wake();
  return {
    name: 'roll-out',
    async run(signal, progress) {
      using _ = table.onNews(() => wake.ring());
      const duty = {
        attempt: (stop: AbortSignal) => lookAfter({ table, log }, stop),
        interval: lookEvery,
        retry,
        wake,
        onFailure(cause: unknown) {
          const error = asProblem(cause, 'internal', 'the roll-out could not be looked after');
          // The engine reports its own absence.
          if (error.code !== 'fleet-engine-away') log.warn('rollout not looked after', { error });
          return undefined;
        },
      };
      await runPeriodically(duty, { clock, chance }, signal, progress);
    },
  };
}

async function lookAfter(
  { table, log }: Pick<StewardDeps, 'table' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const rollout = await table.turn(lookEvery - 1000, signal);
  if (!rollout) return;
  const { number, step, total } = rollout;
  const order = parsedOrder(rollout.order.body);
  const { steps, version } = order;
  const gateways = await table.gateways(number, sampleSize(total, steps[step] ?? 100), signal);
  const { low, well, progress } = judge(order, rollout, gateways);
  if (low.length + well.length > 0) await table.mark(number, low, well, signal);
  if (!progress || !(await table.progress(rollout, progress, signal))) return;
  const facts = { rollout: number, version };
  if (progress.halt) log.warn('rollout halted', { ...facts, ...progress.halt });
  else if (progress.state === 'finished') log.info('rollout finished', { ...facts, gateways: total });
  else if (progress.step !== step) {
    const percent = steps[progress.step] ?? 100;
    log.info('rollout goes on', { ...facts, percent, gateways: sampleSize(total, percent) });
  }
}
