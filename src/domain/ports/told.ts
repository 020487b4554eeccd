/** The messages that the receivers of `notify` have had, kept over restarts. They name no person. */
import type { Condition } from '../condition.ts';

export interface SentNotice extends Pick<Condition, 'code' | 'severity' | 'scope' | 'subject'> {
  /** ISO 8601, UTC. */
  readonly since: string;
  /** When it was last told; in wall milliseconds. */
  readonly toldAt: number;
}

export interface SentNotices {
  /** `way` is the id of the way. */
  of(way: string): readonly SentNotice[];
  keep(way: string, sent: readonly SentNotice[]): void;
  /** Other ways are forgotten. */
  keepOnly(ways: readonly string[]): void;
}
