/**
 * Everything that a release knows: the facts given at its start, and the facts learned since. The steps add facts, and
 * the machine decides by them. `telling.ts` keeps the last news for people. No other file keeps anything of a release.
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
  DeliveryMode,
  EndState,
  FinishMode,
  JobReport,
  Outcome,
  Ticket,
  ExpectedOutput,
} from '../domain/release.ts';
import type { ServiceTime } from '../domain/service-time.ts';
import type { ReleaseTrace, Telling } from './telling.ts';
import { createReleaseTrace } from './telling.ts';
import type { Turn } from './turns.ts';

/** The stages of `platen_release_stage_seconds` that belong to a release. */
export type ReleaseStage = 'balance' | 'download' | 'convert' | 'first_byte' | 'printed';

export interface ReleaseDeps {
  /** Read at each step, because the printer may have moved since the last release. */
  printer(): Printer;
  readonly spool: Spool;
  readonly converter: Converter;
  readonly documents: Documents;
  readonly balance: Balance;
  readonly ledger: Ledger;
  readonly claims: Claims;
  /** The location of the terminal, shown to people at other terminals. */
  place(): string;
  readonly clock: Clock;
  readonly serviceTime: ServiceTime;
  /** The key by which the service finds the output port, as it is known now. */
  portKey(): PortKey;
  readonly delivery: DeliveryMode;
  readonly finish: FinishMode;
  /** A document that the printer took without a confirmation counts as unknown. */
  readonly requireConfirmation: boolean;
  /** How long the history of an unknown outcome waits for evidence before it is posted. */
  readonly unknownHold: Duration;
  /** Whether a large document may start to flow to a job printer before its download is complete. */
  readonly cutThrough: 'auto' | 'off';
  onStage(stage: ReleaseStage, span: Duration): void;
}

/** A new release has a ticket. A release that a restart found open has only the facts of the ledger. */
export type ReleaseWish =
  | { readonly kind: 'new'; readonly ticket: Ticket }
  | { readonly kind: 'resumed'; readonly attempt: OpenAttempt; readonly isAskedAbout: boolean };

export const namesOf = (wish: ReleaseWish): { readonly releaseId: string; readonly documentUuid: string } =>
  wish.kind === 'new'
    ? { releaseId: wish.ticket.releaseId, documentUuid: wish.ticket.document.uuid }
    : { releaseId: wish.attempt.releaseId, documentUuid: wish.attempt.documentUuid };

/** The surroundings of a release: its terminal, its deps and its turn. */
export interface ReleasePlace {
  readonly terminal: string;
  readonly world: ReleaseDeps;
  readonly log: Log;
  readonly turn: Turn;
  /** Why no new release may begin at the printer. Asked when the turn has come. */
  refusal(): Problem | undefined;
  /** No other document of this desk is on its way to the printer. */
  isAlone(): boolean;
  /** When a release of this desk last ended with something printed, or perhaps printed; in monotonic milliseconds. */
  lastOutputAt(): number;
}

export interface ReleaseInput extends ReleasePlace {
  readonly wish: ReleaseWish;
  /** Receives all news of the release. */
  readonly telling: Telling;
}

/** The events of the release machine while it waits. */
export type ReleaseWord =
  /** A release without an intent is given up. A release with an intent goes on. */
  | { readonly type: 'STOP'; readonly because: Problem }
  /** The owner has left. A job that still stands is cancelled; any other job is printed (T29). */
  | { readonly type: 'OWNER_LEFT' }
  /** Octets came or went, a page was counted, or the release reached a new state. */
  | { readonly type: 'CAME_ON' }
  /** The printer holds the job until a person mends the printer. */
  | { readonly type: 'STANDING' }
  /** The ledger has recorded these facts. They stay true whatever happens next. */
  | { readonly type: 'RECORDED'; readonly learned: Learned };

/** The service's answer that the user may print this. */
export interface Cleared {
  /** Monotonic milliseconds. */
  readonly at: number;
  /** A document that is printed before this one lowers the balance. */
  readonly isCharged: boolean;
}

/**
 * Why a release cannot go on. `nothing-out`: nothing is at the printer · `unsettled`: a part may be at the printer ·
 * `claim-lost`: the job is at the printer, and stays empty · `stood`: the job stood for too long · `unseen`: the
 * document went out, and its end cannot be learned.
 */
