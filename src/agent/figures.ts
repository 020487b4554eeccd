/** The metrics of this gateway. Each figure is read from its source when it is asked for. */
import type { Config } from '../config/schema/config.ts';
import type { Clock } from '../core/clock.ts';
import type { RootLog } from '../core/log.ts';
import { version } from '../core/version.ts';
import type { FleetNow } from '../operations/fleet-metrics.ts';
import type { Metrics } from '../operations/metrics.ts';
import { createMetrics } from '../operations/metrics.ts';
import type { Stations } from '../station/stations.ts';
import type { TraceExporter } from '../telemetry/exporter.ts';
import type { CloudLink } from './cloud-link.ts';
import type { Ground } from './ground.ts';

export function metricsOf(agent: {
  readonly config: Pick<Config, 'stateDir'>;
  readonly ground: Pick<Ground, 'store' | 'conditions'>;
  link(): Pick<CloudLink, 'tokenExpiresIn' | 'certificates' | 'callRates'>;
  stations(): Pick<Stations, 'list'>;
  readonly traces: Pick<TraceExporter, 'counts'> | undefined;
  /** `undefined` if this gateway is in no fleet. */
  readonly fleetNow: (() => FleetNow) | undefined;
  readonly clock: Clock;
  readonly log: RootLog;
}): Metrics {
  const { config, ground, traces, link, stations, fleetNow, clock, log } = agent;
  const { store, conditions } = ground;
  return createMetrics({
    version,
    stateDir: config.stateDir,
    clock,
    outbox: () => store.outboxCounts(),
    outboxOldest: () => store.outboxOldest(),
    tokenExpiresIn: () => link().tokenExpiresIn(),
    conditions: () => conditions.list(),
    internalFaults: () => log.errors('internal'),
    certificates: () => link().certificates(),
    callRates: () => link().callRates(),
    ...(traces ? { traces: () => traces.counts() } : {}),
    ...(fleetNow ? { fleetNow } : {}),
    terminalsNow: () =>
      stations()
        .list()
        .map((station) => station.measured()),
  });
}
