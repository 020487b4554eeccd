/**
 * The answers for the administrators' page besides `/status`: `/fleet`, `/codes/CODE`, `/releases/CODE` and
 * `/unsettled`. Fields may be added, but not removed.
 */
import type { Trouble } from '../../domain/gateway-troubles.ts';
import type { SeenGateway } from '../../domain/ports/gateways.ts';
import type { ProblemCode } from '../../domain/problem/problem-kinds.ts';
import type { TraceStep } from '../../domain/release-trace.ts';
import type { Confirmation, EndState, OpenState, Outcome, PageCount } from '../../domain/release.ts';

export interface FleetAnswer {
  /** Only this one without a fleet, and while the engine is away. */
  readonly gateways: readonly ToldGateway[];
  /** Why the others are missing. */
  readonly problem: ToldProblem | null;
  /** The caller may also tell this gateway something, because it has shown a token or a certificate. */
  readonly mayTell: boolean;
}

export interface ToldGateway extends SeenGateway {
  /** Its faults, the worst first; empty if it is well. */
  readonly troubles: readonly Trouble[];
}

export interface ToldProblem {
  readonly code: ProblemCode;
  /** A sentence. */
  readonly detail: string;
  readonly advice: string;
}

export type CodeAnswer =
  | { readonly is: 'release'; readonly release: ReleaseAnswer }
  | { readonly is: 'outage'; readonly outage: ToldOutage }
  /** At another member of the fleet; the page of that member has all of it. */
  | { readonly is: 'elsewhere'; readonly member: string; readonly outage: ToldOutage | null };

export interface ToldOutage {
  readonly reference: string;
  readonly terminal: string;
  /** ISO 8601, UTC. */
  readonly since: string | null;
  /** `null`: it goes on. */
  readonly over: string | null;
  /** As the screen says it; `null` if it is not known here. */
  readonly reason: string | null;
}

/** Releases of this gateway that ended as unknown and that no person has settled; the newest first. */
export interface UnsettledAnswer {
  readonly releases: readonly {
    /** 32 hex digits. */
    readonly releaseId: string;
    /** As it was on the screen. */
    readonly code: string;
    readonly terminal: string;
    /** The place of the terminal, for people. */
    readonly place: string;
    /** `null`: the service was to print it. */
    readonly printer: string | null;
    /** ISO 8601, UTC. */
    readonly endedAt: string;
    /** Of all copies; `null`: the document does not tell. */
    readonly pages: number | null;
    readonly isPartial: boolean;
    readonly problem: string | null;
    /** Its record still waits here: with *did not come out* it is not posted. */
    readonly hasRecord: boolean;
  }[];
}

/** A release from the ledger of this gateway, without any person or document. */
export interface ReleaseAnswer {
  /** 32 hex digits. */
  readonly releaseId: string;
  /** As it is on the screen. */
  readonly code: string;
  readonly terminal: string;
  /** The printer for its bytes; `null` before that was settled, and if the service delivers. */
  readonly printer: string | null;
  readonly state: OpenState | EndState;
  /** `null`: it is under way. */
  readonly outcome: Outcome | null;
  readonly confirmation: Confirmation | null;
  readonly pages: PageCount | null;
  readonly problem: { readonly code: string; readonly advice: string } | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly tookMs: number | null;
  /**
   * The state of its record. `accepted`: the service has it, or needs none · `withdrawn`: an administrator said that
   * nothing came out.
   */
  readonly history: 'accepted' | 'waiting' | 'refused' | 'withdrawn';
  readonly events: readonly { readonly state: string; readonly at: string }[];
  /** Empty for a release that a restart found open. */
  readonly stages: readonly TraceStep[];
}
