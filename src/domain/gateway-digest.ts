/**
 * A gateway's report about itself, for people who look at many gateways (F17). It has at most 4 KB as JSON, and no
 * facts about a person. Times are ISO-8601 by the gateway's own clock, and are never compared with another clock.
 */
import type { Severity } from './condition.ts';
import type { ProblemCode } from './problem/problem-kinds.ts';

export interface GatewayDigest {
  /** The UUID that the state directory keeps. */
  readonly member: string;
  /** For people. */
  readonly name: string;
  readonly site: string;
  /** The version of Platen. */
  readonly version: string;
  /** When the digest was written. Spans are counted from the other times to this one. */
  readonly at: string;
  readonly startedAt: string;
  readonly config: ConfigStanding;
  readonly terminals: {
    readonly configured: number;
    /** The terminals that this gateway serves now. In a fleet other gateways may serve the rest. */
    readonly served: number;
    readonly ready: number;
    /** The first terminals that it serves and that are not ready, by their ids, and the reason in a word. */
    readonly troubled: readonly { readonly id: string; readonly state: string }[];
  };
  /** Records of the history that the service has not accepted yet. */
  readonly outbox: {
    readonly waiting: number;
    readonly deadLetters: number;
    readonly oldest: string | null;
  };
  /** Releases of the last day that ended as `unknown`. */
  readonly unknownOutcomes: number;
  /** The people who met a failure here within the last day. Absent if the gateway has an earlier version. */
  readonly hurt?: Hurt | undefined;
  /** Terminals that were out of service within the last day, newest first, as many as fit. */
  readonly outages?: readonly DigestedOutage[] | undefined;
  /** Days until the first of its certificates ends; `null` if it knows none. */
  readonly certificateDays: number | null;
  /** Most serious first, then oldest first. */
  readonly conditions: readonly DigestedCondition[];
  /** The number of conditions that did not fit. */
  readonly moreConditions: number;
  /** HOST:PORT of its operations listener, if another machine can reach it. */
  readonly operations: string | null;
  /** The operations listener speaks TLS. */
  readonly operationsTls: boolean;
}

/** Which configuration of the fleet a gateway runs on (F15, F16). */
export interface ConfigStanding {
  /** The fleet's configuration in force; `null` if only its own file counts. */
  readonly version: number | null;
  /** The configuration that it was told to use, if that is a different one. */
  readonly wanted: number | null;
  /** The configuration that it refused, and the reason in a sentence. */
  readonly refused: { readonly version: number; readonly why: string } | null;
  /** Its own file names a trusted signer. Absent if it was not reported. */
  readonly follows?: boolean | undefined;
}

/** The gateway runs on its own file alone. */
export const ownFileAlone: ConfigStanding = { version: null, wanted: null, refused: null };

export interface HurtCounts {
  /** Prints without output. */
  readonly failed: number;
  /** Prints with an unknown result. */
  readonly unknown: number;
  /** Badges and sign-ins that were refused, or got no list. */
  readonly refused: number;
}

export interface Hurt {
  /** Since the full hour. */
  readonly hour: HurtCounts;
  /** 24 hours, the current one included. */
  readonly day: HurtCounts;
  /** All three together in each of these hours, oldest first. */
  readonly line: readonly number[];
}

export const noneHurt: HurtCounts = { failed: 0, unknown: 0, refused: 0 };

export interface DigestedOutage {
  /** As it stands on the screen. */
  readonly reference: string;
  readonly terminal: string;
  readonly since: string;
  /** `null` if the outage goes on. */
  readonly over: string | null;
}

export interface DigestedCondition {
  readonly code: ProblemCode;
  readonly severity: Severity;
  /** A terminal id, or `agent`. */
  readonly scope: string;
  readonly since: string;
  /** An administrator has taken it on. */
  readonly acknowledged?: true | undefined;
}
