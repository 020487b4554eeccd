/** A release that has ended, as far as its trace tells it: no person, no title. */
import type { ProblemCode } from '../domain/problem/problem-kinds.ts';
import type { Trace } from '../domain/release-trace.ts';
import type { Outcome } from '../domain/release.ts';

export interface EndedRelease {
  /** 32 hex digits. */
  readonly releaseId: string;
  readonly terminal: string;
  readonly outcome: Outcome;
  /** Why it did not complete. */
  readonly code?: ProblemCode | undefined;
  /** The scheme of the printer's address: `ipps`, `socket`, … */
  readonly protocol: string;
  readonly trace: Trace;
}
