/** Who has taken on which condition: codes, terminals, a note. Kept over restarts. */
import type { Condition } from '../condition.ts';

export interface Acknowledgement extends Pick<Condition, 'code' | 'scope' | 'subject'> {
  /** For other administrators; may be empty. */
  readonly note: string;
  /** As it was given: nobody has proved it, unless it came with a certificate. */
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

export interface AcknowledgementRegister {
  all(): readonly Acknowledgement[];
  /** In place of those before. Never throws. */
  keep(all: readonly Acknowledgement[]): void;
}
