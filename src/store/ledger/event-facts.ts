/**
 * What the facts of an event keep: the trace of a release, and the sealed signs of its job. The trace stands in the
 * end event and is short, because there may be ten thousand of them. Later steps have their own events, whose wall
 * times complete the trace.
 */
import { z } from 'zod';
import { parseInstant } from '../../core/clock.ts';
import type { ReleaseEvent } from '../../domain/ports/ledger.ts';
import type { JobMarks } from '../../domain/ports/printing.ts';
import type { Trace, TraceStage } from '../../domain/release-trace.ts';
import { tookInAll, traceStages } from '../../domain/release-trace.ts';
import { endState, jsonText } from '../columns.ts';
import { opened, sealed } from '../sealed/personal-columns.ts';
import type { RowKeyReading, RowKeys } from '../sealed/row-keys.ts';

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

/** In milliseconds; 0 if the wall clock was set back. */
export const span = (from: string, to: string): number =>
  Math.max(0, (parseInstant(to) ?? 0) - (parseInstant(from) ?? 0));

const text = z.string().optional();
const marksShape: z.ZodType<JobMarks> = z.object({
  userName: text,
  uuid: text,
  shownName: text,
  createdAt: z.int().optional(),
  upTime: z.object({ seconds: z.number(), at: z.number() }).optional(),
});

/**
 * The signs by which a job is recognised are sealed, because they may name its owner and its document. An event
 * cannot be cleared, so they are sealed under the key that the release has already, and become unreadable with it. If
 * they cannot be opened, the job is not known to be ours, and its outcome is unknown.
 */
export const sealedMarks = (keys: RowKeys, slot: number, releaseId: string, marks: JobMarks): string =>
  sealed(keys, slot, { kind: 'marks', releaseId }, JSON.stringify(marks));

export function openedMarks(keys: RowKeyReading, releaseId: string, found: unknown): JobMarks | undefined {
  if (typeof found !== 'string') return undefined;
  const content = opened(keys, { kind: 'marks', releaseId }, found)?.text;
  return jsonText.pipe(marksShape).safeParse(content).data;
}
