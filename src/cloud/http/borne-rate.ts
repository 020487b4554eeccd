/**
 * The rate that the service bears: the configured one until the service answers 429, then less, and slowly more again
 * (additive increase, multiplicative decrease). A service does not say how it counts, so both numbers are learned.
 */
import type { Clock } from '../../core/clock.ts';
import { minutes } from '../../core/duration.ts';
import type { Rate } from '../../core/token-bucket.ts';

/** After a 429 this part is left. With two thirds a second 429 would follow at once in a rush of 36 people. */
const left = 0.65;
/** What the service has borne for a minute it bears again, or nearly: this part of it. */
const leftOfProven = 0.9;
const provenAfter = minutes(1);
/** Each number grows by this much a second: by two calls a minute. */
const growth = 1 / 30;
/** No number falls below this: a 429 may be about one user only, and all others need the service, too. */
const least = 5;
/** A number that was configured far above what is used falls from there at once. */
const usual = 100;

export class BorneRate implements Rate {
  readonly #limits: Rate;
  readonly #clock: Clock;
  readonly #lowered = new Map<keyof Rate, { readonly to: number; readonly at: number }>();

  constructor(limits: Rate, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  get requestsPerSecond(): number {
    return this.#inForce('requestsPerSecond');
  }

  get burst(): number {
    return Math.floor(this.#inForce('burst'));
  }

  /** `used`: the calls of the last second. */
  lower(name: keyof Rate, used: number): void {
    const from = Math.min(this.#inForce(name), Math.max(used, usual));
    const at = this.#clock.monotonic();
    const before = this.#lowered.get(name);
    const isProven = before !== undefined && at - before.at >= provenAfter;
    const proven = isProven ? Math.min(before.to, from) * leftOfProven : 0;
    this.#lowered.set(name, { to: Math.max(from * left, proven, least), at });
  }

  #inForce(name: keyof Rate): number {
    const configured = this.#limits[name];
    const lowered = this.#lowered.get(name);
    if (lowered === undefined) return configured;
    const grown = lowered.to + ((this.#clock.monotonic() - lowered.at) / 1000) * growth;
    return Math.min(configured, grown);
  }
}
