/**
 * What an engine refuses while its line stands: a permission that was taken away, a table with another name, a full disk.
 * Each stands until the same statement is answered. One that nobody has asked for a while goes when the engine would take
 * a change of every table again.
 */
import type { Clock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import type { Problem } from '../../domain/problem/problem.ts';

/** A beat is asked every second; whoever wants to print waits for ten. */
const old = seconds(15);

export class Refusals {
  readonly #clock: Clock;
  readonly #standing = new Map<string, { readonly problem: Problem; at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The foremost. */
  current(): Problem | undefined {
    return this.#standing.values().next().value?.problem;
  }

  /** `undefined`: it was answered. True where `current` says something else now. */
  heard(statement: string, problem: Problem | undefined): boolean {
    const before = this.current();
    const known = this.#standing.get(statement);
    if (problem === undefined) this.#standing.delete(statement);
    else if (known?.problem.message === problem.message) known.at = this.#clock.monotonic();
    else this.#standing.set(statement, { problem, at: this.#clock.monotonic() });
    return this.current() !== before;
  }

  /** Those that nobody has met for a while are over. True where `current` says something else now. */
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
