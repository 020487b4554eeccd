/** How a command reaches the engine of a fleet: by the configuration, with or without a running agent. */
import type { FleetPart } from '../../config/fleet-part.ts';
import { loadFleetPart } from '../../config/fleet-part.ts';
import { loadConfig } from '../../config/load.ts';
import { ConfigInvalid } from '../../config/mistakes.ts';
import { systemClock } from '../../core/clock.ts';
import type { Visit } from '../../fleet/engine/visit.ts';
import type { Io } from '../io.ts';

export interface EngineVisit extends Disposable {
  readonly visit: Visit;
  readonly config: FleetPart;
}

/** Rejects `ConfigInvalid`, `fleet-engine-away` or another problem of the engine: exit codes 78 and 69. */
export async function atEngine(file: string, io: Pick<Io, 'env' | 'stop'>): Promise<EngineVisit> {
  const config = loadFleetPart(file, io.env);
  const { visitEngine } = await import('../../fleet/engine/visit.ts');
  const { engine, key, previousKey } = config;
  const at = { address: engine.url, key, previousKey };
  const visit = await visitEngine({ ...at, clock: systemClock, signal: io.stop });
  return { visit, config, [Symbol.dispose]: () => visit[Symbol.dispose]() };
}

/**
 * The configuration of a gateway, for notes in its state directory. Throws `ConfigInvalid`, also if it is in no fleet.
 */
export function memberConfig(file: string, { env }: Pick<Io, 'env'>) {
  const { fleet, stateDir } = loadConfig(file, env);
  if (fleet) return { fleet, stateDir };
  throw new ConfigInvalid(file, [
    { path: ['fleet'], message: 'is missing, so this gateway is not in a fleet' },
  ]);
}