export type Fault = 'nothing-out' | 'unsettled' | 'claim-lost' | 'stood' | 'unseen';

/** The facts that a release is given at its start. They do not change. */
interface Given extends ReleasePlace {
  readonly telling: Telling;
  readonly releaseId: string;
  readonly ticket: Ticket | undefined;
  readonly resumed: OpenAttempt | undefined;
  /** The printer may be asked about the release after a restart, because that did not cause a crash of the agent. */
  readonly isAskedAbout: boolean;
  readonly trace: ReleaseTrace;
  /** In monotonic milliseconds, as all times here. */
  readonly begunAt: number;
  /** Tells the machine news while a step is under way. */
  readonly say: (word: ReleaseWord) => void;
}

/** The facts that the steps learn, one after the other. */
interface Facts {
  /** The record that will be posted. A new release has it as soon as the ledger has recorded the release. */
  readonly history: HistoryRecord | undefined;
  readonly claim: Claim | undefined;
  /** A restart found the release open, and another member of the fleet settles it now (F6). */
  readonly isLeftToSuccessor: boolean;

  /** The side that has, or had, the intent. */
  readonly deliveredBy: 'printer' | 'service';
  /** The service definitely refused to deliver the document, so this terminal prints it. */
  readonly isRefusedByService: boolean;
  /** How often the service may still be asked to deliver while its output is not ready. The present request counts. */
  readonly requestsLeft: number;
  readonly cleared: Cleared | undefined;
  readonly document: SpooledDocument | undefined;
  /** The document as it came from the service, until the ledger has its length and digest. */
  readonly unrecorded: SpooledDocument | undefined;
  readonly plan: JobPlan | undefined;
  /** When the intent became durable. */
  readonly intendedAt: number | undefined;
  readonly job: PrinterJob | undefined;
  readonly sent: Sent;
  /** Since then nothing more went out, and the release waits for the end. */
  readonly outAt: number | undefined;
  readonly report: JobReport | undefined;
  /** The last fault that the release met. A restart counts as a fault, too. */
  readonly fault: Fault | undefined;
  /** The end state, if it does not follow from the bytes sent and the printer's report. */
  readonly verdict: EndState | undefined;
  readonly problem: Problem | undefined;
  /** Set when the end state is in the ledger, or when the release never got into the ledger. */
  readonly outcome: Outcome | undefined;
}

/** The owner of the release, and the standing job that the owner would have to mend. */
interface Owner {
  /** If a restart ended the session, its owner counts as gone, too. */
  readonly isGone: boolean;
  /** When the job was first seen to stand; `undefined` if it was seen to come on since. */
  readonly standingSince: number | undefined;
  /** The job stood when the owner left, and was not seen to come on since. */
  readonly hasLeftItStanding: boolean;
}

export interface ReleaseContext {
  readonly given: Given;
  readonly facts: Facts;
  readonly owner: Owner;
}

/** Everything that a step is given. */
export type Known = Given & Facts;

/** The facts that a step adds. */
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
      releaseId: namesOf(wish).releaseId,
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

export const knownIn = ({ given, facts }: ReleaseContext): Known => ({ ...given, ...facts });

export const documentUuidOf = ({ ticket, resumed }: Known): string =>
  required(ticket?.document.uuid ?? resumed?.documentUuid, 'document');

/** The end state for the ledger, from all that is known at the end. */
export function endStateOf(known: Known): EndState {
  const { verdict, sent, report, fault } = known;
  if (verdict) return verdict;
  const state = verdictOn({ sent, report, expected: expectedOf(known) });
  // A job that was cancelled because it stood for too long is unknown (contract, section 3).
  return fault === 'stood' && state === 'NOOUTPUT' ? 'UNKNOWN' : state;
}

/** This terminal prints from the start, or after the service has refused. */
export const isPrintedHere = ({ world, isRefusedByService }: Known): boolean =>
  world.delivery === 'local' || isRefusedByService;

/** The output if everything came out. A release that a restart found open knows only its pages in all. */
export function expectedOf({ ticket, resumed }: Known): ExpectedOutput | undefined {
  if (ticket) {
    const { totalPages: pages, copies, sides } = ticket.document;
    return pages === undefined ? undefined : { pages, copies, sides };
  }
  const pages = resumed?.documentPages;
  return pages === undefined ? undefined : { pages, copies: 1, sides: undefined };
}
