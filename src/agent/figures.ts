/** The metrics of this gateway. Each figure is read from its source when it is asked for. */
import type { Config } from '../config/schema/config.ts';
import type { RootLog } from '../core/log.ts';
import { version } from '../core/version.ts';
import type { FleetNow } from '../operations/fleet-metrics.ts';
import type { GatewaySources } from '../operations/gateway-metrics.ts';
import type { Roster } from '../station/roster.ts';
import type { TraceExporter } from '../telemetry/exporter.ts';
import type { CloudLink } from './cloud-link.ts';
import type { Ground } from './ground.ts';

export function figuresOf(agent: {
  readonly config: Pick<Config, 'stateDir'>;
  readonly ground: Pick<Ground, 'store' | 'conditions'>;
  readonly link: Pick<CloudLink, 'tokenExpiresIn' | 'certificates' | 'callRates'>;
  readonly roster: Pick<Roster, 'list'>;
  readonly traces: Pick<TraceExporter, 'counts'> | undefined;
  /** `undefined` if this gateway is in no fleet. */
  readonly fleetNow: (() => FleetNow) | undefined;
  readonly log: RootLog;
}): GatewaySources {
  const { config, ground, traces, link, roster, fleetNow, log } = agent;
  const { store, conditions } = ground;
  return {
    version,
    stateDir: config.stateDir,
    outbox: () => store.outboxCounts(),
    outboxOldest: () => store.outboxOldest(),
    tokenExpiresIn: () => link.tokenExpiresIn(),
    conditions: () => conditions.list(),
    internalFaults: () => log.errors('internal'),
    certificates: () => link.certificates(),
    callRates: () => link.callRates(),
    ...(traces ? { traces: () => traces.counts() } : {}),
    ...(fleetNow ? { fleetNow } : {}),
    terminalsNow: () => roster.list().map((station) => station.measured()),
  };
}
