/**
 * What people hear of the engine: that it was found, is away or refuses, with the reason, that it is back, and that
 * it comes and goes.
 */
import type { Clock } from '../../core/clock.ts';
import { inMinutes, inSeconds, milliseconds, minutes, seconds } from '../../core/duration.ts';
import type { Conditions } from '../../domain/condition.ts';
import type { Env } from '../../domain/env.ts';
import type { Problem } from '../../domain/problem/problem.ts';
import type { ServerFacts } from './connection.ts';

type WordDeps = Pick<Env, 'clock' | 'log' | 'conditions'>;

export class EngineWord {
  readonly #deps: WordDeps;
  /** Its absence was reported, and its return not yet. */
  #away: { readonly since: number; readonly code: string } | undefined;

  constructor({ clock, log, conditions }: WordDeps) {
    this.#deps = { clock, log, conditions };
  }

  up({ place: engine, settings: { version } }: ServerFacts): void {
    const { clock, log, conditions } = this.#deps;
    if (this.#away) {
      const span = milliseconds(clock.monotonic() - this.#away.since);
      log.info('engine back', { engine, version, awaySeconds: Math.round(inSeconds(span)) });
    } else log.info('engine found', { engine, version });
    this.#away = undefined;
    conditions.clear('agent', 'engine');
  }

  away(problem: Problem): void {
    const { clock, log, conditions } = this.#deps;
    const { code, message: detail } = problem;
    if (this.#away?.code !== code) log.warn('engine away', { error: problem });
    this.#away = { since: this.#away?.since ?? clock.monotonic(), code };
    conditions.raise({ code, severity: 'error', scope: 'agent', subject: 'engine', detail });
  }
}

const within = minutes(10);
/** Lost connections; a restart for an update is one or two. */
const many = 4;
const place = { scope: 'agent', subject: 'engine steadiness' } as const;

/**
 * Each absence is too short to be reported, but in between no member beats long enough to settle the work of a gone
 * member (F8).
 */
export class Steadiness {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #conditions: Conditions;
  #losses: readonly number[] = [];
  #reportedTimes = 0;

  constructor({
    clock,
    conditions,
  }: { readonly clock: Pick<Clock, 'monotonic'>; readonly conditions: Conditions }) {
    this.#clock = clock;
    this.#conditions = conditions;
  }

  lost(): void {
    this.#losses = [...this.#losses, this.#clock.monotonic()];
    this.look();
  }

  /** Called now and then, because old losses cease to count. */
  look(): void {
    const since = this.#clock.monotonic() - within;
    this.#losses = this.#losses.filter((at) => at > since);
    const times = this.#losses.length < many ? 0 : this.#losses.length;
    if (times === this.#reportedTimes) return;
    this.#reportedTimes = times;
    if (times === 0) return this.#conditions.clear(place.scope, place.subject);
    const detail = `the connection to it was lost ${times} times in ${inMinutes(within)} minutes`;
    this.#conditions.raise({ code: 'fleet-engine-unsteady', severity: 'warning', ...place, detail });
  }
}

/** A beat is asked every second; a person who wants to print waits for ten. */
const old = seconds(15);

/**
 * Refusals of an engine while its line stands: a missing permission, a renamed table, a full disk. Each lasts until
 * the same statement is answered. An old one is dropped when the engine would take a change of every table again.
 */
export class Refusals {
  readonly #clock: Clock;
  readonly #standing = new Map<string, { readonly problem: Problem; at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The oldest one. */
  current(): Problem | undefined {
    return this.#standing.values().next().value?.problem;
  }

  /** `undefined`: the statement was answered. Gives true if `current` has changed. */
  heard(statement: string, problem: Problem | undefined): boolean {
    const before = this.current();
    const known = this.#standing.get(statement);
    if (problem === undefined) this.#standing.delete(statement);
    else if (known?.problem.message === problem.message) known.at = this.#clock.monotonic();
    else this.#standing.set(statement, { problem, at: this.#clock.monotonic() });
    return this.current() !== before;
  }

  /** Refusals that were not met for a while are over. Gives true if `current` has changed. */
  forgetOld(): boolean {
    const before = this.current();
    for (const [statement, { at }] of this.#standing) {
      if (this.#clock.monotonic() - at >= old) this.#standing.delete(statement);
    }
    return this.current() !== before;
  }

  clear(): void {
    this.#standing.clear();
  }
}
