/**
 * All that a release knows: what it was given at its birth, and what it has learned since. The steps add to it, the
 * machine decides by it; what people were told of it last is in `telling.ts`. Nothing is kept elsewhere.
 */
import type { Duration } from '../core/duration.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { required } from '../core/required.ts';
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
import type { Telling } from './telling.ts';
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
  /** Where all that becomes of it is told. */
  readonly telling: Telling;
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
  /** The ledger knows of it: what is known by that holds whatever comes after it. */
  | { readonly type: 'RECORDED'; readonly learned: Learned };

/** The service's answer that the user may print this. */
export interface Cleared {
  /** Monotonic milliseconds. */
  readonly at: number;
  /** What is printed before it lowers the balance. */
  readonly isCharged: boolean;
}

/**
 * What keeps a release from going on. `nothing-out`: nothing is at the printer · `unsettled`: something of it may be there ·
 * `claim-lost`: its job is there, and stays empty · `stood`: its job stood for too long · `unseen`: it went out, and nobody
 * can tell its end.
 */
export type Fault = 'nothing-out' | 'unsettled' | 'claim-lost' | 'stood' | 'unseen';

/** What a release is given at its birth, and keeps. */
interface Given extends ReleasePlace {
  readonly telling: Telling;
  readonly releaseId: string;
  readonly ticket: Ticket | undefined;
  readonly resumed: OpenAttempt | undefined;
  /** A restart may ask the printer about it: that is not what the agent crashed by. */
  readonly isAskedAbout: boolean;
  readonly trace: ReleaseTrace;
  /** Monotonic milliseconds, as all times here. */
  readonly begunAt: number;
  /** What the machine has to hear while a step is under way. */
  readonly say: (word: ReleaseWord) => void;
}

/** What its steps learn, one after the other. */
interface Facts {
  /** As it is kept to be posted; of a new release, once the ledger knows of it. */
  readonly history: HistoryRecord | undefined;
  readonly claim: Claim | undefined;
  /** It was found open, and another member settles it by now (F6). */
  readonly isLeftToSuccessor: boolean;

  /** Who has, or had, the intent. */
  readonly deliveredBy: 'printer' | 'service';
  /** The service definitely would not deliver it: this terminal prints it. */
  readonly isRefusedByService: boolean;
  /** To the service to deliver while its output is not ready, the present one included. */
  readonly requestsLeft: number;
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
  /** The last one that it met, or that a restart was. */
  readonly fault: Fault | undefined;
  /** The end state where it does not follow from what was sent and what the printer reported. */
  readonly verdict: EndState | undefined;
  readonly problem: Problem | undefined;
  /** Set when the end state is in the ledger, or when it never got into it. */
  readonly outcome: Outcome | undefined;
}

/** Who wanted it, and what they would have to mend. */
interface Owner {
  /** Whose session a restart ended is not there either. */
  readonly isGone: boolean;
  /** The job was first seen to stand then; `undefined`: it was seen to come on since. */
  readonly standingSince: number | undefined;
  /** It stood when its owner left, and was not seen to come on since. */
  readonly hasLeftItStanding: boolean;
}

export interface ReleaseContext {
  readonly given: Given;
  readonly facts: Facts;
  readonly owner: Owner;
}

/** As its steps have it. */
export type Known = Given & Facts;

/** What a step adds. */
export type Learned = Partial<Facts>;

const unlearned = {
  isRefusedByService: false,
  requestsLeft: 4,
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
  fault: undefined,
  verdict: undefined,
  problem: undefined,
  outcome: undefined,
} as const satisfies Learned;

export function contextOf({ wish, ...place }: ReleaseInput, say: Given['say']): ReleaseContext {
  const { clock } = place.world;
  const ticket = wish.kind === 'new' ? wish.ticket : undefined;
  const resumed = wish.kind === 'resumed' ? wish.attempt : undefined;
  return {
    given: {
      ...place,
      ticket,
      resumed,
      say,
      releaseId: wish.kind === 'new' ? wish.ticket.releaseId : wish.attempt.releaseId,
      isAskedAbout: wish.kind === 'new' || wish.isAskedAbout,
      trace: createReleaseTrace({ clock, before: ticket?.trace }),
      begunAt: clock.monotonic(),
    },
    facts: {
      ...unlearned,
      deliveredBy: resumed?.state === 'SERVICE-INTENT' ? 'service' : 'printer',
      job: resumed?.job,
      claim: resumed?.claim,
    },
    owner: { isGone: resumed !== undefined, standingSince: undefined, hasLeftItStanding: false },
  };
}

/** All of it, as a step has it. */
export const knownIn = ({ given, facts }: ReleaseContext): Known => ({ ...given, ...facts });

export const documentUuidOf = ({ ticket, resumed }: Known): string =>
  required(ticket?.document.uuid ?? resumed?.documentUuid, 'document');

/** The ledger's end state for what is known when it is settled. */
export function endStateOf(known: Known): EndState {
  const { verdict, sent, report, fault } = known;
  if (verdict) return verdict;
  const state = verdictOn({ sent, report, expected: expectedOf(known) });
  // What was cancelled because it stood for too long is unknown (contract, section 3).
  return fault === 'stood' && state === 'NOOUTPUT' ? 'UNKNOWN' : state;
}

/** By this terminal, from the first, or after the service would not. */
export const isPrintedHere = ({ world, isRefusedByService }: Known): boolean =>
  world.delivery === 'local' || isRefusedByService;

/**
 * Who delivers, records: also where we never learn the end there is no row of ours, not even a held one. So does the
 * member that settles what we began.
 */
export const recordedElsewhere = ({ deliveredBy, isLeftToSuccessor }: Known) => {
  if (isLeftToSuccessor) return { history: 'successor' } as const;
  return deliveredBy === 'service' ? ({ history: 'service' } as const) : {};
};

export function reporterOf({ world }: Known): 'device' | 'spooler' {
  const printer = world.printer();
  return printer.kind === 'jobs' ? printer.confirms : 'device';
}

/** By whose word the document came out; `undefined`: by nobody's. */
export function confirmationOf(known: Known): Confirmation | undefined {
  const state = endStateOf(known);
  if (state === 'HANDED-OVER') return 'handed-over';
  if (state !== 'CONFIRMED') return undefined;
  return known.deliveredBy === 'service' ? 'spooler' : reporterOf(known);
}

/** What would come out if all did; a release that a restart found open knows its pages in all. */
export function expectedOf({ ticket, resumed }: Known): ExpectedOutput | undefined {
  if (ticket) {
    const { totalPages: pages, copies, sides } = ticket.document;
    return pages === undefined ? undefined : { pages, copies, sides };
  }
  const pages = resumed?.documentPages;
  return pages === undefined ? undefined : { pages, copies: 1, sides: undefined };
}

/** A printer that stops when nobody is there any more may be mended by somebody else for so long (T29). */
const longestStandingAlone = 60_000;

/** It stands, and whoever wanted it will not mend the printer in which it does. */
export function isLeftStanding({ owner, given }: ReleaseContext): boolean {
  const { isGone, standingSince, hasLeftItStanding } = owner;
  if (hasLeftItStanding) return true;
  return (
    isGone &&
    standingSince !== undefined &&
    given.world.clock.monotonic() - standingSince > longestStandingAlone
  );
}
