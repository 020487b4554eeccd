/**
 * How a gateway follows its fleet's configuration (F15, F16). It looks at the newest order, and takes the version once
 * it is in the sample. It accepts only signed versions, refuses a version older than its own, and keeps its last good
 * version.
 */
import type { Accepted, Kept } from '../../config/pushed/kept.ts';
import type { GatewayPlace } from '../../config/pushed/manifest.ts';
import type { Order } from '../../config/pushed/order.ts';
import { sampleSize } from '../../config/pushed/steps.ts';
import type { PushedChoice, PushedFound } from '../../config/pushed/over-local.ts';
import type { SignerKey } from '../../config/pushed/signature.ts';
import { minutes, seconds } from '../../core/duration.ts';
import { runPeriodically, Wake } from '../../core/periodic.ts';
import type { Service } from '../../core/service.ts';
import type { Env } from '../../domain/env.ts';
import type { ConfigStanding } from '../../domain/gateway-digest.ts';
import { asProblem, isProblem } from '../../domain/problem/problem.ts';
import { believedOrder, claimedVersion, fetchVersion, highestIn } from './beliefs.ts';
import type { RolloutTable, Wish } from './rollout-table.ts';
import type { VersionTable } from './version-table.ts';

export interface FollowerUser {
  readonly place: GatewayPlace;
  /** The signers in the configuration in force. */
  readonly signers: readonly SignerKey[];
  /** Read together with the own file. */
  readonly choice: PushedChoice;
  /** Reads the configuration as the choice says. Gives its mistakes, or an empty list if it is in force. */
  reload(): Promise<readonly string[]>;
  /** Throws if the file is damaged. */
  kept(): Kept;
  /** Durable when it returns. */
  keep(kept: Kept): void;
}

export interface FollowerDeps extends Env {
  readonly user: FollowerUser;
  readonly rollouts: RolloutTable;
  readonly versions: VersionTable;
  /** The member's id in the engine. */
  readonly member: string;
  /** The id of the fleet, while the engine is up. */
  fleet(): string | undefined;
}

/** For `platen status`. */
export interface ConfigurationNow {
  readonly version: number | null;
  /** Keys of the fleet's configuration that the own file sets to another value. */
  readonly shadowed: readonly string[];
  readonly rollout: {
    readonly number: number;
    readonly state: Wish['state'];
    readonly gateway: string | null;
    readonly why: string | null;
  } | null;
}

const lookEvery = seconds(30);
const retry = { first: seconds(5), factor: 2, longest: minutes(2) };
const place = { scope: 'agent', subject: 'fleet configuration' };

