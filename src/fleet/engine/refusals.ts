/**
 * Refusals of an engine while its line stands: a missing permission, a renamed table, a full disk. Each lasts until the
 * same statement is answered. An old one is dropped when the engine would take a change of every table again.
 */
import type { Clock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import type { Problem } from '../../domain/problem/problem.ts';

/** A beat is asked every second; a person who wants to print waits for ten. */
const old = seconds(15);

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
