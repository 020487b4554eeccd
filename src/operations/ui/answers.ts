/** What the administrators' page asks for besides `/status`: `/fleet` and `/releases/CODE`. Only ever added to. */
import type { Trouble } from '../../domain/gateway-troubles.ts';
import type { SeenGateway } from '../../domain/ports/gateways.ts';
import type { ProblemCode } from '../../domain/problem/problem-kinds.ts';
import type { TraceStep } from '../../domain/release-trace.ts';
import type { Confirmation, EndState, OpenState, Outcome, PageCount } from '../../domain/release.ts';

export interface FleetAnswer {
  /** This one alone where there is no fleet, and while its engine is away. */
  readonly gateways: readonly ToldGateway[];
  /** Why the others are not there. */
  readonly problem: ToldProblem | null;
  /** The caller may tell this gateway something, too: it has shown a token or a certificate. */
  readonly mayTell: boolean;
}

export interface ToldGateway extends SeenGateway {
  /** What is wrong with it, the gravest first; none where it is well. */
  readonly troubles: readonly Trouble[];
}

export interface ToldProblem {
  readonly code: ProblemCode;
  /** A sentence. */
  readonly detail: string;
  readonly advice: string;
}

/** What a code from a screen stands for. */
export type CodeAnswer =
  | { readonly is: 'release'; readonly release: ReleaseAnswer }
  | { readonly is: 'outage'; readonly outage: ToldOutage }
  /** Of another member of the fleet; its own page has all of it. */
  | { readonly is: 'elsewhere'; readonly member: string; readonly outage: ToldOutage | null };

export interface ToldOutage {
  readonly reference: string;
  readonly terminal: string;
  /** ISO 8601, UTC. */
  readonly since: string | null;
  /** `null`: it goes on. */
  readonly over: string | null;
  /** As the screen says it; `null` where it is not known here. */
  readonly reason: string | null;
}

/** Releases of this gateway that ended as unknown and that no person has settled; the newest first. */
export interface UnsettledAnswer {
  readonly releases: readonly {
    /** 32 hex digits. */
    readonly releaseId: string;
    /** As it stood on the screen. */
    readonly code: string;
    readonly terminal: string;
    /** Where that stands, for people. */
    readonly place: string;
    /** `null`: the service was to print it. */
    readonly printer: string | null;
    /** ISO 8601, UTC. */
    readonly endedAt: string;
    /** Of all copies; `null`: the document does not tell. */
    readonly pages: number | null;
    /** A part of it came out. */
    readonly isPartial: boolean;
    readonly problem: string | null;
    /** Its record waits here still: with *did not come out* it is not posted. */
    readonly hasRecord: boolean;
  }[];
}

/** A release as the ledger of this gateway has it, without any person or document. */
export interface ReleaseAnswer {
  /** 32 hex digits. */
  readonly releaseId: string;
  /** As it stands on the screen. */
  readonly code: string;
  readonly terminal: string;
  /** Where its bytes were to go; `null` before that was settled, and where the service delivers. */
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
  /** Of its record. `accepted`: the service has it, or needs none · `withdrawn`: somebody said that nothing came out. */
  readonly history: 'accepted' | 'waiting' | 'refused' | 'withdrawn';
  readonly events: readonly { readonly state: string; readonly at: string }[];
  /** Empty of a release that a restart found open. */
  readonly stages: readonly TraceStep[];
}
