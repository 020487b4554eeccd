/**
 * The history of an outage, found by the reference on the screen: its begin, reason and end, from records of the log or
 * the timeline.
 */
import { z } from 'zod';
import { timelineOf } from './timeline-files.ts';

const recordShape = z.object({
  time: z.string(),
  msg: z.string(),
  reference: z.string(),
  terminal: z.string(),
  reason: z.exactOptional(z.string()),
  code: z.exactOptional(z.string()),
  detail: z.exactOptional(z.string()),
  advice: z.exactOptional(z.string()),
});
export type OutageRecord = z.infer<typeof recordShape>;

export interface OutageStory {
  readonly reference: string;
  readonly terminal: string;
  /** ISO 8601, UTC, of the oldest record that is still known; absent if there is none and the outage goes on. */
  readonly since?: string;
  /** Absent while the outage goes on. */
  readonly over?: string;
  /** In the words of the screen. */
  readonly reason?: string;
  /** The oldest first. */
  readonly records: readonly OutageRecord[];
}

/** `undefined` if there are no records of it. */
export function outageIn(records: readonly OutageRecord[], reference: string): OutageStory | undefined {
  const [first] = records;
  if (!first) return undefined;
  const { terminal, time: since } = first;
  const over = records.find(({ msg }) => msg === 'terminal back in service')?.time;
  const reason = records.findLast((record) => record.reason !== undefined)?.reason;
  return {
    reference,
    terminal,
    since,
    records,
    ...(reason === undefined ? {} : { reason }),
    ...(over === undefined ? {} : { over }),
  };
}

/** From the timeline, which keeps a month; `undefined` if it has no such outage. */
export function writtenOutage(stateDir: string, reference: string): OutageStory | undefined {
  const found: OutageRecord[] = [];
  for (const { time, what: msg, terminal, facts } of timelineOf({ stateDir })) {
    if (facts['reference'] !== reference) continue;
    const { data } = recordShape.safeParse({ ...facts, time, msg, terminal });
    if (data) found.push(data);
  }
  return outageIn(found, reference);
}

/** Reads one line of the log. */
export function outageRecordIn(line: string, reference: string): readonly OutageRecord[] {
  // Most lines are about something else, and a search is faster than parsing.
  if (!line.includes(reference)) return [];
  const { data } = recordShape.safeParse(JSON.parse(line));
  return data?.reference === reference ? [data] : [];
}
