/**
 * What the release machine is made of: its context, its actors (given by `release-run.ts`) and the table of its
 * delays. The states are in `release.ts`.
 */
import { assign, fromPromise, setup } from 'xstate';
import { longest, seconds } from '../core/duration.ts';
import { waitBefore } from '../core/retry-schedule.ts';
import type { OpenAttempt } from '../domain/ports/ledger.ts';
import type { Conversion, JobPlan, LeftJob, PrinterJob, SpooledDocument } from '../domain/ports/printing.ts';
import { asProblem, Problem } from '../domain/problem/problem.ts';
import type { ExpectedOutput, Sent } from '../domain/printer/job-verdict.ts';
import { verdictOn } from '../domain/printer/job-verdict.ts';
import type { EndState, JobReport, Outcome, Ticket } from '../domain/release.ts';
import { outcomeOf } from '../domain/release.ts';
import type { StageUnderWay } from './progress.ts';

/** At most so many tries, the first included, and restarts after it. */
export const downloadLimits = { tries: 3, restarts: 2 } as const;
const requestLimit = 4;
/** For all tries of one download. */
export const downloadPatience = seconds(60);
export const downloadWaits = { first: seconds(1), factor: 3, longest: seconds(10) };
const lookWaits = { first: seconds(1), factor: 2, longest: seconds(5) };

/** A new release has a ticket; one that a restart found open has only what the ledger knows. */
export type ReleaseInput =
  | { readonly kind: 'new'; readonly ticket: Ticket }
  | { readonly kind: 'resumed'; readonly attempt: OpenAttempt; readonly isAskedAbout: boolean };

/** The service's answer that the user may print this. */
export interface Cleared {
  /** Monotonic milliseconds. */
  readonly at: number;
  /** What is printed before it lowers the balance. */
  readonly isCharged: boolean;
}

export interface ReleaseContext {
  readonly releaseId: string;
  readonly ticket: Ticket | undefined;
  readonly resumed: OpenAttempt | undefined;
  /** A restart may ask the printer about it: that is not what the agent crashed by. */
  readonly isAskedAbout: boolean;
  /** Who has, or had, the intent. */
  readonly deliveredBy: 'printer' | 'service';
  /** To download while the service cannot give the document, the present try included; 0: no other is begun. */
  readonly triesLeft: number;
  /** To download from zero after the document was cut. */
  readonly restartsLeft: number;
  /** To the service to deliver while its output is not ready, the present one included. */
  readonly requestsLeft: number;
  /** How often the service was asked what became of its delivery. */
  readonly looks: number;
  readonly cleared: Cleared | undefined;
  readonly document: SpooledDocument | undefined;
  readonly plan: JobPlan | undefined;
  readonly job: PrinterJob | undefined;
  readonly sent: Sent;
  readonly report: JobReport | undefined;
  /** The job was cancelled because it stood for too long. */
  readonly hasStood: boolean;
  /** The end state where it does not follow from what was sent and what the printer reported. */
  readonly verdict: EndState | undefined;
  readonly problem: Problem | undefined;
  /** Why the service did not take the last deletion, or did not count the document as released. */
  readonly finishProblem: Problem | undefined;
  /** Set when the end state is in the ledger, or when it never got into it. */
  readonly outcome: Outcome | undefined;
}

export const contextOf = (input: ReleaseInput): ReleaseContext => ({
  releaseId: input.kind === 'new' ? input.ticket.releaseId : input.attempt.releaseId,
  ticket: input.kind === 'new' ? input.ticket : undefined,
  resumed: input.kind === 'resumed' ? input.attempt : undefined,
  isAskedAbout: input.kind === 'new' || input.isAskedAbout,
  deliveredBy: input.kind === 'resumed' && input.attempt.state === 'SERVICE-INTENT' ? 'service' : 'printer',
  triesLeft: downloadLimits.tries,
  restartsLeft: downloadLimits.restarts,
  requestsLeft: requestLimit,
  looks: 0,
  cleared: undefined,
  document: undefined,
  plan: undefined,
  job: input.kind === 'resumed' ? input.attempt.job : undefined,
  sent: 'none',
  report: undefined,
  hasStood: false,
  verdict: undefined,
  problem: undefined,
  finishProblem: undefined,
  outcome: undefined,
});

export type ReleaseEvent =
  /** What has no intent yet is given up; what has one goes on. */
  | { readonly type: 'STOP'; readonly because: Problem }
  /** Whoever wanted it will not mend the printer in which it stands. */
  | { readonly type: 'OWNER_LEFT' };

export interface Ending {
  readonly releaseId: string;
  readonly state: EndState;
  readonly deliveredBy: ReleaseContext['deliveredBy'];
  readonly problem: Problem | undefined;
  readonly report: JobReport | undefined;
}

/** The agent ended before the intent: nothing came out, the document still waits. */
export const abandoned = () =>
  new Problem('release-abandoned', 'the agent ended before the first byte was sent');

