/** The agent's health, readiness, status and metrics. `operations/` and the control socket serve them. */
import type { CloudLink } from './cloud-link.ts';
import type { Surroundings } from '../cloud/surroundings.ts';
import type { Reloading } from './reload.ts';
import { inSeconds } from '../core/duration.ts';
import { version } from '../core/version.ts';
import type { Gateways } from '../domain/ports/gateways.ts';
import type { FleetNow } from '../operations/fleet-metrics.ts';
import type { OperationsPages } from '../operations/pages.ts';
import type { Settling } from '../domain/settling.ts';
import type { Roster } from '../station/roster.ts';
import type { Acknowledgements } from '../status/acknowledgements.ts';
import type { Store } from '../store/store.ts';

interface Watched extends Pick<OperationsPages, 'health' | 'metrics' | 'overview'> {
  readonly born: { readonly pid: number; readonly startedAt: string };
  readonly reloading: Pick<Reloading, 'status'>;
  readonly roster: Pick<Roster, 'list'>;
  readonly link: CloudLink;
  readonly surroundings: Surroundings;
  readonly store: Store;
  readonly acknowledgements: Pick<Acknowledgements, 'timed'>;
  /** `undefined` if this gateway is in no fleet. */
  readonly gateways: Gateways | undefined;
  readonly settling: Settling;
  /** `undefined` if this gateway is in no fleet. */
  fleet(): FleetNow | undefined;
}

export function agentPages(watched: Watched): OperationsPages {
  const {
    overview,
    born,
    reloading,
    roster,
    link,
    surroundings,
    store,
    acknowledgements,
    health,
    metrics,
    fleet,
  } = watched;
  const settlingNow = () => {
    const window = watched.settling.window();
    return window ? { gateways: window.gateways, secondsLeft: Math.ceil(inSeconds(window.left)) } : null;
  };
  const isReady = () => roster.list().some((station) => station.isReady());
  return {
    health,
    metrics,
    overview,
    gateways: watched.gateways,
    ready: () => ({
      ready: isReady(),
      terminals: Object.fromEntries(roster.list().map((station) => [station.id, station.isReady()])),
      reasons: Object.fromEntries(
        roster.list().flatMap((station) => {
          const trouble = station.trouble();
          return trouble === undefined ? [] : [[station.id, trouble]];
        }),
      ),
    }),
    status: () => ({
      version,
      ...born,
      config: reloading.status(),
      ready: isReady(),
      enrollment: link.enrollment(),
      servers: link.servers(),
      surroundings: surroundings.seen() ?? null,
      fleet: fleet() ?? null,
      settling: settlingNow(),
      outbox: { ...store.outboxCounts(), oldest: store.outboxOldest() ?? null },
      conditions: acknowledgements.timed(),
      terminals: roster.list().map((station) => station.status()),
    }),
  };
}
