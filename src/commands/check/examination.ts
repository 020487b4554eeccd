/**
 * The steps of `platen check`. A step waits for the steps that it needs; all others run side by side. Each step gives
 * one line with an advice. If a step fails, the steps that need it are skipped and name it. So each cause is shown
 * once.
 */
import type { Clock } from '../../core/clock.ts';
import { systemClock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { inSeconds, milliseconds, seconds } from '../../core/duration.ts';
import { aborted } from '../../core/service.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { Problem } from '../../domain/problem/problem.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import type { Kind } from './weight.ts';

export interface Finding {
  readonly what: string;
  readonly kind: Kind;
  /** The terminal, or the host of the server, if there are several. */
  readonly scope?: string;
  readonly state: 'ok' | 'waiting' | 'failed' | 'skipped';
  readonly detail: string;
  /** The code of the problem, as in the log and in the conditions. */
  readonly code?: string;
  /** The same for programs, if there is more to say. */
  readonly facts?: object;
  /** For a skipped step: the line with the cause. */
  readonly because?: string;
  readonly milliseconds: number;
}

/** The reason for a long wait. It is shown behind the name of the step; `undefined`: no special reason any more. */
export type Say = (why: string | undefined) => void;

export interface ExaminationCall extends CallOptions {
  readonly say?: Say;
}

/** What was found. A thrown error is a failure. `waiting`: nothing is wrong, but something is still to come. */
export type Examination = (
  call: ExaminationCall,
) => Promise<
  | string
  | { readonly waiting: string; readonly code?: string }
  | (Required<Pick<Finding, 'state' | 'detail' | 'facts'>> & Pick<Finding, 'code'>)
>;

export interface Step {
  readonly what: string;
  readonly kind: Kind;
  readonly scope?: string;
  readonly examine: Examination;
  /** The `what` of earlier steps that must be well before this step. */
  readonly needs?: readonly string[];
  /**
   * Counted from the moment when all needed steps were well; default: `examinationLimit`. `own`: the step ends by
   * itself.
   */
  readonly limit?: Duration | 'own';
}

/** For a whole step. */
export const examinationLimit = seconds(15);

/**
 * For a printer that may sleep, if a person waits for the result. It is more than the printer's own limit for waking
 * up.
 */
export const wakingPrinterLimit = seconds(50);

/** The steps that are running: by name, with the words for the wait. */
export type Pending = Map<string, string>;

/** The findings, in the order of the steps. `pending` is kept up to date meanwhile. */
export function examineAll(
  steps: readonly Step[],
  call: CallOptions,
  {
    known = [],
    pending = new Map(),
    clock = systemClock,
  }: { known?: readonly Finding[]; pending?: Pending; clock?: Clock } = {},
): Promise<readonly Finding[]> {
  const begun = new Map<string, Promise<Finding>[]>();
  const keep = (what: string, finding: Promise<Finding>) =>
    begun.set(what, [...(begun.get(what) ?? []), finding]);
  for (const finding of known) keep(finding.what, Promise.resolve(finding));
  const findings = steps.map((step) => {
    const needed = (step.needs ?? []).flatMap((what) => begun.get(what) ?? []);
    const finding = examinedInTurn(step, needed, { call, pending, clock });
    keep(step.what, finding);
    return finding;
  });
  return Promise.all(findings);
}

async function examinedInTurn(
  step: Step,
  needed: readonly Promise<Finding>[],
  { call, pending, clock }: { call: CallOptions; pending: Pending; clock: Clock },
): Promise<Finding> {
  const missing = (await Promise.all(needed)).find(({ state }) => state !== 'ok');
  if (missing) return skipped(step, missing);
  const { what } = step;
  const say: Say = (why) => {
    if (pending.has(what)) pending.set(what, why === undefined ? what : `${what}, ${why}`);
  };
  pending.set(what, what);
  try {
    return await examined(step, { ...call, say }, clock);
  } finally {
    pending.delete(what);
  }
}

const headOf = ({ what, kind, scope }: Step) => ({ what, kind, ...(scope === undefined ? {} : { scope }) });

function skipped(step: Step, { what, state, because = what }: Finding): Finding {
  const isToCome = state === 'waiting' && because === what;
  const detail = `not checked, because ${because} ${isToCome ? 'is not ready yet' : 'failed'}`;
  return { ...headOf(step), state: 'skipped', detail, because, milliseconds: 0 };
}

async function examined(step: Step, call: ExaminationCall, clock: Clock): Promise<Finding> {
  const since = clock.monotonic();
  const found = await (step.limit === 'own'
    ? outcomeOf(step.examine, call)
    : outcomeInTime(step.examine, call, { limit: step.limit ?? examinationLimit, clock }));
  return { ...headOf(step), ...found, milliseconds: Math.round(clock.monotonic() - since) };
}

type Outcome = Pick<Finding, 'state' | 'code' | 'detail' | 'facts'>;

function outcomeInTime(
  examine: Examination,
  call: ExaminationCall,
  { limit, clock }: { readonly limit: Duration; readonly clock: Clock },
): Promise<Outcome> {
  const late = () => ({ state: 'failed' as const, detail: `no answer within ${inSeconds(limit)} s` });
  return Promise.race([
    outcomeOf(examine, { ...call, signal: clock.deadline(limit, call.signal) }),
    // Some waits of the system cannot be stopped, for example a name lookup. A step that can be stopped gives a better
    // message itself.
    aborted(clock.deadline(milliseconds(limit + grace))).then(late),
    aborted(call.signal)
      .then(() => clock.sleep(grace))
      .then(late),
  ]);
}

const grace = milliseconds(300);

async function outcomeOf(examine: Examination, call: ExaminationCall): Promise<Outcome> {
  try {
    const found = await examine(call);
    if (typeof found === 'string') return { state: 'ok', detail: found };
    if (!('waiting' in found)) return found;
    const { waiting: detail, ...code } = found;
    return { state: 'waiting', ...code, detail };
  } catch (error) {
    if (!isProblem(error)) return { state: 'failed', detail: (error as Error).message };
    return { state: 'failed', code: error.code, detail: inWords(error) };
  }
}

/** If a connection has a fault, its own advice is added. */
function inWords({ code, message, advice }: Problem): string {
  const isAdvised = message.includes(advice) || (code === 'cloud-unreachable' && message.includes('; '));
  return isAdvised ? message : `${message}. ${advice}`;
}

/** Several lines use the answer of one call. */
export function askedOnce<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => (asked ??= ask());
}
