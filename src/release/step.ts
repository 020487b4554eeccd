/**
 * What all steps of a release have in common: what they take and give, how they follow one another within a state, how
 * they are measured, and what they hear on the way.
 */
import { milliseconds } from '../core/duration.ts';
import { required } from '../core/required.ts';
import type { JobPrinter } from '../domain/ports/printing.ts';
import type { Learned, Known, ReleaseStage } from './context.ts';
import type { ReleaseWait } from './events.ts';

/** Much less than anybody who is told of it waits for. */
const betweenWords = milliseconds(100);

/** Rejects where it failed; what it learned before is then of no account. */
export type Step = (known: Known, signal: AbortSignal) => Promise<Learned>;

/** What the steps of one state learn: each of them knows what those before it have learned. */
export class Course {
  known: Known;
  learned: Learned = {};
  readonly #signal: AbortSignal;

  constructor(begun: Known, signal: AbortSignal) {
    this.known = begun;
    this.#signal = signal;
  }

  /** Throws where the state was left meanwhile: no further step is taken. */
  learn(more: Learned): void {
    // What is made at that very moment is nobody's, and would stay open.
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

/** The bytes go out with the request that makes their job. */
export const goesAtOnce = ({ plan }: Known): boolean => plan?.inOneStep === true;

/** The steps of a job are taken at such a printer only. */
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
 * What is heard of a printer or a spool on the way is told to people. The machine hears whether it comes on or stands; of
 * octets, which come by the thousand, only now and then.
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
