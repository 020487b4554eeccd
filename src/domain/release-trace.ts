/**
 * The times of one release, from the badge to the paper and beyond. They are kept with its end in the ledger. They tell
 * when and how long, and nothing about persons or documents (I3).
 */

/**
 * In their usual order. `queue`: behind others of this terminal · `turn`: for a shared printer · `prepare`: the printer
 * is asked · `claim`: of a fleet's engine · `first_byte`: from the intent to the first octet · `followed`: as
 * `printed`, for a job without a confirmed output.
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

/** The words for administrators, in the terminal and on their page. */
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

/** Two steps may have been under way at the same time. */
export interface TraceStep {
  readonly stage: TraceStage;
  /** The start of the step, in milliseconds since the start of the trace. */
  readonly at: number;
  /** In milliseconds; also recorded if the step failed. */
  readonly took: number;
}

export interface Trace {
  /** ISO 8601, UTC: the time of the badge, or of the login if the person typed. */
  readonly since: string;
  readonly steps: readonly TraceStep[];
}

/** A trace that is not finished. */
export interface TraceSoFar extends Trace {
  /** `since` on the monotonic clock, milliseconds. */
  readonly origin: number;
}

/** Steps for which the person in front of the printer does not wait. */
const afterwards: readonly TraceStage[] = ['deleted', 'recorded'];

/** Steps for which the person in front of the printer waits. */
export const stepsToPaper = ({ steps }: Trace): readonly TraceStep[] =>
  steps.filter(({ stage }) => !afterwards.includes(stage));

/** From the badge to the paper, or to the end of a release without paper; in milliseconds. */
export const tookInAll = (trace: Trace): number =>
  Math.max(0, ...stepsToPaper(trace).map(({ at, took }) => at + took));

/** The person's own steps: typing a PIN after the badge, and choosing. */
const byThePerson: readonly TraceStage[] = ['badge', 'chosen'];

/** The step for which the person in front had to wait longest. */
export const longestStep = (trace: Trace): TraceStep | undefined =>
  stepsToPaper(trace)
    .filter(({ stage, took }) => !byThePerson.includes(stage) && took > 0)
    .reduce<TraceStep | undefined>(
      (longest, step) => (longest === undefined || step.took > longest.took ? step : longest),
      undefined,
    );

/** An event of a release. */
interface TracedEvent {
  readonly state: string;
}

const isOneOf =
  (...states: readonly string[]) =>
  ({ state }: TracedEvent): boolean =>
    states.includes(state);

/** A person has found its pages. */
export const isFound = (events: readonly TracedEvent[]): boolean =>
  events.some(isOneOf('CONFIRMED-BY-USER', 'CONFIRMED-BY-ADMINISTRATOR'));

/** An administrator said that nothing came out, before its record was posted. The service gets no record. */
export const isWithdrawn = (events: readonly TracedEvent[]): boolean =>
  events.some(isOneOf('DENIED-BY-ADMINISTRATOR')) &&
  !events.some(isOneOf('HISTORY-ACCEPTED', 'HISTORY-LEFT'));
