/**
 * The trace of a release among the facts of its end event. It is short, because there may be ten thousand of them.
 * Later steps have their own events, whose wall times complete the trace.
 */
import { z } from 'zod';
import type { ReleaseEvent } from '../../domain/ports/ledger.ts';
import type { Trace, TraceStage } from '../../domain/release-trace.ts';
import { tookInAll, traceStages } from '../../domain/release-trace.ts';
import { parseInstant } from '../../core/clock.ts';
import { endState } from '../columns.ts';

/** Each step is its stage, its begin and its duration. */
export const traceFacts = ({ since, steps }: Trace) => ({
  since,
  steps: steps.map(({ stage, at, took }) => [stage, at, took] as const),
});

const facts = z.object({
  trace: z.object({
    since: z.string(),
    steps: z.array(z.tuple([z.enum(traceStages), z.number(), z.number()])),
  }),
});

/** Takes the facts of an end; `undefined` if no trace was kept. */
function traceOfEnd(ofEnd: unknown): Trace | undefined {
  const { data: found } = facts.safeParse(ofEnd);
  if (!found) return undefined;
  const { since, steps } = found.trace;
  return { since, steps: steps.map(([stage, at, took]) => ({ stage, at, took })) };
}

const afterTheEnd: readonly (readonly [state: string, stage: TraceStage])[] = [
  ['DELETED', 'deleted'],
  ['HISTORY-ACCEPTED', 'recorded'],
];

/** Includes the steps after the end. */
export function traceOf(events: readonly ReleaseEvent[]): Trace | undefined {
  const end = events.find(({ state }) => endState.safeParse(state).success);
  const trace = traceOfEnd(end?.facts);
  if (!end || !trace) return undefined;
  const at = tookInAll(trace);
  const later = afterTheEnd.flatMap(([state, stage]) => {
    const event = events.find((one) => one.state === state);
    return event ? [{ stage, at, took: span(end.at, event.at) }] : [];
  });
  return { ...trace, steps: [...trace.steps, ...later] };
}

/** 0 if the wall clock was set back. */
const span = (from: string, to: string): number =>
  Math.max(0, (parseInstant(to) ?? 0) - (parseInstant(from) ?? 0));