/** The agent ended while the document was on its way. */
export const brokenByEnd = () =>
  new Problem('transfer-broken', 'the agent ended while it sent the document to the printer');

/** The agent ended, and whoever had the intent cannot be asked by its successor. */
const outOfSight = () =>
  new Problem('outcome-unknown', 'the agent ended, and what became of the document cannot be asked');

/** Its owner left while the printer stood. */
const leftStanding = () =>
  new Problem('printer-stalled', 'the printer stood still when the person left', { delivery: 'perhaps' });

interface Sending {
  readonly plan: JobPlan;
  readonly document: SpooledDocument;
  readonly expected: ExpectedOutput | undefined;
}

const notProvided = () => Promise.reject(new Error('this actor was not provided'));

export const releaseSetup = setup({
  types: {
    context: {} as ReleaseContext,
    events: {} as ReleaseEvent,
    input: {} as ReleaseInput,
    /** What a person is told of it; a state without one leaves that as it was. */
    tags: {} as StageUnderWay,
  },
  actors: {
    recordPlan: fromPromise<void, { ticket: Ticket }>(notProvided),
    checkBalance: fromPromise<Cleared, { ticket: Ticket }>(notProvided),
    /** Resolves when no other release is at the printer; this one then is, until its outcome is settled. */
    takeTurn: fromPromise<void>(notProvided),
    /** Rejects where the document waits no longer, and where that cannot be seen. */
    lookAgain: fromPromise<void, { ticket: Ticket }>(notProvided),
    recordServiceIntent: fromPromise<void, { releaseId: string }>(notProvided),
    deliver: fromPromise<void, { ticket: Ticket }>(notProvided),
    /** Gives the verdict, or `undefined` while the document is on its way. */
    lookAtDelivery: fromPromise<EndState | undefined, { ticket: Ticket }>(notProvided),
    recordRefusal: fromPromise<void, { releaseId: string }>(notProvided),
    /** Downloads into the spool and records length and digest. */
    download: fromPromise<SpooledDocument, { ticket: Ticket }>(notProvided),
    /** Rejects when the document stops coming in; with none there is nothing to look at. */
    watchDocument: fromPromise<void, { document: SpooledDocument | undefined }>(notProvided),
    prepare: fromPromise<JobPlan, { ticket: Ticket; document: SpooledDocument }>(notProvided),
    /** A new document in the spool, in the format of the plan. */
    convert: fromPromise<SpooledDocument, { document: SpooledDocument; conversion: Conversion }>(notProvided),
    recordIntent: fromPromise<void, { releaseId: string; plan: JobPlan }>(notProvided),
    createJob: fromPromise<PrinterJob, { plan: JobPlan }>(notProvided),
    recordJob: fromPromise<void, { releaseId: string; job: PrinterJob }>(notProvided),
    sweep: fromPromise<void, LeftJob>(notProvided),
    send: fromPromise<void, Sending & { job: PrinterJob }>(notProvided),
    /** The document goes out with the request that makes its job. */
    print: fromPromise<PrinterJob, Sending>(notProvided),
    find: fromPromise<PrinterJob | undefined, LeftJob>(notProvided),
    /** Gives what the printer said of the job, or `undefined` where it was merely handed over. */
    sendBytes: fromPromise<JobReport | undefined, Sending>(notProvided),
    recordSent: fromPromise<void, { releaseId: string; job: PrinterJob | undefined }>(notProvided),
    follow: fromPromise<JobReport, { job: PrinterJob; expected: ExpectedOutput | undefined }>(notProvided),
    cancel: fromPromise<JobReport | undefined, { job: PrinterJob }>(notProvided),
    /** Writes end state and history row in one transaction. */
    recordEnd: fromPromise<void, Ending>(notProvided),
    /** Deletes the document in the cloud, or has it counted there as released, and records that. */
    finish: fromPromise<void, { ticket: Ticket }>(notProvided),
  },
  actions: {
    /** Closes the spool file and wipes its key: no attempt reads its document twice. */
    forgetDocument: ({ context }) => context.document?.[Symbol.dispose](),
    noteProblem: assign((_, { error }: { error: unknown }) => ({ problem: asReleaseProblem(error) })),
    abandon: assign({ problem: () => abandoned() }),
    giveUp: assign(({ event }) => (event.type === 'STOP' ? { problem: event.because } : {})),
    noteLeft: assign({ problem: () => leftStanding() }),
    noteBalance: assign((_, { cleared }: { cleared: Cleared }) => ({ cleared })),
    loseSight: assign(() => ({ verdict: 'UNKNOWN' as const, problem: outOfSight() })),
    noteFinishRefused: assign((_, { error }: { error: unknown }) => ({
      finishProblem: asReleaseProblem(error),
    })),
    tellFinishRefused: (_, _params: { error: unknown }) => {},
    tellNotLookedAt: (_, _params: { error: unknown }) => {},
    tellDownloadAgain: () => {},
    tellDeliveryRefused: () => {},
  },
  guards: {
    /** The service's answer is too old for an intent (B.4, 4 Balance). */
    isBalanceOld: () => false,
    /** The same, or something was charged since. */
    isBalanceStale: () => false,
    /** The service is asked to deliver, before or instead of this terminal; what it refused has a document here. */
    isTheServices: () => false,
    /** What the service definitely refused to deliver, this terminal prints. */
    isOursAfterARefusal: () => false,
    /** What was taken on without being confirmed counts as unknown. */
    needsConfirmation: (_, _params: { verdict: EndState | undefined }) => false,
    /** The intent of a resumed attempt names another printer than the terminal has now. */
    isAnotherPrinter: () => false,
    /** The printer takes mere bytes: there is no job to ask about. */
    takesBytes: () => false,
    /** The document of a resumed attempt was to go out with the request that makes its job. */
    wentInOneStep: ({ context: { resumed } }) => resumed?.inOneStep === true,
    /** The document is to be kept, or the user's token is no longer worth sending. */
    mayNotFinish: (_, _params: { ticket: Ticket }) => false,
  },
  delays: {
    /** Between two tries to download; what the service asks for comes first. */
    downloadAgain: ({ context: { problem, triesLeft } }) =>
      problem?.retryAfter ?? waitBefore(downloadLimits.tries - triesLeft, downloadWaits),
    /** After so long no download is tried again; one that is coming in goes on (B.4, 5 Download). */
    downloadPatience,
    /** Between two requests to deliver, while the service's output is not ready (api-supplement.md 12, row 18). */
    requestAgain: seconds(5),
    /** Between two looks at what the service delivers. */
    lookAgain: ({ context }) => waitBefore(context.looks, lookWaits),
    /** After so long nobody knows what became of what the service took on (api-supplement.md 12, row 18). */
    deliveryPatience: seconds(120),
    /** Between two tries to write an end state that a full disk refused. */
    recordAgain: seconds(5),
    /** Between two tries to finish with a printed document in the cloud; longer where the service asks for it. */
    finishAgain: ({ context }) => longest(seconds(10), context.finishProblem?.retryAfter ?? seconds(0)),
  },
});

