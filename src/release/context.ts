/**
 * All that a release knows: what it was given at its birth, and what it has learned since. The steps add to it, the
 * machine decides by it, and what is told of a release follows from it; nothing is kept elsewhere.
 */
import type { Duration } from '../core/duration.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { required } from '../core/required.ts';
import type { Document } from '../domain/document.ts';
import { documentLimits } from '../domain/document.ts';
import type { HistoryRecord } from '../domain/history.ts';
import type { PortKey } from '../domain/output-port.ts';
import type { Claim, Claims } from '../domain/ports/claims.ts';
import type { Ledger, OpenAttempt } from '../domain/ports/ledger.ts';
import type {
  Converter,
  JobPlan,
  Printer,
  PrinterJob,
  Spool,
  SpooledDocument,
} from '../domain/ports/printing.ts';
import type { Balance, Documents } from '../domain/ports/service.ts';
import type { Problem } from '../domain/problem/problem.ts';
import type { Sent } from '../domain/printer/job-verdict.ts';
import { verdictOn } from '../domain/printer/job-verdict.ts';
import type {
  Confirmation,
  DeliveryMode,
  EndState,
  FinishMode,
  JobReport,
  Outcome,
  Ticket,
  ExpectedOutput,
} from '../domain/release.ts';
import type { ServiceTime } from '../domain/service-time.ts';
import { downloadLimits } from './document-source.ts';
import type { ReleaseNews, ReleaseWait, StageUnderWay } from './events.ts';
import type { ReleaseTrace } from './trace.ts';
import { createReleaseTrace } from './trace.ts';
import type { Turn } from './turns.ts';

/** The stages of `platen_release_stage_seconds` that belong to a release. */
export type ReleaseStage = 'balance' | 'download' | 'convert' | 'first_byte' | 'printed';

export interface ReleaseDeps {
  /** Asked for at each step: it may have moved since the last release. */
  printer(): Printer;
  readonly spool: Spool;
  readonly converter: Converter;
  readonly documents: Documents;
  readonly balance: Balance;
  readonly ledger: Ledger;
  readonly claims: Claims;
  /** Where the terminal stands, for people at others. */
  place(): string;
  readonly clock: Clock;
  readonly serviceTime: ServiceTime;
  /** By what the service finds the output port, as it is known at the moment. */
  portKey(): PortKey;
  readonly delivery: DeliveryMode;
  readonly finish: FinishMode;
  /** What was taken on without being confirmed counts as unknown. */
  readonly requireConfirmation: boolean;
  /** How long the history of an unknown outcome waits for evidence before it is posted. */
  readonly unknownHold: Duration;
  /** Whether a large document flows to a printer that takes jobs before all of it is here. */
  readonly cutThrough: 'auto' | 'off';
  onStage(stage: ReleaseStage, span: Duration): void;
}

/** A new release has a ticket; one that a restart found open has only what the ledger knows. */
export type ReleaseWish =
  | { readonly kind: 'new'; readonly ticket: Ticket }
  | { readonly kind: 'resumed'; readonly attempt: OpenAttempt; readonly isAskedAbout: boolean };

/** Where it happens. */
export interface ReleasePlace {
  readonly terminal: string;
  readonly world: ReleaseDeps;
  readonly log: Log;
  readonly turn: Turn;
  /** Why nothing new may begin at the printer; asked when the turn has come. */
  refusal(): Problem | undefined;
  /** When a release of this desk last ended with something printed, or perhaps; monotonic milliseconds. */
  lastOutputAt(): number;
}

export interface ReleaseInput extends ReleasePlace {
  readonly wish: ReleaseWish;
}

/** What is said to the release machine while it waits. */
export type ReleaseWord =
  /** What has no intent yet is given up; what has one goes on. */
  | { readonly type: 'STOP'; readonly because: Problem }
  /** Whoever wanted it is there no more: a job that goes on standing is cancelled, any other printed (T29). */
  | { readonly type: 'OWNER_LEFT' }
  /** Octets came or went, a page was counted, or it has come to a state where it was not before. */
  | { readonly type: 'CAME_ON' }
  /** The printer holds the job until somebody mends it. */
  | { readonly type: 'STANDING' }
  /** See `WaitingOptions`. */
  | { readonly type: 'LEFT_OUT' }
  /** See `PrintingOptions`. */
  | { readonly type: 'PAGES'; readonly impressions: number }
  /** What the printer keeps the document waiting by, before it takes it. */
  | { readonly type: 'WAIT'; readonly wait: ReleaseWait };

/** The service's answer that the user may print this. */
export interface Cleared {
  /** Monotonic milliseconds. */
  readonly at: number;
  /** What is printed before it lowers the balance. */
  readonly isCharged: boolean;
}

export interface ReleaseContext extends ReleasePlace {
  readonly releaseId: string;
  readonly ticket: Ticket | undefined;
  readonly resumed: OpenAttempt | undefined;
  /** A restart may ask the printer about it: that is not what the agent crashed by. */
  readonly isAskedAbout: boolean;
  readonly trace: ReleaseTrace;
  /** Monotonic milliseconds, as all times here. */
  readonly begunAt: number;
  /** What is heard while a step is under way. */
  readonly say: (word: ReleaseWord) => void;

