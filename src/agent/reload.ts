/**
 * The configuration in force and its reload (INVARIANTS.md B.4, 11). The file is read and checked whole. Then it is
 * applied as far as a running agent can, or left with a condition that names the mistakes.
 */
import { changesBetween, isSameValue } from '../config/changes.ts';
import { ConfigInvalid, inOneLine } from '../config/mistakes.ts';
import { peersOf } from '../config/peers.ts';
import type { Config } from '../config/schema/config.ts';
import { isoInstant } from '../core/clock.ts';
import type { Env } from '../domain/env.ts';
import type { ConditionList } from '../status/conditions.ts';
import { asProblem } from '../domain/problem/problem.ts';
import { addressListFile, missingFrom } from '../operations/address-list.ts';
import type { ServiceManager } from '../operations/service-manager.ts';
import { Channel } from '../core/channel.ts';
import type { Stations } from '../station/stations.ts';

/** Reads the file again; throws `config-invalid` with all its mistakes. */
export type ReadConfig = () => Config;

export type ReloadOutcome =
  | {
      readonly state: 'reloaded';
      readonly changed: readonly string[];
      /** Terminals that wait for a quiet moment, and why. */
      readonly pending: readonly string[];
      /** Keys that need a restart of the agent. */
      readonly restart: readonly string[];
    }
  | { readonly state: 'refused' /** As lines, ready to be shown. */; readonly mistakes: readonly string[] };

interface Wish {
  readonly read: ReadConfig;
  readonly by: number | undefined;
}

const scope = 'agent';
const subject = 'config';
const restartSubject = 'config restart';
const addressSubject = 'addresses';

/** `config/changes.ts` says how a key comes into force. */
export class ConfigInForce {
  /** Told before the change is applied to the terminals. */
  readonly changes = new Channel<Config>();
  #config: Config;

  constructor(atStart: Config) {
    this.#config = atStart;
  }

  readonly current = (): Config => this.#config;

  replace(config: Config): void {
    this.#config = config;
    this.changes.tell(config);
  }
}

export interface ReloadingDeps extends Pick<Env, 'clock' | 'log'> {
  readonly inForce: ConfigInForce;
  readonly file: string | undefined;
  readonly stations: Pick<Stations, 'apply' | 'pending'>;
  /** The state of the agent as a line for `systemctl status`. */
  describe(): string;
  readonly conditions: ConditionList;
  readonly manager: Pick<ServiceManager, 'reloading' | 'ready'>;
}

/** `station/stations.ts` applies terminals. */
export class Reloading {
  readonly #deps: ReloadingDeps;
  #readAt: string;
  #next: Wish | undefined;
  #reloading: Promise<ReloadOutcome> | undefined;

  constructor(deps: ReloadingDeps) {
    this.#deps = deps;
    this.#readAt = isoInstant(deps.clock.now());
  }

  /** Without waiting for a reload, a condition names the addresses that the unit blocks. */
  start(): void {
    void this.#tellMissing();
  }

  /**
   * A call during a reload makes the agent read once more afterwards: the last call counts. `by` is the user id of the
   * caller, if it is known.
   */
  reload(read: ReadConfig, by?: number): Promise<ReloadOutcome> {
    if (this.#reloading) this.#next = { read, by };
    return (this.#reloading ??= this.#rounds({ read, by }));
  }

  status(): { readonly readAt: string; readonly file: string | null; readonly pending: readonly string[] } {
    const { file, stations } = this.#deps;
    return { readAt: this.#readAt, file: file ?? null, pending: stations.pending() };
  }

  async #rounds(first: Wish): Promise<ReloadOutcome> {
    const { manager, describe } = this.#deps;
    manager.reloading();
    let outcome = await this.#round(first);
    for (let wish = this.#taken(); wish; wish = this.#taken()) outcome = await this.#round(wish);
    this.#reloading = undefined;
    // systemd must know it before the caller does: a script may ask systemd next.
    await manager.ready(describe());
    return outcome;
  }

  #taken(): Wish | undefined {
    const wish = this.#next;
    this.#next = undefined;
    return wish;
  }

  async #round({ read, by }: Wish): Promise<ReloadOutcome> {
    const { inForce, stations, conditions, clock, log } = this.#deps;
    try {
      const before = inForce.current();
      const { restart, changed, config } = changesBetween(before, read());
      this.#readAt = isoInstant(clock.now());
      inForce.replace(config);
      await stations.apply(config);
      conditions.clear(scope, subject);
      this.#tellRestart(restart);
      await this.#tellMissing();
      const pending = stations.pending();
      const all = [...changed, ...restart, ...changedTerminals(before, config)];
      log.info('config reloaded', { changed: all, pending, by });
      return { state: 'reloaded', changed: all, pending, restart };
    } catch (error) {
      return { state: 'refused', mistakes: this.#refuse(error, by) };
    }
  }

  #refuse(error: unknown, by: number | undefined): readonly string[] {
    const { conditions, log } = this.#deps;
    const problem = asProblem(error, 'config-invalid', 'the configuration could not be applied');
    const mistakes = problem instanceof ConfigInvalid ? problem.lines : [problem.message];
    const detail = inOneLine(mistakes, ' in the log');
    conditions.raise({ code: 'config-not-reloaded', severity: 'error', scope, subject, detail });
    const cause = problem instanceof ConfigInvalid ? {} : { error: problem };
    for (const mistake of mistakes) {
      log.error('config not reloaded', { mistake, mistakes: mistakes.length, by, ...cause });
    }
    return mistakes;
  }

  #tellRestart(keys: readonly string[]): void {
    const { conditions } = this.#deps;
    if (keys.length === 0) return conditions.clear(scope, restartSubject);
    const detail = `${keys.join(', ')}: changed in the file. Platen uses the change after systemctl restart platen`;
    const spot = { scope, subject: restartSubject };
    conditions.raise({ code: 'config-restart-needed', severity: 'warning', ...spot, detail });
  }

  /** The addresses that the unit blocks (IPAddressDeny=). */
  async #tellMissing(): Promise<void> {
    const { conditions } = this.#deps;
    const missing = await missingFrom(peersOf(this.#deps.inForce.current()));
    if (missing.length === 0) return conditions.clear(scope, addressSubject);
    const detail = `${missing.join(', ')}: not in ${addressListFile}`;
    const spot = { scope, subject: addressSubject };
    conditions.raise({ code: 'address-not-listed', severity: 'warning', ...spot, detail });
  }
}

/** `terminals.lobby`: added, changed or removed. */
function changedTerminals(before: Config, after: Config): readonly string[] {
  const of = ({ terminals }: Config, id: string) => terminals.find((one) => one.id === id);
  const ids = new Set([...before.terminals, ...after.terminals].map(({ id }) => id));
  return [...ids].filter((id) => !isSameValue(of(before, id), of(after, id))).map((id) => `terminals.${id}`);
}
