/**
 * The configuration in force, and its reload (INVARIANTS.md B.4, 11): read and checked whole, applied as far as a
 * running agent can, or left as it was with a condition that says what is wrong. How a key comes into force is
 * `config/changes.ts`; what is done about terminals is `station/stations.ts`.
 */
import { changesBetween } from '../config/changes.ts';
import { ConfigInvalid, inOneLine } from '../config/mistakes.ts';
import { peersOf } from '../config/peers.ts';
import { isSameValue } from '../config/same-value.ts';
import type { Config } from '../config/schema/config.ts';
import { isoInstant } from '../core/clock.ts';
import type { Env } from '../domain/env.ts';
import type { ConditionList } from '../status/conditions.ts';
import { asProblem } from '../domain/problem/problem.ts';
import { addressListFile, missingFrom } from '../operations/address-list.ts';
import type { ServiceManager } from '../operations/service-manager.ts';
import type { Stations } from '../station/stations.ts';

/** Reads the file anew; throws `config-invalid` with all its mistakes. */
export type ReadConfig = () => Config;

export type ReloadOutcome =
  | {
      readonly state: 'reloaded';
      readonly changed: readonly string[];
      /** Terminals that wait for a quiet moment, and why. */
      readonly pending: readonly string[];
      /** Keys that wait for a new start of the agent. */
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

export interface ConfigDeps extends Pick<Env, 'clock' | 'log'> {
  /** As the agent was started with it. */
  readonly config: Config;
  readonly file: string | undefined;
  stations(): Pick<Stations, 'apply' | 'pending'>;
  /** Before it is applied to the terminals. */
  onChange(config: Config): void;
  /** How the agent is, in the line of `systemctl status`. */
  describe(): string;
  readonly conditions: ConditionList;
  readonly manager: Pick<ServiceManager, 'reloading' | 'ready'>;
}

export class ConfigInForce {
  readonly #deps: ConfigDeps;
  #config: Config;
  #readAt: string;
  #next: Wish | undefined;
  #reloading: Promise<ReloadOutcome> | undefined;

  constructor(deps: ConfigDeps) {
    this.#deps = deps;
    this.#config = deps.config;
    this.#readAt = isoInstant(deps.clock.now());
  }

  /** Tells at once whom the agent is kept from. */
  start(): void {
    void this.#tellMissing();
  }

  current(): Config {
    return this.#config;
  }

  /**
   * Asked again while it is at work, it reads once more when that is over: the last word counts. `by`: the user id of
   * whoever asked, where that is known.
   */
  reload(read: ReadConfig, by?: number): Promise<ReloadOutcome> {
    if (this.#reloading) this.#next = { read, by };
    return (this.#reloading ??= this.#rounds({ read, by }));
  }

  status(): { readonly readAt: string; readonly file: string | null; readonly pending: readonly string[] } {
    const { file, stations } = this.#deps;
    return { readAt: this.#readAt, file: file ?? null, pending: stations().pending() };
  }

  async #rounds(first: Wish): Promise<ReloadOutcome> {
    const { manager, describe } = this.#deps;
    manager.reloading();
    let outcome = await this.#round(first);
    for (let wish = this.#taken(); wish; wish = this.#taken()) outcome = await this.#round(wish);
    this.#reloading = undefined;
    // Told before whoever asked for it hears the outcome: systemd is to know both at once.
    await manager.ready(describe());
    return outcome;
  }

  #taken(): Wish | undefined {
    const wish = this.#next;
    this.#next = undefined;
    return wish;
  }

  async #round({ read, by }: Wish): Promise<ReloadOutcome> {
    const { stations, onChange, conditions, clock, log } = this.#deps;
    try {
      const before = this.#config;
      const { restart, changed, config } = changesBetween(before, read());
      this.#config = config;
      this.#readAt = isoInstant(clock.now());
      onChange(config);
      await stations().apply(config);
      conditions.clear(scope, subject);
      this.#tellRestart(restart);
      await this.#tellMissing();
      const pending = stations().pending();
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

  /** Whom the unit keeps the agent from (IPAddressDeny=). */
  async #tellMissing(): Promise<void> {
    const { conditions } = this.#deps;
    const missing = await missingFrom(peersOf(this.#config));
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
