/**
 * What is wrong at the moment, as the operator, the cloud, the health page and the metrics see it. A condition is
 * raised and cleared by whoever observes it; the status folder keeps the list.
 */
import type { ProblemCode } from './problem/problem-kinds.ts';

export type Severity = 'warning' | 'error';

export interface Condition {
  readonly code: ProblemCode;
  readonly severity: Severity;
  /** A terminal id, or `agent` for what concerns all terminals. */
  readonly scope: string;
  /** The thing it is about within the scope: a reader's name, `printer`, `cloud`, `token`, … */
  readonly subject: string;
  /** What was seen, in a sentence, without secrets. */
  readonly detail: string;
}

/** The one place conditions are reported to. Raising the same again changes nothing; subjects hold one condition. */
export interface Conditions {
  raise(condition: Condition): void;
  clear(scope: string, subject: string): void;
}

/** Somebody has taken it on. Kept over restarts. */
export interface Acknowledgement extends Pick<Condition, 'code' | 'scope' | 'subject'> {
  /** For other administrators; may be empty. */
  readonly note: string;
  /** As it was typed, and then not proved; or the name in the caller's certificate. */
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

export interface AcknowledgementRegister {
  all(): readonly Acknowledgement[];
  /** In place of those before. Never throws. */
  keep(all: readonly Acknowledgement[]): void;
}

/** `printer`, or `printer Colour, A3` of one that is not the terminal's only one, nor its default. */
export const subjectOf = (what: string, apart: string | undefined): string =>
  apart === undefined ? what : `${what} ${apart}`;
