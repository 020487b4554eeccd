/**
 * `platen fleet status`: all gateways, from their own reports to the engine, once or repeatedly. The command asks no
 * gateway.
 */
import { isoInstant, systemClock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import type { Visit } from '../../fleet/engine/visit.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { watchStatus } from '../status/watch.ts';
import { dotOf, paintFor } from '../terminal-text/screen.ts';
import { atEngine } from './engine.ts';
import type { FleetSight, RolloutSight } from './sight.ts';
import { fleetSight, isWell } from './sight.ts';
import type { FleetLook } from './view.ts';
import { fleetLine, fleetText } from './view.ts';

export interface FleetStatusOptions {
  readonly config: string;
  readonly problems?: boolean;
  readonly all?: boolean;
  /** Seconds between two looks; true: 2 seconds. */
  readonly watch?: number | true;
  readonly json?: boolean;
}

const usualInterval = 2;
const away = 'The engine of the fleet does not answer.';

export async function fleetStatusCommand(options: FleetStatusOptions, io: Io): Promise<number> {
  const { config, json, watch } = options;
  const show = (sight: FleetSight) => fleetText(sight, lookFor(options, io));
  const data = (sight: FleetSight) => dataOf(sight, options);
  if (watch !== undefined) {
    await watchStatus({
      see: () => sightUnlessAway(config, io),
      line: (sight) => `${isoInstant(systemClock.now())} ${fleetLine(sight)}`,
      show,
      data,
      away,
      interval: seconds(watch === true ? usualInterval : watch),
      json,
      io,
    });
    return exitCode.ok;
  }
  const sight = await sightOf(config, io);
  io.out(json ? JSON.stringify(data(sight), undefined, 2) : show(sight));
  return isWell(sight) ? exitCode.ok : exitCode.failed;
}

async function sightOf(config: string, io: Io): Promise<FleetSight> {
  using engine = await atEngine(config, io);
  const { gatewaysBy } = await import('../../fleet/members/digests.ts');
  const { engineLoad } = await import('../../fleet/engine-load.ts');
  const { visit } = engine;
  const { place, settings } = visit.facts;
  // Debian adds the version of its package.
  const version = settings.version.replace(/ .*$/, '');
  const askedAt = systemClock.monotonic();
  const load = await engineLoad(visit.ask);
  const lookMilliseconds = Math.ceil(systemClock.monotonic() - askedAt);
  return fleetSight(await gatewaysBy(visit), {
    fleet: visit.fleet.id,
    engine: { place, version, ...load, lookMilliseconds },
    rollout: await newestRollout(visit, io.stop),
  });
}

async function newestRollout({ ask }: Visit, signal: AbortSignal): Promise<RolloutSight | null> {
  const { createOrders } = await import('../../fleet/configuration/rollout-table.ts');
  const { claimedVersion } = await import('../../fleet/configuration/beliefs.ts');
  const found = await createOrders(ask).newest(signal);
  if (!found) return null;
  const { number, state, gateway, why, order } = found;
  return { number, state, gateway, why, version: claimedVersion(order) ?? null };
}

/** With `--watch` the command waits until the engine is back. */
async function sightUnlessAway(config: string, io: Io): Promise<FleetSight | undefined> {
  try {
    return await sightOf(config, io);
  } catch (error) {
    if (isProblem(error, 'fleet-engine-away') || io.stop.aborted) return undefined;
    throw error;
  }
}

/** For programs: each gateway's digest with its faults. */
function dataOf(sight: FleetSight, { problems }: FleetStatusOptions): object {
  const { gateways, ...fleet } = sight;
  return {
    ...fleet,
    well: isWell(sight),
    gateways: gateways
      .filter(({ troubles }) => !problems || troubles.length > 0)
      .map(({ digest, hasTold, isBeating, ageSeconds, lastBeatSeconds, troubles }) => ({
        ...digest,
        hasTold,
        isBeating,
        ageSeconds,
        lastBeatSeconds,
        troubles,
      })),
  };
}

const lookFor = ({ all, problems }: FleetStatusOptions, { screen, env }: Io): FleetLook => ({
  width: screen?.columns ?? 120,
  dot: dotOf(env),
  paint: paintFor(screen),
  isWhole: all === true,
  problemsAlone: problems === true,
});
