/** The problems that a release itself names, and how a release reads the problems of others. */
import { asProblem, isProblem, Problem } from '../domain/problem/problem.ts';
import type { ProblemCode } from '../domain/problem/problem-kinds.ts';
import type { Sent } from '../domain/printer/job-verdict.ts';
import { isOfPacking, verdictOn } from '../domain/printer/job-verdict.ts';
import type { ExpectedOutput, JobReport } from '../domain/release.ts';
import { outcomeOf } from '../domain/release.ts';
import type { ReleaseEnded } from './events.ts';

export const asReleaseProblem = (error: unknown): Problem =>
  asProblem(error, 'outcome-unknown', 'the release failed for a reason that has no name');

/** Nothing came out, and the document still waits. */
export const abandoned = () =>
  new Problem('release-abandoned', 'the agent ended before the first byte was sent');

export const brokenByEnd = () =>
  new Problem('transfer-broken', 'the agent ended before it was known that the whole document had arrived');

/** The agent ended, and the holder of the intent cannot be asked after the restart. */
export const outOfSight = () =>
  new Problem('outcome-unknown', 'the agent ended, and nobody can ask what happened to the document');

/** The owner left while the printer stood. */
export const leftStanding = () =>
  new Problem('printer-stalled', 'the printer stood still when the person left', { delivery: 'perhaps' });

/** Another member has the claim now, and settles what this member began. */
export const claimLost = () =>
  new Problem('claim-lost', 'another member of the fleet has raised the claim', { delivery: 'perhaps' });

export const unconfirmed = () =>
  new Problem('print-unconfirmed', 'the printer accepted the document, and reports nothing more');

/** The end of the document can no longer be learned. */
export const unknownBecause = (why: string, cause?: unknown) => ({
  verdict: 'UNKNOWN' as const,
  problem: new Problem('outcome-unknown', why, { cause, delivery: 'perhaps' }),
});

const sentBefore = { 'not-sent': 'none', answered: 'refused', perhaps: 'some' } as const;

/** How much of the document was sent before the fault. */
export function brokenOff(error: unknown): { readonly problem: Problem; readonly sent: Sent } {
  const problem = asReleaseProblem(error);
  // An error of our own program says nothing about the printer.
  return { problem, sent: isProblem(error) ? sentBefore[problem.delivery] : 'some' };
}

/** Why an ended job did not complete, in the printer's words. */
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

/** These problems stop a batch: the next document would meet the same fault of the printer or of the fleet's engine. */
export const printerFaults: readonly ProblemCode[] = [
  'fleet-engine-away',
  'fleet-engine-refused',
  'printer-unreachable',
  'printer-address-refused',
  'printer-unsupported',
  'printer-tls-too-old',
  'printer-tls-missing',
  'printer-tls-wanted',
  'printer-tls-refused',
  'printer-certificate-refused',
  'printer-moved',
  'printer-path-unknown',
  'printer-no-ipp',
  'printer-not-ready',
  'printer-busy',
  'printer-rejecting',
  'printer-incapable',
  'printer-stalled',
  'transfer-broken',
  'outcome-unknown',
];

/** Nothing came out because the printer could not unpack the document. It may take the document plain. */
export const wasPackedInVain = ({ outcome, problem }: Pick<ReleaseEnded, 'outcome' | 'problem'>): boolean =>
  outcome === 'failed' && problem !== undefined && isOfPacking(problem.reasons);

/** The facts of a problem for the ledger. */
export const problemFacts = ({ code, reasons }: Problem) => ({
  problem: code,
  ...(reasons.length > 0 ? { reasons } : {}),
});

/** The facts of a problem for the log. */
export const faultFacts = (problem: Problem) => ({
  code: problem.code,
  detail: problem.message,
  advice: problem.advice,
  ...(problem.reasons.length > 0 ? { reasons: problem.reasons } : {}),
});
