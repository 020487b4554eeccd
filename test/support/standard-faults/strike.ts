/** How a fault meets a call: at the server, or on the way to it. */
import { expect } from 'vitest';
import type { FaultOrders } from '../../../src/simulator/cloud/faults.ts';
import type { SimulatedCloud } from '../../../src/simulator/cloud/cloud.ts';
import type { Fault } from './faults.ts';
import { faults } from './faults.ts';
import type { Way, WayFault } from './way.ts';
import { eventually } from '../patience.ts';

export type Match = Parameters<FaultOrders['always']>[0];

export interface Target {
  readonly call: Match;
  /** The next such call, or all until it is mended. */
  readonly times: 'once' | 'always';
  /** The call that the agent makes right before it: only behind that one may the way break. */
  readonly behind?: Match | undefined;
}

export interface Strike {
  /** Resolves when it has met its first call. */
  readonly met: Promise<void>;
  mend(): void;
}

/** The way that the fault needs is given where it needs one. */
export function strike(
  { cloud, way }: { cloud: SimulatedCloud; way: Way | undefined },
  fault: Fault,
  target: Target,
): Strike {
  const { by } = faults[fault];
  const met = typeof by === 'string' ? breakWay(cloud, way, by, target) : spoilAnswers(cloud, by, target);
  // Who does not wait for it sees by other signs that nothing was met.
  met.catch(() => {});
  return {
    met,
    mend() {
      way?.mend();
      cloud.behaveWell();
    },
  };
}

type ServerFault = Parameters<FaultOrders['always']>[1];

function spoilAnswers(cloud: SimulatedCloud, fault: ServerFault, { call, times }: Target): Promise<void> {
  const known = cloud.calls.length;
  if (times === 'once') cloud.answerNext(call, fault);
  else cloud.always(call, fault);
  return cloud.waitFor(() => cloud.calls.slice(known).some((one) => one.fault === fault.kind));
}

async function breakWay(
  cloud: SimulatedCloud,
  way: Way | undefined,
  fault: WayFault,
  { times, behind }: Target,
): Promise<void> {
  if (way === undefined) throw new Error('the stage has no way that could break');
  const before = way.failures();
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
  if (behind !== undefined) {
    const known = cloud.calls.length;
    cloud.answerNext(behind, { kind: 'held-headers', until });
    await cloud.waitFor(() => cloud.calls.slice(known).some((one) => one.fault === 'held-headers'));
  }
  way.break(fault, times);
  letGo();
  const isMet = () => expect(way.failures()).toBeGreaterThan(before);
  await eventually(isMet);
}
