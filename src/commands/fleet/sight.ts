/**
 * The data of `platen fleet status`: gateways with their faults, and sites with the sums of their gateways. The worst
 * come first.
 */
import { compared } from '../../core/text/compared.ts';
import type { SeenGateway } from '../../domain/ports/gateways.ts';
import type { EngineLoad } from '../../fleet/engine-load.ts';
import type { Trouble } from '../../domain/gateway-troubles.ts';
import { spanSince, troublesOf } from '../../domain/gateway-troubles.ts';

export interface FleetSight {
  readonly fleet: string;
  readonly engine: { readonly place: string; readonly version: string } & EngineLoad & {
      /** How long the command waited for the three before. */
      readonly lookMilliseconds: number;
    };
  /** The newest roll-out; `null` before the first order. */
  readonly rollout: RolloutSight | null;
  readonly gateways: readonly GatewaySight[];
  readonly sites: readonly SiteSight[];
}

export interface RolloutSight {
  readonly number: number;
  /** The version in its order; 0: each gateway uses only its own file. `null`: the order cannot be read. */
  readonly version: number | null;
  readonly state: 'running' | 'paused' | 'halted' | 'finished';
  /** The gateway at which it halted, and the reason. */
  readonly gateway: string | null;
  readonly why: string | null;
}

export interface GatewaySight extends SeenGateway, Sums {
  readonly troubles: readonly Trouble[];
}

interface Sums {
  /** Milliseconds; `null` if no record waits. */
  readonly oldest: number | null;
  readonly deadLetters: number;
  readonly unknownOutcomes: number;
  readonly certificateDays: number | null;
}

export interface SiteSight extends Sums {
  readonly site: string;
  readonly gateways: number;
  readonly beating: number;
  readonly troubled: number;
  readonly isGrave: boolean;
  readonly terminals: { readonly ready: number; readonly served: number };
}

export function fleetSight(
  seen: readonly SeenGateway[],
  about: Pick<FleetSight, 'fleet' | 'engine' | 'rollout'>,
): FleetSight {
  const gateways = seen.map(gatewaySight).toSorted(byGravity);
  const sites = [...Map.groupBy(gateways, ({ digest }) => digest.site)].map(([site, of]) =>
    siteSight(site, of),
  );
  return { ...about, gateways, sites: sites.toSorted(bySiteGravity) };
}

function gatewaySight(seen: SeenGateway): GatewaySight {
  const { outbox, unknownOutcomes, certificateDays } = seen.digest;
  const oldest = outbox.oldest === null ? undefined : spanSince(outbox.oldest, seen).span;
  return {
    ...seen,
    troubles: troublesOf(seen),
    oldest: oldest ?? null,
    deadLetters: outbox.deadLetters,
    unknownOutcomes,
    certificateDays,
  };
}

function siteSight(site: string, gateways: readonly GatewaySight[]): SiteSight {
  const sum = (of: (one: GatewaySight) => number) => gateways.reduce((total, one) => total + of(one), 0);
  const beating = gateways.filter(({ isBeating }) => isBeating);
  return {
    site,
    gateways: gateways.length,
    beating: beating.length,
    troubled: gateways.filter(({ troubles }) => troubles.length > 0).length,
    isGrave: gateways.some(isGrave),
    // A gateway that is gone has told of these terminals last, but another gateway serves them now.
    terminals: {
      ready: beating.reduce((total, { digest }) => total + digest.terminals.ready, 0),
      served: beating.reduce((total, { digest }) => total + digest.terminals.served, 0),
    },
    oldest: most(gateways.map(({ oldest }) => oldest)),
    deadLetters: sum((one) => one.deadLetters),
    unknownOutcomes: sum((one) => one.unknownOutcomes),
    certificateDays: least(gateways.map(({ certificateDays }) => certificateDays)),
  };
}

const known = (values: readonly (number | null)[]): readonly number[] =>
  values.filter((value) => value !== null);
const most = (values: readonly (number | null)[]): number | null =>
  known(values).toSorted((a, b) => b - a)[0] ?? null;
const least = (values: readonly (number | null)[]): number | null =>
  known(values).toSorted((a, b) => a - b)[0] ?? null;

export const isGrave = ({ troubles }: Pick<GatewaySight, 'troubles'>): boolean =>
  troubles.some(({ severity }) => severity === 'error');
const rank = (one: GatewaySight): number => (isGrave(one) ? 0 : one.troubles.length > 0 ? 1 : 2);
const siteRank = (one: SiteSight): number => (one.isGrave ? 0 : one.troubled > 0 ? 1 : 2);

const byGravity = (one: GatewaySight, other: GatewaySight): number =>
  rank(one) - rank(other) ||
  compared(one.digest.site, other.digest.site) ||
  compared(one.digest.name, other.digest.name);
const bySiteGravity = (one: SiteSight, other: SiteSight): number =>
  siteRank(one) - siteRank(other) || compared(one.site, other.site);

export const isWell = ({ gateways, rollout }: FleetSight): boolean =>
  rollout?.state !== 'halted' && gateways.every(({ troubles }) => troubles.length === 0);
