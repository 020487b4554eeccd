/**
 * An engine that comes and goes is told of as such: each of its absences is over before it wakes anybody, and in between no
 * member beats long enough to settle what another one has left (F8).
 */
import type { Clock } from '../../core/clock.ts';
import { inMinutes, minutes } from '../../core/duration.ts';
import type { Conditions } from '../../domain/condition.ts';

const within = minutes(10);
/** Lost connections; a restart for an update is one or two. */
const many = 4;
const place = { scope: 'agent', subject: 'engine steadiness' } as const;

export class Steadiness {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #conditions: Conditions;
  #losses: readonly number[] = [];
  #told = 0;

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

  /** Now and then: what is long ago counts no more. */
  look(): void {
    const since = this.#clock.monotonic() - within;
    this.#losses = this.#losses.filter((at) => at > since);
    const times = this.#losses.length < many ? 0 : this.#losses.length;
    if (times === this.#told) return;
    this.#told = times;
    if (times === 0) return this.#conditions.clear(place.scope, place.subject);
    const detail = `the connection to it was lost ${times} times in ${inMinutes(within)} minutes`;
    this.#conditions.raise({ code: 'fleet-engine-unsteady', severity: 'warning', ...place, detail });
  }
}
