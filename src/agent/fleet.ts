/**
 * Brings this gateway into the fleet of its configuration. If it names no fleet, the fleet code is not even loaded
 * (F4).
 */
import { memberName } from '../config/fleet-part.ts';
import { keptFile, keptText, readKept } from '../config/pushed/kept.ts';
import type { Config } from '../config/schema/config.ts';
import { hours, inSeconds } from '../core/duration.ts';
import type { Service } from '../core/service.ts';
import { version } from '../core/version.ts';
import type { Env } from '../domain/env.ts';
import type { ClaimBooks } from '../domain/ports/claims.ts';
import type { Holds } from '../domain/ports/holds.ts';
import type { Ledger } from '../domain/ports/ledger.ts';
import type { OutputPorts } from '../domain/ports/service.ts';
import type { Settling } from '../domain/settling.ts';
import type { Heir } from '../domain/ports/wills.ts';
import type { FleetConfiguration } from '../fleet/configuration/configuration.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { LoadSeen } from '../fleet/wills.ts';
import type { FleetNow } from '../operations/fleet-metrics.ts';
import { createEmbeddedClaims } from '../release/claiming.ts';
import { createEmbeddedHolds } from '../station/embedded-holds.ts';
import type { Roster } from '../station/roster.ts';
import {
  aloneWordIn,
  fleetSizeIn,
  keptFleetIn,
  lastBeatIn,
  memberIdIn,
} from '../store/files/fleet-memory.ts';
import type { AgentDeps } from './options.ts';
import type { ReloadOutcome } from './reload.ts';
import { writeDurably } from '../store/files/durable-file.ts';

interface AgentFleetDeps extends Env {
  readonly readConfig: () => Config;
  readonly books: ClaimBooks;
  readonly ledger: Ledger;
}

export async function enterFleet(
  {
    fleet: config,
    stateDir,
    device,
    history,
    terminals,
  }: Pick<Config, 'fleet' | 'stateDir' | 'device' | 'history' | 'terminals'>,
  deps: AgentFleetDeps,
): Promise<Fleet | undefined> {
  if (!config) return undefined;
  const { openFleet } = await import('../fleet/fleet.ts');
  const member = { id: memberIdIn(stateDir, deps.chance), name: memberName({ device }), version };
  const unknownHold = () => hours(history.unknownAfterHours);
  return openFleet({
    config,
    member,
    unknownHold,
    sizeFile: fleetSizeIn(stateDir),
    ...deps,
    configAgain: () => deps.readConfig().fleet,
    alone: createEmbeddedClaims(deps),
    keptBeat: lastBeatIn(stateDir),
    allegiance: keptFleetIn(stateDir),
    aloneRecord: (engine) => aloneWordIn(stateDir, engine),
    placeOf: (terminal) => terminals.find(({ id }) => id === terminal)?.place ?? terminal,
  });
}

/** A gateway without a fleet serves all its terminals. */
export const holdsOf = (fleet: Fleet | undefined, roster: Roster, onChange: () => void): Holds =>
  fleet?.holds({
    isIdle: (terminal) => roster.isIdle(terminal),
    async changed(terminal) {
      onChange();
      await roster.of(terminal)?.holdChanged();
    },
  }) ?? createEmbeddedHolds();

/** `reload` reads the file again, together with the version that `pushed` chooses. */
export const configurationOf = (
  fleet: Fleet | undefined,
  {
    config: { stateDir },
    pushed: choice = {},
    settling,
  }: Pick<AgentDeps, 'config' | 'pushed'> & { readonly settling: Settling },
  reload: () => Promise<ReloadOutcome>,
): FleetConfiguration | undefined =>
  fleet?.configuration({
    choice,
    async reload() {
      // Many gateways take the new version in the same second.
      settling.begin();
      const outcome = await reload();
      return outcome.state === 'refused' ? outcome.mistakes : [];
    },
    kept: () => readKept(stateDir),
    keep: (kept) => writeDurably(keptFile(stateDir), Buffer.from(keptText(kept))),
  });

/** `onEngine` is called when the engine can be asked again. */
export function fleetServices(
  fleet: Fleet | undefined,
  { heir, onEngine }: { readonly heir: Heir; onEngine(): void },
): readonly Service[] {
  if (!fleet) return [];
  const { engine, claims, wills, headcount } = fleet;
  engine.onState(({ is }) => {
    if (is === 'up') onEngine();
  });
  return [engine.service, claims.service, wills.settling(heir), headcount];
}

/** In a fleet one gateway reads the output ports for all. */
export const portsFor = (
  fleet: Fleet | undefined,
  ports: OutputPorts,
  { cloud: { baseUrl, apiKey } }: Pick<Config, 'cloud'>,
): OutputPorts => fleet?.sharedPorts(ports, `${baseUrl} ${apiKey.reveal()}`) ?? ports;

/** For the status and the metrics. */
export function fleetSeen(
  { engine, wills }: Pick<Fleet, 'engine' | 'wills'>,
  { holds, terminals, configuration }: SeenParts,
): FleetNow {
  const state = engine.state();
  const refusal = engine.refusal();
  const { site = '', beatAge, members = [] } = holds.roll() ?? {};
  const seen = wills.seen();
  return {
    site,
    engine:
      state.is === 'up' && refusal
        ? { isUp: false, place: state.facts.place, detail: refusal.message }
        : state.is === 'up'
          ? { isUp: true, place: state.facts.place }
          : { isUp: false, detail: state.problem.message },
    beatAgeSeconds: beatAge === undefined ? null : inSeconds(beatAge),
    members: members.map(({ lastBeat, ...member }) => ({ ...member, lastBeatSeconds: inSeconds(lastBeat) })),
    held: terminals.filter((terminal) => holds.standing(terminal).is === 'held').length,
    terminals: terminals.length,
    ...(seen && { load: loadOf(seen) }),
    configuration: configuration?.now() ?? { version: null, shadowed: [], rollout: null },
  };
}

const loadOf = ({ took, ...load }: LoadSeen) => ({ ...load, lookSeconds: inSeconds(took) });

interface SeenParts {
  readonly holds: Holds;
  readonly terminals: readonly string[];
  readonly configuration: FleetConfiguration | undefined;
}
