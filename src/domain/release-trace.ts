/**
 * Where the time of one release went, from the badge to the paper and beyond: what is kept with its end in the ledger.
 * It tells when and how long, and nothing of who or what (I3).
 */

/**
 * In the order they usually come in. `queue`: behind others of this terminal · `turn`: for a printer that is shared ·
 * `prepare`: the printer is asked · `claim`: of a fleet's engine · `first_byte`: from the intent to the first octet ·
 * `followed`: as `printed`, of a job that was not confirmed to have come out.
 */
export const traceStages = [
  'badge',
  'login',
  'list',
  'chosen',
  'queue',
  'balance',
  'download',
  'turn',
  'prepare',
  'convert',
  'claim',
  'delivery',
  'first_byte',
  'sent',
  'printed',
  'followed',
  'deleted',
  'recorded',
] as const;
export type TraceStage = (typeof traceStages)[number];

/** As administrators read them, in the terminal and on their page. */
export const stageWords: Readonly<Record<TraceStage, string>> = {
  badge: 'badge read',
  login: 'login',
  list: 'list',
  chosen: 'chosen',
  queue: 'waiting for others of the terminal',
  balance: 'balance',
  download: 'download',
  turn: 'waiting for its turn',
  prepare: 'printer asked',
  convert: 'convert',
  claim: 'engine of the fleet asked',
  delivery: 'service asked to print',
  first_byte: 'first byte',
  sent: 'sent',
  printed: 'printed',
  followed: 'printer followed',
  deleted: 'deleted',
  recorded: 'recorded in history',
};

/** Two steps may have gone on at the same time. */
export interface TraceStep {
  readonly stage: TraceStage;
  /** When it began, milliseconds since the trace did. */
  readonly at: number;
  /** Milliseconds; also where it failed. */
  readonly took: number;
}

export interface Trace {
  /** ISO 8601, UTC: the badge, or the login of who typed. */
  readonly since: string;
  readonly steps: readonly TraceStep[];
}

/** It goes on. */
export interface TraceSoFar extends Trace {
  /** `since` on the monotonic clock, milliseconds. */
  readonly origin: number;
}

/** Steps that nobody in front of the printer waits for. */
const afterwards: readonly TraceStage[] = ['deleted', 'recorded'];

/** Those that somebody in front of the printer waits for. */
export const stepsToPaper = ({ steps }: Trace): readonly TraceStep[] =>
  steps.filter(({ stage }) => !afterwards.includes(stage));

/** From the badge to the paper, or to the end of a release without any; milliseconds. */
export const tookInAll = (trace: Trace): number =>
  Math.max(0, ...stepsToPaper(trace).map(({ at, took }) => at + took));

/** What a person does: typing a PIN after the badge, and choosing. */
const byThePerson: readonly TraceStage[] = ['badge', 'chosen'];

/** The step that the person in front had to wait for the longest. */
export const longestStep = (trace: Trace): TraceStep | undefined =>
  stepsToPaper(trace)
    .filter(({ stage, took }) => !byThePerson.includes(stage) && took > 0)
    .reduce<TraceStep | undefined>(
      (longest, step) => (longest === undefined || step.took > longest.took ? step : longest),
      undefined,
    );

/** An event of a release. */
interface Told {
  readonly state: string;
}

const isOneOf =
  (...states: readonly string[]) =>
  ({ state }: Told): boolean =>
    states.includes(state);

/** Somebody has found its pages. */
export const isFound = (events: readonly Told[]): boolean =>
  events.some(isOneOf('CONFIRMED-BY-USER', 'CONFIRMED-BY-ADMINISTRATOR'));

/** An administrator said that nothing came out, before its record was posted: the service gets none. */
export const isWithdrawn = (events: readonly Told[]): boolean =>
  events.some(isOneOf('DENIED-BY-ADMINISTRATOR')) &&
  !events.some(isOneOf('HISTORY-ACCEPTED', 'HISTORY-LEFT'));
