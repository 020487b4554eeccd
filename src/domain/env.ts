/** What nearly every piece is given besides what is its own: time, chance, a log, and where conditions are reported. */
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Conditions } from './condition.ts';

export interface Env {
  readonly clock: Clock;
  readonly chance: Chance;
  /** Of the piece: what it is for, and at which terminal, is in every record. */
  readonly log: Log;
  readonly conditions: Conditions;
}
