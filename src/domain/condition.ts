/**
 * Present faults, as the operator, the cloud, the health page and the metrics see them. The part that observes a
 * condition raises it and clears it; the status folder keeps the list.
 */
import type { ProblemCode } from './problem/problem-kinds.ts';

export type Severity = 'warning' | 'error';

export interface Condition {
  readonly code: ProblemCode;
  readonly severity: Severity;
  /** A terminal id, or `agent` for a fault of all terminals. */
  readonly scope: string;
  /** The thing within the scope: a reader's name, `printer`, `cloud`, `token`, … */
  readonly subject: string;
  /** A sentence about the observation, without secrets. */
  readonly detail: string;
}

/** The one place conditions are reported to. Raising the same again changes nothing; subjects hold one condition. */
export interface Conditions {
  raise(condition: Condition): void;
  clear(scope: string, subject: string): void;
}

/** An administrator has taken the condition on. Kept over restarts. */
export interface Acknowledgement extends Pick<Condition, 'code' | 'scope' | 'subject'> {
  /** For other administrators; may be empty. */
  readonly note: string;
  /** As it was typed, and then not proven; or the name in the caller's certificate. */
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

export interface AcknowledgementRegister {
  all(): readonly Acknowledgement[];
  /** Replaces all earlier ones. Never throws. */
  keep(all: readonly Acknowledgement[]): void;
}

/** `printer`, or `printer Colour, A3` for a printer that is neither the only one nor the default. */
export const subjectOf = (what: string, apart: string | undefined): string =>
  apart === undefined ? what : `${what} ${apart}`;
