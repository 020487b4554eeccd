/**
 * The common dependencies of nearly every part of the agent: time, chance, a log, and the place to report conditions.
 */
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Conditions } from './condition.ts';

export interface Env {
  readonly clock: Clock;
  readonly chance: Chance;
  /** The part's own log: every record tells its purpose and its terminal. */
  readonly log: Log;
  readonly conditions: Conditions;
}
