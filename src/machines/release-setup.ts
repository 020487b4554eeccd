/**
 * What the release machine is made of: its context, its actors (given by `release-desk.ts`) and the table of its
 * delays. The states are in `release.ts`.
 */
import { assign, fromPromise, setup } from 'xstate';
import { longest, seconds } from '../core/duration.ts';
import type { OpenAttempt } from '../domain/ports/ledger.ts';
import type { JobPlan, PrinterJob, SpooledDocument } from '../domain/ports/printing.ts';
import { asProblem, Problem } from '../domain/problem.ts';
import type { EndState, JobReport, Outcome, Sent, Ticket } from '../domain/release.ts';
import { judge, outcomeOf } from '../domain/release.ts';

/** A new release has a ticket; one that a restart found open has only what the ledger knows. */
export type ReleaseInput =
  | { readonly kind: 'new'; readonly ticket: Ticket }
  | { readonly kind: 'resumed'; readonly attempt: OpenAttempt };

export interface ReleaseContext {
  readonly releaseId: string;
  readonly ticket: Ticket | undefined;
  readonly resumed: OpenAttempt | undefined;
  readonly document: SpooledDocument | undefined;
  readonly plan: JobPlan | undefined;
  readonly job: PrinterJob | undefined;
  readonly sent: Sent;
  readonly report: JobReport | undefined;
  /** The printer could not be asked whether an empty job was left behind. */
  readonly sweepFailed: boolean;
  readonly problem: Problem | undefined;
  /** Why the service did not take the last deletion. */
  readonly deletionProblem: Problem | undefined;
  /** Set when the end state is in the ledger, or when it never got into it. */
  readonly outcome: Outcome | undefined;
}

/** The agent is stopping: what has no intent yet is given up. */
export interface ReleaseEvent {
  readonly type: 'STOP';
}

export interface Ending {
  readonly releaseId: string;
  readonly state: EndState;
  readonly problem: Problem | undefined;
  readonly report: JobReport | undefined;
}

/** The agent ended before the intent: nothing came out, the document still waits. */
export const abandoned = () =>
  new Problem('release-abandoned', 'the agent ended before the first byte was sent');

/** The agent ended while the document was on its way. */
export const brokenByEnd = () =>
  new Problem('transfer-broken', 'the agent ended while it sent the document to the printer');

const notProvided = () => Promise.reject(new Error('this actor was not provided'));

export const releaseSetup = setup({
  types: {
    context: {} as ReleaseContext,
    events: {} as ReleaseEvent,
    input: {} as ReleaseInput,
  },
  actors: {
    recordPlan: fromPromise<void, { ticket: Ticket }>(notProvided),
    checkBalance: fromPromise<void, { ticket: Ticket }>(notProvided),
    /** Downloads into the spool and records length and digest. */
    download: fromPromise<SpooledDocument, { ticket: Ticket }>(notProvided),
    prepare: fromPromise<JobPlan, { ticket: Ticket; document: SpooledDocument }>(notProvided),
    recordIntent: fromPromise<void, { releaseId: string }>(notProvided),
    createJob: fromPromise<PrinterJob, { plan: JobPlan }>(notProvided),
    recordJob: fromPromise<void, { releaseId: string; job: PrinterJob }>(notProvided),
    sweep: fromPromise<void, { jobName: string }>(notProvided),
    send: fromPromise<void, { job: PrinterJob; plan: JobPlan; document: SpooledDocument }>(notProvided),
    recordSent: fromPromise<void, { releaseId: string }>(notProvided),
    follow: fromPromise<JobReport, { job: PrinterJob }>(notProvided),
    cancel: fromPromise<JobReport | undefined, { job: PrinterJob }>(notProvided),
    /** Writes end state and history row in one transaction. */
    recordEnd: fromPromise<void, Ending>(notProvided),
    /** Deletes the document in the cloud and records that. */
    deleteDocument: fromPromise<void, { ticket: Ticket }>(notProvided),
  },
  actions: {
    /** Closes the spool file and wipes its key: no attempt reads its document twice. */
    forgetDocument: ({ context }) => context.document?.[Symbol.dispose](),
    noteProblem: assign((_, { error }: { error: unknown }) => ({ problem: asReleaseProblem(error) })),
    abandon: assign({ problem: () => abandoned() }),
    noteDeletionRefused: assign((_, { error }: { error: unknown }) => ({
      deletionProblem: asReleaseProblem(error),
    })),
    tellDeletionRefused: (_, _params: { error: unknown }) => {},
  },
  guards: {
    /** The document is to be kept, or the user's token is no longer worth sending. */
    mayNotDelete: (_, _params: { ticket: Ticket }) => false,
  },
  delays: {
    /** Between two tries to write an end state that a full disk refused. */
    recordAgain: 5_000,
    /** Between two tries to delete a printed document in the cloud; longer where the service asks for it. */
    deleteAgain: ({ context }) => longest(seconds(10), context.deletionProblem?.retryAfter ?? seconds(0)),
  },
});

/** The ledger's end state for what is known when `settling` is entered. */
export const endStateOf = ({ sent, report, sweepFailed }: ReleaseContext): EndState =>
  sent === 'none' && sweepFailed ? 'UNKNOWN' : judge(sent, report);

export const outcomeFor = (context: ReleaseContext): Outcome => outcomeOf[endStateOf(context)];

/** Why a job that has ended did not complete, in the printer's words. */
export const problemOf = ({ state, reasons }: JobReport): Partial<Pick<ReleaseContext, 'problem'>> =>
  state === 'completed'
    ? {}
    : { problem: new Problem('printer-aborted-job', `the printer reports the job as ${state}`, { reasons }) };

export const asReleaseProblem = (error: unknown): Problem =>
  asProblem(error, 'outcome-unknown', 'the release failed for a reason that has no name');

export function required<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`the release has no ${name} here`);
  return value;
}
