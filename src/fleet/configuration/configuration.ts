/** Follows the fleet's configuration on one gateway, and looks after its roll-outs together with the others. */
import { parsedOrder } from '../../config/pushed/order.ts';
import type { Order } from '../../config/pushed/order.ts';
import { sampleSize } from '../../config/pushed/steps.ts';
import type { Chance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import { inMinutes, minutes, seconds } from '../../core/duration.ts';
import type { Log } from '../../core/log.ts';
import { runPeriodically, Wake } from '../../core/periodic.ts';
import type { Service } from '../../core/service.ts';
import type { Conditions } from '../../domain/condition.ts';
import type { Env } from '../../domain/env.ts';
import { asProblem } from '../../domain/problem/problem.ts';
import type { Engine } from '../engine/engine.ts';
import type { FollowerUser } from './follower.ts';
import { Follower } from './follower.ts';
import { createRolloutTable } from './rollout-table.ts';
import type { Progress, Rollout, RolloutGateway, RolloutTable } from './rollout-table.ts';
import type { Ask } from './version-table.ts';
import { createVersionTable } from './version-table.ts';

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
 * command has to keep running. `judge` decides, and the change is made by compare-and-set.
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

/** The time to come to the version, from the beginning of the step. */
const comesWithin = minutes(10);
/** A digest comes every 30 s. A gateway without a digest for so long is away. */
const silentAfter = minutes(3);
/** A terminal that takes a change is not ready for a moment. */
const lowAfter = seconds(60);

interface Judged {
  readonly low: readonly string[];
  readonly well: readonly string[];
  /** `undefined`: it stays as it is. */
  readonly progress?: Progress;
}

/**
 * Decides how a roll-out goes on, from the last digests of its sample (F16): `gateways` are those of the step. It
 * goes on when all of them run on the version and have been well for the soak time. It halts when a gateway refuses
 * or does not come. It also halts when terminals that were well at the order have been in trouble for a minute. The
 * place and the reason are kept.
 */
function judge(order: Order, rollout: Rollout, gateways: readonly RolloutGateway[]): Judged {
  const low = gateways.filter((one) => isLow(one, order)).map(({ member }) => member);
  const marks = {
    low,
    well: gateways
      .filter(({ member, lowFor }) => lowFor !== null && !low.includes(member))
      .map(({ member }) => member),
  };
  const progress = progressOf(order, rollout, gateways, low);
  return progress ? { ...marks, progress } : marks;
}

function progressOf(
  order: Order,
  rollout: Rollout,
  gateways: readonly RolloutGateway[],
  low: readonly string[],
): Progress | undefined {
  const { step, soakingFor, total } = rollout;
  for (const one of gateways) {
    const why = complaint(one, order, rollout);
    if (why !== undefined) return { state: 'halted', step, soaks: false, halt: { gateway: one.name, why } };
  }
  const isWell = low.length === 0 && gateways.every((one) => hasCome(one, order));
  if (!isWell) return soakingFor === null ? undefined : { state: 'running', step, soaks: false };
  if (soakingFor === null && order.soakSeconds > 0) return { state: 'running', step, soaks: true };
  if ((soakingFor ?? 0) < seconds(order.soakSeconds)) return undefined;
  const next = nextStep(order, step, total);
  return next === undefined
    ? { state: 'finished', step, soaks: false }
    : { state: 'running', step: next, soaks: false };
}

/** The next step that takes more gateways than this one. */
function nextStep({ steps }: Order, step: number, total: number): number | undefined {
  const now = sampleSize(total, steps[step] ?? 100);
  const next = steps.findIndex((percent, index) => index > step && sampleSize(total, percent) > now);
  return next < 0 ? undefined : next;
}

const hasCome = ({ told }: RolloutGateway, { version }: Order): boolean =>
  told !== null && (told.version ?? 0) === version;

const isLow = (one: RolloutGateway, order: Order): boolean =>
  hasCome(one, order) && one.told !== null && one.told.well < one.well;

/** The end of a sentence, after the gateway's name; `undefined` if nothing is wrong with it. */
function complaint(one: RolloutGateway, order: Order, { stepAge }: Rollout): string | undefined {
  const { told, well, lowFor } = one;
  const { version } = order;
  if (!hasCome(one, order)) {
    // A refusal from before the step, or before a person resumed, is not about this try.
    if (told?.refused?.version === version && told.age < stepAge) return `refuses it: ${told.refused.why}`;
    if (told?.follows === false) return 'has no fleet.signers, and uses only its own file';
    return stepAge < comesWithin
      ? undefined
      : `did not accept the version within ${inMinutes(comesWithin)} minutes; run platen status there`;
  }
  if (told === null) return undefined;
  if (told.age > silentAfter && stepAge > silentAfter) {
    return `has reported nothing for ${inMinutes(silentAfter)} minutes since it accepted the version`;
  }
  return isLow(one, order) && (lowFor ?? 0) >= lowAfter
    ? `has ${told.well} working terminals, but had ${well} when the order was given`
    : undefined;
}
