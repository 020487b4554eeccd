/**
 * The list of present faults: one condition per scope and subject. Raising and clearing are logged once. Every part
 * that reports or shows conditions uses this list.
 */
import { Channel } from '../core/channel.ts';
import type { Clock } from '../core/clock.ts';
import { isoInstant } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Condition, Conditions } from '../domain/condition.ts';

const agentScope = 'agent';

/** Conditions of the agent concern every terminal. */
export const concerns = (scope: string, terminal: string): boolean =>
  scope === terminal || scope === agentScope;

export interface TimedCondition extends Condition {
  /** ISO 8601, UTC: the subject has had this code since then, even if the words have changed. */
  readonly since: string;
}

export interface ConditionList extends Conditions {
  /** Removes everything of this scope, because its subject no longer exists. */
  forget(scope: string): void;
  /**
   * All conditions, or those that concern one terminal: its own and the agent's. Errors come first, then the oldest.
   */
  list(terminal?: string): readonly Condition[];
  /** The same list, with the time at which each was raised. */
  timed(): readonly TimedCondition[];
  /** Wall time of the last change among those that concern the terminal; at first, the time of the start. */
  changedAt(terminal: string): number;
  /** Calls back after every raising and clearing. The returned function ends that. */
  onChange(listener: (scope: string) => void): () => void;
}

export function createConditions(tools: { clock: Clock; log: Log }): ConditionList {
  const { clock, log } = tools;
  const startedAt = clock.now();
  const held = new Map<string, Condition>();
  /** Wall time of raising, by the same keys. */
  const raisedAt = new Map<string, number>();
  const changes = new Map<string, number>();
  const scopes = new Channel<string>();

  const changed = (scope: string): void => {
    changes.set(scope, clock.now());
    scopes.tell(scope);
  };

  function concerning(terminal?: string): readonly Condition[] {
    const all = [...held.values()].filter(({ scope }) => terminal === undefined || concerns(scope, terminal));
    return [...all.filter(isError), ...all.filter((one) => !isError(one))];
  }

  function clear(scope: string, subject: string): void {
    const condition = held.get(keyOf(scope, subject));
    if (!condition) return;
    held.delete(keyOf(scope, subject));
    raisedAt.delete(keyOf(scope, subject));
    log.info('condition cleared', factsOf(condition));
    changed(scope);
  }

  return {
    raise(condition) {
      const key = keyOf(condition.scope, condition.subject);
      const before = held.get(key);
      if (isSame(before, condition)) return;
      if (before?.code !== condition.code) raisedAt.set(key, clock.now());
      held.set(key, condition);
      log.warn('condition raised', factsOf(condition));
      changed(condition.scope);
    },
    clear,
    forget(scope) {
      for (const { subject } of concerning(scope).filter((one) => one.scope === scope)) clear(scope, subject);
      changes.delete(scope);
    },
    list: (terminal) => concerning(terminal),
    timed: () =>
      concerning().map((condition) => ({
        ...condition,
        since: isoInstant(raisedAt.get(keyOf(condition.scope, condition.subject)) ?? startedAt),
      })),
    changedAt: (terminal) =>
      Math.max(changes.get(terminal) ?? startedAt, changes.get(agentScope) ?? startedAt),
    onChange: scopes.hear,
  };
}

// A scope is a terminal id and holds no slash.
const keyOf = (scope: string, subject: string): string => `${scope}/${subject}`;

const isError = (condition: Condition): boolean => condition.severity === 'error';

const isSame = (held: Condition | undefined, next: Condition): boolean =>
  held?.code === next.code && held.detail === next.detail && held.severity === next.severity;

const factsOf = ({ code, severity, scope, subject, detail }: Condition) => ({
  code,
  severity,
  scope,
  subject,
  detail,
});
