/** A release that has ended, as far as its trace shows it: without the person and the title. */
import type { ProblemCode } from '../domain/problem/problem-kinds.ts';
import type { Trace } from '../domain/release-trace.ts';
import type { Outcome } from '../domain/release.ts';

export interface EndedRelease {
  /** 32 hex digits. */
  readonly releaseId: string;
  readonly terminal: string;
  readonly outcome: Outcome;
  /** Set if the release did not complete. */
  readonly code?: ProblemCode | undefined;
  /** The scheme of the printer's address: `ipps`, `socket`, … */
  readonly protocol: string;
  readonly trace: Trace;
}