export class Follower {
  readonly #deps: FollowerDeps;
  readonly #wake = new Wake();
  #kept: Kept;
  /** The version in force; 0: only the own file. */
  #version = 0;
  #shadowed: readonly string[] = [];
  #wish: Wish | undefined;
  #wanted: number | null = null;
  #refused: ConfigStanding['refused'] = null;
  /** A refused order is not tried again until something changes. */
  #settled: string | undefined;
  /** The agent has started on it for the first time. */
  #isNew: boolean;
  #unfit: PushedFound['unfit'];

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
    const { user, conditions } = deps;
    const { found } = user.choice;
    this.#noteRead();
    this.#isNew = found?.isNew === true && found.refused === undefined;
    this.#kept = this.#readKept();
    if (found?.unfit) this.#tellUnfit(found.unfit);
    else if (found?.refused !== undefined) {
      const detail = `the agent does not use the stored version, and only the gateway's own file is in force: ${found.refused}`;
      conditions.raise({ code: 'fleet-config-refused', severity: 'error', ...place, detail });
    }
    this.#tellShadowed();
  }

  /** For the digest (F17). */
  standing(): ConfigStanding {
    const version = this.#version === 0 ? null : this.#version;
    const follows = this.#deps.user.signers.length > 0;
    return { version, wanted: this.#wanted, refused: this.#refused, follows };
  }

  now(): ConfigurationNow {
    const { number, state, gateway, why } = this.#wish ?? {};
    return {
      version: this.standing().version,
      shadowed: this.#shadowed,
      rollout:
        number === undefined || state === undefined
          ? null
          : { number, state, gateway: gateway ?? null, why: why ?? null },
    };
  }

  /** The configuration was read again: a refused version may fit now. */
  again(): void {
    this.#settled = undefined;
    this.#unfit = undefined;
    this.#noteRead();
    this.#wake.ring();
  }

  readonly service: Service = {
    name: 'configuration',
    run: async (signal, progress) => {
      const { rollouts, log, ...world } = this.#deps;
      using _ = rollouts.onNews(() => this.#wake.ring());
      const duty = {
        attempt: (stop: AbortSignal) => this.#look(stop),
        interval: lookEvery,
        retry,
        wake: this.#wake,
        onFailure(cause: unknown) {
          const error = asProblem(cause, 'internal', 'the order could not be followed');
          // The engine reports its own absence.
          if (error.code !== 'fleet-engine-away') log.warn('config version not looked for', { error });
          return undefined;
        },
      };
      await runPeriodically(duty, world, signal, progress);
    },
  };

  async #look(signal: AbortSignal): Promise<void> {
    const { rollouts, member, user, fleet } = this.#deps;
    if (this.#isNew) this.#keepStarted();
    const wish = await rollouts.wish(member, signal);
    const id = fleet();
    this.#wish = wish;
    if (!wish || id === undefined || this.#settled === keyOf(wish)) return;
    this.#refused = null;
    try {
      const order = believedOrder(wish.order, user.signers, { fleet: id, highest: this.#kept.highest });
      await this.#follow(order, wish, signal);
    } catch (error) {
      if (isProblem(error) || signal.aborted) throw error;
      this.#refuse(wish, (error as Error).message);
    }
  }

  async #follow(order: Order, wish: Wish, signal: AbortSignal): Promise<void> {
    const isMine = isInSample(order, wish);
    const isThere = this.#version === order.version;
    this.#wanted = isMine && !isThere ? order.version : null;
    if (!isMine) return this.#clear();
    if (isThere && highestIn(this.#kept.highest, order.fleet).order === order.number) return this.#clear();
    if (wish.state === 'running' || wish.state === 'finished') await this.#take(order, signal);
  }

  async #take(order: Order, signal: AbortSignal): Promise<void> {
    const { user, versions, log } = this.#deps;
    const { version, number, fleet } = order;
    const { highest } = this.#kept;
    const before = highestIn(highest, fleet);
    const accepted = version === 0 ? null : await fetchVersion(order, { versions, user, before }, signal);
    // The number alone is not enough: an engine that was restored gives it out again.
    const isKept = accepted?.manifest.signature === this.#kept.accepted?.manifest.signature;
    if (this.#unfit && isKept) throw new Error(this.#unfit.why);
    if (version !== this.#version || !isKept) await this.#apply(accepted);
    const reached = { version: Math.max(before.version, version), order: number, to: version };
    const { started } = this.#kept;
    await this.#keepInForce({ accepted, started, highest: { ...highest, [fleet]: reached } });
    this.#version = version;
    user.choice.mustFit = version !== 0;
    this.#wanted = null;
    this.#shadowed = user.choice.found?.shadowed ?? [];
    this.#clear();
    log.info('config version taken', { version, rollout: number });
    this.#tellShadowed();
  }

  /** Throws with the first mistake; then the version before stays in force. */
  async #apply(accepted: Accepted | null): Promise<void> {
    const { choice, reload } = this.#deps.user;
    choice.tried = accepted;
    const mistakes = await reload();
    choice.tried = undefined;
    if (mistakes.length === 0) return;
    // The configuration in force is right, so the condition of the failed reload must go.
    await reload();
    throw new Error(inShort(mistakes));
  }

  /** Throws if keeping it fails. A restart would lose the version, so the one before is put in force again. */
  async #keepInForce(kept: Kept): Promise<void> {
    try {
      this.#keep(kept);
    } catch (cause) {
      await this.#deps.user.reload();
      throw new Error(`it cannot be kept: ${(cause as Error).message}`, { cause });
    }
  }

  #refuse(wish: Wish, why: string): void {
    const { conditions, log } = this.#deps;
    const version = claimedVersion(wish.order) ?? wish.number;
    this.#settled = keyOf(wish);
    this.#refused = { version, why };
    const detail = `version ${version} was refused: ${why}`;
    conditions.raise({ code: 'fleet-config-refused', severity: 'error', ...place, detail });
    log.error('config version refused', { version, rollout: wish.number, why });
  }

  #clear(): void {
    this.#refused = null;
    this.#deps.conditions.clear(place.scope, place.subject);
  }

  /** The configuration that was read last is in force. */
  #noteRead(): void {
    const { choice } = this.#deps.user;
    const { version, shadowed, refused } = choice.found ?? { version: 0, shadowed: [] };
    this.#version = refused === undefined ? version : 0;
    this.#shadowed = shadowed;
    choice.mustFit = this.#version !== 0;
  }

  #keep(kept: Kept): void {
    this.#deps.user.keep(kept);
    this.#kept = kept;
  }

  /** The agent goes back to this version if it cannot start on another one. */
  #keepStarted(): void {
    const { accepted, highest } = this.#kept;
    this.#keep({ accepted, started: accepted, highest });
    this.#isNew = false;
  }

  #tellUnfit(unfit: NonNullable<PushedFound['unfit']>): void {
    this.#unfit = unfit;
    this.#refused = unfit;
    const instead =
      this.#version === 0
        ? "only the gateway's own file is in force"
        : `version ${this.#version} is in force`;
    const detail = `${instead}: version ${unfit.version} was refused: ${unfit.why}`;
    this.#deps.conditions.raise({ code: 'fleet-config-refused', severity: 'error', ...place, detail });
  }

  #readKept(): Kept {
    const { user, log } = this.#deps;
    try {
      return user.kept();
    } catch (cause) {
      const error = asProblem(cause, 'state-unusable', 'the kept configuration is damaged');
      log.warn('config version not looked for', { error });
      return { accepted: null, highest: {} };
    }
  }

  #tellShadowed(): void {
    if (this.#shadowed.length === 0) return;
    this.#deps.log.warn('config keys shadowed', { keys: this.#shadowed, version: this.#version });
  }
}

/** A gateway that was not there at the order follows when the roll-out is finished. */
const isInSample = ({ steps }: Order, { state, rank, total, step }: Wish): boolean =>
  state === 'finished' || (rank !== null && rank < sampleSize(total, steps[step] ?? 100));

const keyOf = ({ number, revision, order }: Wish): string => `${number} ${revision} ${order.signature}`;

const longestWhy = 300;
/** It goes into a digest of 4 KB. */
function inShort([first = '', ...others]: readonly string[]): string {
  const text = others.length === 0 ? first : `${first}, and ${others.length} more`;
  return text.length > longestWhy ? `${text.slice(0, longestWhy)}…` : text;
}
