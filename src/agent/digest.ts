/**
 * The digest of this gateway (F17): in a fleet it goes to the engine, alone to its own page only. The support bundle is
 * sent when an administrator asks for it through the engine.
 */
import { certificateEnds } from '../config/certificate-ends.ts';
import type { Config } from '../config/schema/config.ts';
import type { Service } from '../core/service.ts';
import { version } from '../core/version.ts';
import type { Env } from '../domain/env.ts';
import type { ConfigStanding, GatewayDigest } from '../domain/gateway-digest.ts';
import type { Gateways } from '../domain/ports/gateways.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { reachableAt } from '../operations/reachable.ts';
import type { ToldOutage } from '../operations/ui/answers.ts';
import type { Overview } from '../operations/ui/overview.ts';
import { createOverview } from '../operations/ui/overview.ts';
import type { Roster } from '../station/roster.ts';
import { composeDigest, createOwnGateway, isSameButForTime } from '../status/digest.ts';
import { writtenOutage } from '../store/files/outage-story.ts';
import { memberIdIn } from '../store/files/fleet-memory.ts';
import type { CloudLink } from './cloud-link.ts';
import type { AdministratorsDeeds } from './deeds.ts';
import { memberName } from '../config/fleet-part.ts';
import type { Ground } from './ground.ts';
import type { AgentDeps } from './options.ts';

interface DigestedAgent extends Pick<Env, 'clock' | 'chance'> {
  /** The configuration at the start. */
  readonly config: Config;
  configNow(): Config;
  readonly ground: Pick<Ground, 'born' | 'store' | 'conditions' | 'lastDay'>;
  readonly roster: Pick<Roster, 'list'>;
  readonly link: Pick<CloudLink, 'certificates'>;
  readonly fleet: Fleet | undefined;
  readonly deeds: AdministratorsDeeds;
  /** The version of the fleet's configuration on which it runs. */
  standing(): ConfigStanding;
  /** Makes its support bundle; without this, no request for one is answered. */
  readonly bundle?: AgentDeps['bundle'];
}

export interface OwnDigest {
  readonly gateways: Gateways;
  /** For administrators. */
  readonly overview: Overview;
  /** Empty if this gateway is in no fleet. */
  readonly services: readonly Service[];
  /** Called when the digest may have changed. The call is cheap. */
  changed(): void;
}

export function digestOf(agent: DigestedAgent): OwnDigest {
  const { config, ground, roster, link, fleet, clock } = agent;
  const { operations } = config;
  const { store, conditions, born } = ground;
  const ends = configuredEnds(agent);
  const facts = {
    member: memberOf(agent),
    name: memberName(config),
    site: config.fleet?.site ?? 'main',
    version,
    startedAt: born.startedAt,
    operationsTls: operations.tls !== undefined,
  };
  const own = (): GatewayDigest => {
    const terminals = roster.list().map((station) => station.measured());
    return composeDigest({
      ...facts,
      operations: reachableAt(operations),
      terminals: () => terminals,
      outbox: () => store.outboxCounts(),
      outboxOldest: () => store.outboxOldest(),
      unknownSince: (since) => store.releases.unknownSince(since),
      hurt: () => ground.lastDay.hurt(),
      outages: () => ground.lastDay.outages(),
      certificateEnds: () => [
        ...ends(),
        ...link.certificates().values(),
        ...terminals.flatMap(({ certificateEnds: end }) => (end === undefined ? [] : [end])),
      ],
      conditions: () => agent.deeds.acknowledgements.timed(),
      config: () => agent.standing(),
      clock,
    });
  };
  const digests = fleet?.digests({ own, isNews: (before, now) => !isSameButForTime(before, now) });
  const changed = () => digests?.changed();
  conditions.onChange(changed);
  const alone = createOwnGateway(own);
  const gateways = fleet?.gateways ?? alone;
  return {
    gateways,
    overview: createOverview({
      gateways,
      alone,
      releases: store.releases,
      deeds: agent.deeds.deeds,
      clock,
      outage: (reference) => outageOf(config, roster, reference),
    }),
    services: [
      ...(digests === undefined ? [] : [digests.service]),
      ...(fleet && agent.bundle ? [fleet.diagnoses(agent.bundle)] : []),
    ],
    changed,
  };
}

/** An outage may last longer than the timeline keeps its beginning. Then only the terminal's screen still shows it. */
function outageOf(
  { stateDir }: Config,
  roster: DigestedAgent['roster'],
  reference: string,
): ToldOutage | undefined {
  const found = writtenOutage(stateDir, reference);
  if (found) {
    const { terminal, since = null, over = null, reason = null } = found;
    return { reference, terminal, since, over, reason };
  }
  const standing = roster.list().find((station) => station.outage()?.reference === reference);
  const reason = standing?.outage()?.reason;
  return standing && { reference, terminal: standing.id, since: null, over: null, reason: reason ?? null };
}

/** The files are read once for each configuration. */
function configuredEnds({ configNow }: Pick<DigestedAgent, 'configNow'>): () => readonly number[] {
  let known: { readonly of: Config; readonly ends: readonly number[] } | undefined;
  return () => {
    const of = configNow();
    if (known?.of !== of) known = { of, ends: certificateEnds(of).map(({ end }) => end) };
    return known.ends;
  };
}

function memberOf({ config: { stateDir }, chance }: Pick<DigestedAgent, 'config' | 'chance'>): string {
  try {
    return memberIdIn(stateDir, chance);
  } catch {
    // A full disk must not stop the start. A gateway alone shows this id to no other gateway.
    return chance.uuid();
  }
}
