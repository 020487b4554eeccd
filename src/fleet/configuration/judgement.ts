/**
 * Decides how a roll-out goes on, from the last digests of its sample (F16). It goes on when all gateways of the step
 * run on the version and have been well for the soak time.
 */
import type { Order } from '../../config/pushed/order.ts';
import { sampleSize } from '../../config/pushed/order.ts';
import { inMinutes, minutes, seconds } from '../../core/duration.ts';
import type { Progress, Rollout, RolloutGateway } from './rollout-table.ts';

/** The time to come to the version, from the beginning of the step. */
export const comesWithin = minutes(10);
/** A digest comes every 30 s. A gateway without a digest for so long is away. */
export const silentAfter = minutes(3);
/** A terminal that takes a change is not ready for a moment. */
const lowAfter = seconds(60);

export interface Judged {
  readonly low: readonly string[];
  readonly well: readonly string[];
  /** `undefined`: it stays as it is. */
  readonly progress?: Progress;
}

/**
 * `gateways` are those of the step. The roll-out halts when a gateway refuses or does not come. It also halts when
 * terminals that were well at the order have been in trouble for a minute. The place and the reason are kept.
 */
export function judge(order: Order, rollout: Rollout, gateways: readonly RolloutGateway[]): Judged {
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
