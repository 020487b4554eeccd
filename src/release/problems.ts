/** What a release itself names as a problem, and how it reads those of others. */
import { asProblem, isProblem, Problem } from '../domain/problem/problem.ts';
import type { Sent } from '../domain/printer/job-verdict.ts';
import { isOfPacking, verdictOn } from '../domain/printer/job-verdict.ts';
import type { ExpectedOutput, JobReport } from '../domain/release.ts';
import { outcomeOf } from '../domain/release.ts';
import type { ReleaseEnded } from './events.ts';

export const asReleaseProblem = (error: unknown): Problem =>
  asProblem(error, 'outcome-unknown', 'the release failed for a reason that has no name');

/** The agent ended before the intent: nothing came out, the document still waits. */
export const abandoned = () =>
  new Problem('release-abandoned', 'the agent ended before the first byte was sent');

/** The agent ended while the document was on its way. */
export const brokenByEnd = () =>
  new Problem('transfer-broken', 'the agent ended before it was known that the whole document had arrived');

/** The agent ended, and whoever had the intent cannot be asked by its successor. */
export const outOfSight = () =>
  new Problem('outcome-unknown', 'the agent ended, and nobody can ask what happened to the document');

/** Its owner left while the printer stood. */
export const leftStanding = () =>
  new Problem('printer-stalled', 'the printer stood still when the person left', { delivery: 'perhaps' });

/** Another member has it by now, and settles what this one began. */
export const claimLost = () =>
  new Problem('claim-lost', 'another member of the fleet has raised the claim', { delivery: 'perhaps' });

export const unconfirmed = () =>
  new Problem('print-unconfirmed', 'the printer accepted the document, and reports nothing more');

/** What the printer made of it is no longer to be learned. */
export const unknownBecause = (why: string, cause?: unknown) => ({
  verdict: 'UNKNOWN' as const,
  problem: new Problem('outcome-unknown', why, { cause, delivery: 'perhaps' }),
});

const sentBefore = { 'not-sent': 'none', answered: 'refused', perhaps: 'some' } as const;

/** How far the document came before the fault. */
export function brokenOff(error: unknown): { readonly problem: Problem; readonly sent: Sent } {
  const problem = asReleaseProblem(error);
  // A slip of our own says nothing of the printer.
  return { problem, sent: isProblem(error) ? sentBefore[problem.delivery] : 'some' };
}

/** Why a job that has ended did not complete, in the printer's words. */
export function reportedProblem(
  report: JobReport | undefined,
  expected: ExpectedOutput | undefined,
): { readonly problem?: Problem } {
  if (report === undefined) return {};
  if (outcomeOf[verdictOn({ sent: 'all', report, expected })] === 'completed') return {};
  const { state, reasons } = report;
  const code = state === 'completed' ? 'print-incomplete' : 'printer-aborted-job';
  return { problem: new Problem(code, `the printer reports the job as ${state}`, { reasons }) };
}

/** Nothing came out because the printer could not unpack it; plain, it may. */
export const wasPackedInVain = ({ outcome, problem }: Pick<ReleaseEnded, 'outcome' | 'problem'>): boolean =>
  outcome === 'failed' && problem !== undefined && isOfPacking(problem.reasons);

/** For the ledger. */
export const problemFacts = ({ code, reasons }: Problem) => ({
  problem: code,
  ...(reasons.length > 0 ? { reasons } : {}),
});

/** For the log. */
export const faultFacts = (problem: Problem) => ({
  code: problem.code,
  detail: problem.message,
  advice: problem.advice,
  ...(problem.reasons.length > 0 ? { reasons: problem.reasons } : {}),
});
