/**
 * What a gateway tells of itself to whoever looks at many of them (F17): at most 4 KB as JSON, and nothing of a person.
 * Times are ISO-8601 by the gateway's own clock; they are compared with nobody else's.
 */
import type { Severity } from './condition.ts';
import type { ProblemCode } from './problem/problem-kinds.ts';

export interface GatewayDigest {
  /** The UUID that the state directory keeps. */
  readonly member: string;
  /** For people. */
  readonly name: string;
  readonly site: string;
  /** Of Platen. */
  readonly version: string;
  /** When it was composed: spans are counted from the other times to this one. */
  readonly at: string;
  readonly startedAt: string;
  readonly config: ConfigStanding;
  readonly terminals: {
    readonly configured: number;
    /** Of these, those that this gateway serves now; in a fleet others may serve the rest. */
    readonly served: number;
    readonly ready: number;
    /** The first of those that it serves and that are not ready, by their ids; and why, in a word. */
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
  /** People whom something failed here within the last day; absent of a gateway of an earlier version. */
  readonly hurt?: Hurt | undefined;
  /** Terminals that were out of service within the last day, the newest first; as many as have room. */
  readonly outages?: readonly DigestedOutage[] | undefined;
  /** Days until the first of its certificates ends; `null`: it knows of none. */
  readonly certificateDays: number | null;
  /** The gravest and oldest first. */
  readonly conditions: readonly DigestedCondition[];
  /** Conditions that had no room. */
  readonly moreConditions: number;
  /** HOST:PORT of its operations listener, where another machine can reach it. */
  readonly operations: string | null;
  /** That one speaks TLS. */
  readonly operationsTls: boolean;
}

/** Which configuration of the fleet a gateway runs on (F15, F16). */
export interface ConfigStanding {
  /** Of the fleet's configuration in force; `null`: its own file alone. */
  readonly version: number | null;
  /** What it was told to run on, where that is another one. */
  readonly wanted: number | null;
  /** The one it would not take, and why, in a sentence. */
  readonly refused: { readonly version: number; readonly why: string } | null;
  /** Its own file names somebody who may sign; absent where it was not told. */
  readonly follows?: boolean | undefined;
}

/** Where nobody but its own file says what it runs on. */
export const ownFileAlone: ConfigStanding = { version: null, wanted: null, refused: null };

export interface HurtCounts {
  /** Prints of which nothing came out. */
  readonly failed: number;
  /** Prints of which nobody knows. */
  readonly unknown: number;
  /** Badges and sign-ins that were refused, or got no list. */
  readonly refused: number;
}

export interface Hurt {
  /** Since the full hour. */
  readonly hour: HurtCounts;
  /** Of 24 hours, this one included. */
  readonly day: HurtCounts;
  /** All three together in each of these hours, the oldest first. */
  readonly line: readonly number[];
}

export const nobodyHurt: HurtCounts = { failed: 0, unknown: 0, refused: 0 };

export interface DigestedOutage {
  /** As it stands on the screen. */
  readonly reference: string;
  readonly terminal: string;
  readonly since: string;
  /** `null`: it goes on. */
  readonly over: string | null;
}

export interface DigestedCondition {
  readonly code: ProblemCode;
  readonly severity: Severity;
  /** A terminal id, or `agent`. */
  readonly scope: string;
  readonly since: string;
  /** Somebody has taken it on. */
  readonly acknowledged?: true | undefined;
}
