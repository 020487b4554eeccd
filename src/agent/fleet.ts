/** Brings this gateway into the fleet that its configuration names; where it names none, nothing of one is loaded (F4). */
import { hostname } from 'node:os';
import type { Config } from '../config/schema/config.ts';
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import { hours, inSeconds } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import type { Service } from '../core/service.ts';
import { version } from '../core/version.ts';
import type { Conditions } from '../domain/condition.ts';
import type { ClaimBooks } from '../domain/ports/claims.ts';
import type { Holds } from '../domain/ports/holds.ts';
import type { Ledger } from '../domain/ports/ledger.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { FleetNow } from '../operations/fleet-metrics.ts';
import { createEmbeddedHolds } from '../station/embedded-holds.ts';
import type { Stations } from '../station/stations.ts';
import type { Courier } from '../store/outbox/courier.ts';
import { memberIdIn } from '../store/files/member-id.ts';

interface FleetWorld {
  readonly books: ClaimBooks;
  readonly ledger: Ledger;
  readonly conditions: Conditions;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}

export async function enterFleet(
  { fleet: config, stateDir, device, history }: Pick<Config, 'fleet' | 'stateDir' | 'device' | 'history'>,
  world: FleetWorld,
): Promise<Fleet | undefined> {
  if (!config) return undefined;
  const { openFleet } = await import('../fleet/fleet.ts');
  const member = { id: memberIdIn(stateDir, world.chance), name: device.clientId ?? hostname(), version };
  const unknownHold = () => hours(history.unknownAfterHours);
  return openFleet({ config, member, unknownHold, ...world });
}

/** Alone, a gateway serves all its terminals. */
export const holdsOf = (fleet: Fleet | undefined, stations: () => Stations): Holds =>
  fleet?.holds({
    isIdle: (terminal) => stations().isIdle(terminal),
    changed: (terminal) => stations().holdChanged(terminal),
  }) ?? createEmbeddedHolds();

/** Its records wait while the engine is away, and go when it is back. */
export function fleetServices(
  { engine, claims, wills }: Fleet,
  { stations, courier }: { readonly stations: Stations; readonly courier: Pick<Courier, 'retryNow'> },
): readonly Service[] {
  engine.onState(({ is }) => is === 'up' && courier.retryNow());
  return [engine.service, claims.service, wills.settling(stations)];
}

/** For the status and the metrics. */
export function fleetSeen(
  { engine }: Pick<Fleet, 'engine'>,
  { holds, terminals }: { readonly holds: Holds; readonly terminals: readonly string[] },
): FleetNow {
  const state = engine.state();
  const { site = '', beatAge, members = [] } = holds.roll() ?? {};
  return {
    site,
    engine:
      state.is === 'up'
        ? { isUp: true, place: state.facts.place }
        : { isUp: false, detail: state.problem.message },
    beatAgeSeconds: beatAge === undefined ? null : inSeconds(beatAge),
    members: members.map(({ lastBeat, ...member }) => ({ ...member, lastBeatSeconds: inSeconds(lastBeat) })),
    held: terminals.filter((terminal) => holds.standing(terminal).is === 'held').length,
    terminals: terminals.length,
  };
}
