/** Gateways of a fleet as far as configuration goes: real followers and stewards, with an agent that a test plays. */
import { randomUUID } from 'node:crypto';
import { systemChance } from '../../src/core/chance.ts';
import type { Clock } from '../../src/core/clock.ts';
import { aborted, runServices } from '../../src/core/service.ts';
import { layersFor, parsedManifest } from '../../src/config/pushed/manifest.ts';
import { merged } from '../../src/config/pushed/layers.ts';
import type { Kept } from '../../src/config/pushed/kept.ts';
import type { PushedChoice } from '../../src/config/pushed/over-local.ts';
import { Follower } from '../../src/fleet/configuration/follower.ts';
import { createSteward } from '../../src/fleet/configuration/configuration.ts';
import { createConditions } from '../../src/status/conditions.ts';
import { recordLog } from '../support/recorded-log.ts';
import type { EngineInMemory, TestSigner } from '../support/fleet/signed-fleet.ts';
import { fleetId } from '../support/fleet/signed-fleet.ts';

export interface GatewayOptions {
  readonly engine: EngineInMemory;
  readonly signers: readonly TestSigner[];
  readonly clock: Clock;
  readonly name?: string;
  readonly site?: string;
  /** Nobody looks after roll-outs here; each does unless said. */
  readonly onlyFollows?: boolean;
  readonly kept?: Kept;
  /** As its reading found it at the start. */
  readonly found?: PushedChoice['found'];
  /** What the agent says to settings; none: they are in force. */
  mistakesOf?(settings: Record<string, unknown>): readonly string[];
  /** Throws where its disk is full. */
  beforeKeeping?(): void;
}

export interface TestGateway extends AsyncDisposable {
  readonly member: string;
  readonly name: string;
  readonly follower: Follower;
  readonly log: ReturnType<typeof recordLog>;
  readonly conditions: ReturnType<typeof createConditions>;
  /** In force, of the fleet's alone; what a test sets here is what it has. */
  settings: Record<string, unknown>;
  kept: Kept;
  readonly reloads: number;
  readonly choice: PushedChoice;
}

export function startGateway(options: GatewayOptions): TestGateway {
  const { engine, signers, clock, name = 'gateway-a', site = 'main', mistakesOf = () => [], found } = options;
  const { beforeKeeping = () => {} } = options;
  const member = randomUUID();
  const log = recordLog();
  const world = { clock, chance: systemChance, log: log.log };
  const conditions = createConditions(world);
  const choice: PushedChoice = { found };
  const state = { settings: {} as Record<string, unknown>, reloads: 0 };
  let kept: Kept = options.kept ?? { accepted: null, highest: {} };
  const place = { name, site };
  const follower = new Follower({
    member,
    conditions,
    fleet: () => fleetId,
    ...world,
    rollouts: engine.rollouts,
    versions: engine.versionTable,
    user: {
      place,
      signers,
      choice,
      kept: () => kept,
      keep: (next) => {
        beforeKeeping();
        kept = next;
      },
      async reload() {
        state.reloads += 1;
        const { tried = kept.accepted } = choice;
        const manifest = tried && parsedManifest(tried.manifest.body);
        const settings =
          tried && manifest
            ? layersFor(manifest, place, tried.parts).reduce<unknown>(
                (low, { settings: up }) => merged(low, up),
                {},
              )
            : {};
        const mistakes = mistakesOf(settings as Record<string, unknown>);
        if (mistakes.length === 0) state.settings = settings as Record<string, unknown>;
        choice.found = { version: manifest ? manifest.version : 0, shadowed: [] };
        return mistakes;
      },
    },
  });
  const stop = new AbortController();
  const steward = createSteward({ table: engine.rollouts, ...world });
  const follows = signers.length > 0 ? [follower.service] : [];
  const services = options.onlyFollows ? follows : [...follows, steward];
  const running = Promise.race([runServices(services, stop.signal), aborted(stop.signal)]);
  return {
    member,
    name,
    follower,
    log,
    conditions,
    choice,
    get settings() {
      return state.settings;
    },
    set settings(settings) {
      state.settings = settings;
    },
    get reloads() {
      return state.reloads;
    },
    get kept() {
      return kept;
    },
    set kept(next) {
      kept = next;
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}
