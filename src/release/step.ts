/**
 * The common parts of all steps of a release: their type, how they follow one another within a state, how they are
 * measured, and the news that they hear on the way.
 */
import { milliseconds } from '../core/duration.ts';
import { required } from '../core/required.ts';
import type { JobPrinter } from '../domain/ports/printing.ts';
import type { Learned, Known, ReleaseStage } from './context.ts';
import type { ReleaseWait } from './events.ts';

/** Much shorter than any listener waits for news. */
const betweenWords = milliseconds(100);

/** Rejects if the step failed. Facts that it learned before that do not count. */
export type Step = (known: Known, signal: AbortSignal) => Promise<Learned>;

/** Collects the facts that the steps of one state learn. Each step knows the facts of the steps before it. */
export class Course {
  known: Known;
  learned: Learned = {};
  readonly #signal: AbortSignal;

  constructor(begun: Known, signal: AbortSignal) {
    this.known = begun;
    this.#signal = signal;
  }

  /** Throws if the state was left meanwhile, so that no further step is taken. */
  learn(more: Learned): void {
    // If the step was aborted meanwhile, nothing else would close its new document.
    if (this.#signal.aborted) more.document?.[Symbol.dispose]();
    this.#signal.throwIfAborted();
    this.learned = { ...this.learned, ...more };
    this.known = { ...this.known, ...more };
    this.known.telling.progress();
  }
}

export const ticketOf = ({ ticket }: Known) => required(ticket, 'ticket');
export const planOf = ({ plan }: Known) => required(plan, 'plan');
export const documentOf = ({ document }: Known) => required(document, 'document');
export const jobOf = ({ job }: Known) => required(job, 'job');

/** The bytes go out in the same request that makes their job. */
export const goesAtOnce = ({ plan }: Known): boolean => plan?.inOneStep === true;

/** Only a printer that knows jobs gets the steps of a job. */
export function jobPrinter({ world }: Known): JobPrinter {
  const printer = world.printer();
  if (printer.kind !== 'jobs') throw new Error('this printer knows no jobs');
  return printer;
}

export const now = ({ world }: Pick<Known, 'world'>): number => world.clock.monotonic();

export const tellStage = (stage: ReleaseStage, known: Known, since: number): void =>
  known.world.onStage(stage, milliseconds(now(known) - since));

export async function measured<Result>(
  stage: 'balance' | 'convert',
  known: Known,
  call: () => Promise<Result>,
): Promise<Result> {
  const since = now(known);
  const result = await known.trace.measured(stage, call);
  tellStage(stage, known, since);
  return result;
}

/**
 * News of a printer or a spool on the way goes to people. The machine hears only whether the release comes on or
 * stands. Octets come by the thousand, so they are reported only now and then.
 */
export function hearing({ say, telling, world }: Known) {
  let nextAt = Number.NEGATIVE_INFINITY;
  return {
    onProgress() {
      const at = world.clock.monotonic();
      if (at < nextAt) return;
      nextAt = at + betweenWords;
      say({ type: 'CAME_ON' });
    },
    onStanding() {
      nextAt = Number.NEGATIVE_INFINITY;
      say({ type: 'STANDING' });
    },
    onPages: (impressions: number) => telling.pages(impressions),
    onWait: (wait: ReleaseWait) => telling.waits(wait),
    onLeftOut: () => telling.leftOut(),
  };
}