  /** As it is kept to be posted; of a new release, once it is planned. */
  readonly history: HistoryRecord | undefined;
  readonly claim: Claim | undefined;
  /** It was found open, and another member settles it by now (F6). */
  readonly isLeftToSuccessor: boolean;

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
  /** As it came from the service, as long as the ledger does not have its length and digest. */
  readonly unrecorded: SpooledDocument | undefined;
  readonly plan: JobPlan | undefined;
  /** The intent has been durable since. */
  readonly intendedAt: number | undefined;
  readonly job: PrinterJob | undefined;
  readonly sent: Sent;
  /** Nothing more of it has gone out since: it is waited for. */
  readonly outAt: number | undefined;
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

  /** Whose session a restart ended is not there either. */
  readonly isOwnerGone: boolean;
  /** The job was first seen to stand then; `undefined`: it was seen to come on since. */
  readonly standingSince: number | undefined;
  /** It stood when its owner left, and was not seen to come on since. */
  readonly wasLeftStanding: boolean;

  /** What was told last. */
  readonly stage: StageUnderWay;
  readonly wait: ReleaseWait;
  readonly page: number;
  readonly progressAt: number;
}

/** What a step adds. */
export type Learned = Partial<ReleaseContext>;

const unlearned = {
  triesLeft: downloadLimits.tries,
  restartsLeft: downloadLimits.restarts,
  requestsLeft: 4,
  looks: 0,
  history: undefined,
  isLeftToSuccessor: false,
  cleared: undefined,
  document: undefined,
  unrecorded: undefined,
  plan: undefined,
  intendedAt: undefined,
  sent: 'none',
  outAt: undefined,
  report: undefined,
  hasStood: false,
  verdict: undefined,
  problem: undefined,
  finishProblem: undefined,
  outcome: undefined,
  standingSince: undefined,
  wasLeftStanding: false,
  stage: 'waiting',
  wait: undefined,
  page: 0,
  progressAt: Number.NEGATIVE_INFINITY,
} as const satisfies Learned;

export function contextOf({ wish, ...place }: ReleaseInput, say: ReleaseContext['say']): ReleaseContext {
  const { clock } = place.world;
  const ticket = wish.kind === 'new' ? wish.ticket : undefined;
  const resumed = wish.kind === 'resumed' ? wish.attempt : undefined;
  return {
    ...unlearned,
    ...place,
    ticket,
    resumed,
    say,
    releaseId: wish.kind === 'new' ? wish.ticket.releaseId : wish.attempt.releaseId,
    isAskedAbout: wish.kind === 'new' || wish.isAskedAbout,
    deliveredBy: resumed?.state === 'SERVICE-INTENT' ? 'service' : 'printer',
    job: resumed?.job,
    claim: resumed?.claim,
    trace: createReleaseTrace({ clock, before: ticket?.trace }),
    begunAt: clock.monotonic(),
    isOwnerGone: resumed !== undefined,
  };
}

export const documentUuidOf = ({ ticket, resumed }: ReleaseContext): string =>
  required(ticket?.document.uuid ?? resumed?.documentUuid, 'document');

/** The ledger's end state for what is known when it is settled. */
export function endStateOf(known: ReleaseContext): EndState {
  const { verdict, sent, report, hasStood } = known;
  if (verdict) return verdict;
  const state = verdictOn({ sent, report, expected: expectedOf(known) });
  // What was cancelled because it stood for too long is unknown (contract, section 3).
  return hasStood && state === 'NOOUTPUT' ? 'UNKNOWN' : state;
}

/**
 * Who delivers, records: also where we never learn the end there is no row of ours, not even a held one. So does the
 * member that settles what we began.
 */
export const recordedElsewhere = ({ deliveredBy, isLeftToSuccessor }: ReleaseContext) => {
  if (isLeftToSuccessor) return { history: 'successor' } as const;
  return deliveredBy === 'service' ? ({ history: 'service' } as const) : {};
};

export function reporterOf({ world }: ReleaseContext): 'device' | 'spooler' {
  const printer = world.printer();
  return printer.kind === 'jobs' ? printer.confirms : 'device';
}

/** By whose word the document came out; `undefined`: by nobody's. */
export function confirmationOf(known: ReleaseContext): Confirmation | undefined {
  const state = endStateOf(known);
  if (state === 'HANDED-OVER') return 'handed-over';
  if (state !== 'CONFIRMED') return undefined;
  return known.deliveredBy === 'service' ? 'spooler' : reporterOf(known);
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

/**
 * What is told of a printer's count. What came out stays out, and is no more than the document has: any other count is
 * not believed, and told to nobody (I12).
 */
export function pageNews(
  impressions: number,
  { document, page }: { readonly document: Document | undefined; readonly page: number },
): Extract<ReleaseNews, { type: 'page' }> | undefined {
  if (document === undefined) return undefined;
  const { totalPages, copies } = document;
  const pages = totalPages === undefined ? undefined : totalPages * copies;
  const most = pages ?? documentLimits.pages * documentLimits.copies;
  if (!Number.isSafeInteger(impressions) || impressions <= page || impressions > most) return undefined;
  return { type: 'page', page: impressions, ...(pages === undefined ? {} : { pages }) };
}

/** A printer that stops when nobody is there any more may be mended by somebody else for so long (T29). */
const longestStandingAlone = 60_000;

/** It stands, and whoever wanted it will not mend the printer in which it does. */
export function isLeftStanding(known: ReleaseContext): boolean {
  const { wasLeftStanding, isOwnerGone, standingSince, world } = known;
  if (wasLeftStanding) return true;
  return (
    isOwnerGone &&
    standingSince !== undefined &&
    world.clock.monotonic() - standingSince > longestStandingAlone
  );
}
