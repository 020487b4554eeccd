/**
 * The configuration in force, and its reload (reliability.md B.4, 11): read and checked whole, applied as far as a
 * running agent can, or left as it was with a condition that says what is wrong. How a key comes into force is
 * `config/changes.ts`; what is done about terminals is `station/stations.ts`.
 */
import { changesBetween } from '../config/changes.ts';
import { ConfigInvalid, inOneLine } from '../config/mistakes.ts';
import { peersOf } from '../config/peers.ts';
import { isSameValue } from '../config/same-value.ts';
import type { Config } from '../config/schema/config.ts';
import type { Clock } from '../core/clock.ts';
import { isoInstant } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
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

export interface ConfigInForce {
  current(): Config;
  /** Asked again while it is at work, it reads once more when that is over: the last word counts. */
  /** `by`: the user id of whoever asked, where that is known. */
  reload(read: ReadConfig, by?: number): Promise<ReloadOutcome>;
  status(): { readonly readAt: string; readonly file: string | null; readonly pending: readonly string[] };
}

interface Wish {
  readonly read: ReadConfig;
  readonly by: number | undefined;
}

const scope = 'agent';
const subject = 'config';
const restartSubject = 'config restart';
const addressSubject = 'addresses';

export function createConfigInForce(world: {
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
  readonly clock: Clock;
  readonly log: Log;
}): ConfigInForce {
  const { conditions, manager, clock, log } = world;
  let { config } = world;
  let readAt = isoInstant(clock.now());
  let next: Wish | undefined;
  let reloading: Promise<ReloadOutcome> | undefined;

  async function round({ read, by }: Wish): Promise<ReloadOutcome> {
    try {
      const wanted = read();
      const before = config;
      const { restart, changed, config: after } = changesBetween(before, wanted);
      config = after;
      readAt = isoInstant(clock.now());
      world.onChange(config);
      await world.stations().apply(config);
      conditions.clear(scope, subject);
      tellRestart(restart);
      await tellMissing();
      const pending = world.stations().pending();
      const all = [...changed, ...restart, ...changedTerminals(before, config)];
      log.info('config reloaded', { changed: all, pending, by });
      return { state: 'reloaded', changed: all, pending, restart };
    } catch (error) {
      return { state: 'refused', mistakes: refuse(error, by) };
    }
  }

  function refuse(error: unknown, by: number | undefined): readonly string[] {
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

  function tellRestart(keys: readonly string[]): void {
    if (keys.length === 0) return conditions.clear(scope, restartSubject);
    const detail = `${keys.join(', ')}: changed in the file, in force after systemctl restart platen`;
    conditions.raise({
      code: 'config-restart-needed',
      severity: 'warning',
      scope,
      subject: restartSubject,
      detail,
    });
  }

  /** Whom the unit keeps the agent from (IPAddressDeny=). */
  async function tellMissing(): Promise<void> {
    const missing = await missingFrom(peersOf(config));
    if (missing.length === 0) return conditions.clear(scope, addressSubject);
    const detail = `${missing.join(', ')}: not in ${addressListFile}`;
    conditions.raise({
      code: 'address-not-listed',
      severity: 'warning',
      scope,
      subject: addressSubject,
      detail,
    });
  }

  async function rounds(first: Wish): Promise<ReloadOutcome> {
    manager.reloading();
    let outcome = await round(first);
    for (let wish = taken(); wish; wish = taken()) outcome = await round(wish);
    reloading = undefined;
    // Told before whoever asked for it hears the outcome: systemd is to know both at once.
    await manager.ready(world.describe());
    return outcome;
  }

  function taken(): Wish | undefined {
    const wish = next;
    next = undefined;
    return wish;
  }

  void tellMissing();
  return {
    current: () => config,
    reload(read, by) {
      if (reloading) next = { read, by };
      return (reloading ??= rounds({ read, by }));
    },
    status: () => ({ readAt, file: world.file ?? null, pending: world.stations().pending() }),
  };
}

/** `terminals.lobby`: added, changed or removed. */
function changedTerminals(before: Config, after: Config): readonly string[] {
  const of = ({ terminals }: Config, id: string) => terminals.find((one) => one.id === id);
  const ids = new Set([...before.terminals, ...after.terminals].map(({ id }) => id));
  return [...ids].filter((id) => !isSameValue(of(before, id), of(after, id))).map((id) => `terminals.${id}`);
}