/** The ledger's end state for what is known when `settling` is entered. */
export function endStateOf(context: ReleaseContext): EndState {
  const { verdict, sent, report, hasStood } = context;
  if (verdict) return verdict;
  const state = verdictOn({ sent, report, expected: expectedOf(context) });
  // What was cancelled because it stood for too long is unknown (contract, section 3).
  return hasStood && state === 'NOOUTPUT' ? 'UNKNOWN' : state;
}

/** What would come out if all did; a release that a restart found open knows its pages in all. */
export function expectedOf({ ticket, resumed }: ReleaseContext): ExpectedOutput | undefined {
  if (ticket) {
    const { totalPages: pages, copies, sides } = ticket.document;
    return pages === undefined ? undefined : { pages, copies, sides };
  }
  const pages = resumed?.documentPages;
  return pages === undefined ? undefined : { pages, copies: 1, sides: undefined };
}

export const outcomeFor = (context: ReleaseContext): Outcome => outcomeOf[endStateOf(context)];

/** Why a job that has ended did not complete, in the printer's words. */
export function problemOf(
  report: JobReport,
  expected: ExpectedOutput | undefined,
): Partial<Pick<ReleaseContext, 'problem'>> {
  if (outcomeOf[verdictOn({ sent: 'all', report, expected })] === 'completed') return {};
  const { state, reasons } = report;
  const code = state === 'completed' ? 'print-incomplete' : 'printer-aborted-job';
  return { problem: new Problem(code, `the printer reports the job as ${state}`, { reasons }) };
}

export const asReleaseProblem = (error: unknown): Problem =>
  asProblem(error, 'outcome-unknown', 'the release failed for a reason that has no name');

export function required<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`the release has no ${name} here`);
  return value;
}

export const errorOf = ({ event }: { event: { error: unknown } }) => event;
/** What the printer made of it is no longer to be learned. */
export const unknownBecause = (why: string, cause?: unknown) => ({
  verdict: 'UNKNOWN' as const,
  problem: new Problem('outcome-unknown', why, { cause, delivery: 'perhaps' }),
});

export const noteProblem = { type: 'noteProblem', params: errorOf } as const;
export const settles = { target: '#release.settling', actions: noteProblem } as const;
/** Beside whatever a document waits for: one that stops coming in has no intent, and so is not printed (I1). */
export const watchesDocument = {
  src: 'watchDocument',
  input: ({ context }: { context: ReleaseContext }) => ({ document: context.document }),
  onError: settles,
} as const;
/** Before the intent a stop means: nothing came out. */
export const givesUp = { target: '#release.settling', actions: 'giveUp' } as const;
export const noteBalance = {
  type: 'noteBalance',
  params: ({ event }: { event: { output: Cleared } }) => ({ cleared: event.output }),
} as const;
