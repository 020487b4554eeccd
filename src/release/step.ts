/**
 * What all steps of a release have in common: what they take and give, how they are measured, and what they hear on the
 * way.
 */
import { milliseconds } from '../core/duration.ts';
import { required } from '../core/required.ts';
import type { JobPrinter, SendOptions } from '../domain/ports/printing.ts';
import type { Learned, ReleaseContext, ReleaseStage } from './context.ts';
import { expectedOf } from './context.ts';
import type { ReleaseWait } from './events.ts';

/** Much less than anybody who is told of it waits for. */
const betweenWords = milliseconds(100);

/** Rejects where it failed; what it learned before is then of no account. */
export type Step = (known: ReleaseContext, signal: AbortSignal) => Promise<Learned>;

export const ticketOf = ({ ticket }: ReleaseContext) => required(ticket, 'ticket');
export const planOf = ({ plan }: ReleaseContext) => required(plan, 'plan');
export const documentOf = ({ document }: ReleaseContext) => required(document, 'document');
export const jobOf = ({ job }: ReleaseContext) => required(job, 'job');

/** The machine takes the steps of a job at such a printer only. */
export function jobPrinter({ world }: ReleaseContext): JobPrinter {
  const printer = world.printer();
  if (printer.kind !== 'jobs') throw new Error('this printer knows no jobs');
  return printer;
}

export const now = ({ world }: ReleaseContext): number => world.clock.monotonic();

export const tellStage = (stage: ReleaseStage, known: ReleaseContext, since: number): void =>
  known.world.onStage(stage, milliseconds(now(known) - since));

export async function measured<Result>(
  stage: 'balance' | 'convert',
  known: ReleaseContext,
  call: () => Promise<Result>,
): Promise<Result> {
  const since = now(known);
  const result = await known.trace.measured(stage, call);
  tellStage(stage, known, since);
  return result;
}

/** What is heard of a printer or a spool on the way is said to the machine; of octets, which come by the thousand, now and then. */
export function hearing({ say, world }: ReleaseContext) {
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
    onPages: (impressions: number) => say({ type: 'PAGES', impressions }),
    onWait: (wait: ReleaseWait) => say({ type: 'WAIT', wait }),
    onLeftOut: () => say({ type: 'LEFT_OUT' }),
  };
}

export async function sent<Result>(
  known: ReleaseContext,
  go: (tells: Omit<SendOptions, 'signal'>) => Promise<Result>,
): Promise<Result> {
  const { trace, begunAt, intendedAt = begunAt } = known;
  let since = now(known);
  function onFirstByte() {
    tellStage('first_byte', known, begunAt);
    trace.ended('first_byte', intendedAt);
    since = now(known);
  }
  try {
    return await go({ onFirstByte, expected: expectedOf(known), ...hearing(known) });
  } finally {
    trace.ended('sent', since);
  }
}
