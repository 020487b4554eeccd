/** What the receivers of `notify` were told already, kept over restarts: nothing of it names a person. */
import type { Condition } from '../condition.ts';

export interface Told extends Pick<Condition, 'code' | 'severity' | 'scope' | 'subject'> {
  /** ISO 8601, UTC. */
  readonly since: string;
  /** When it was told the last time; wall milliseconds. */
  readonly toldAt: number;
}

export interface ToldRegister {
  /** By the id of the way. */
  of(way: string): readonly Told[];
  keep(way: string, told: readonly Told[]): void;
  /** Other ways are forgotten. */
  keepOnly(ways: readonly string[]): void;
}
