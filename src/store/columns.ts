/** The shapes of single database columns. `domain/release.ts` explains the states. */
import { z } from 'zod';
import type { HistoryRecord } from '../domain/history.ts';
import type { EndState, OpenState } from '../domain/release.ts';

export const openState = z.enum([
  'PLANNED',
  'SERVICE-INTENT',
  'SERVICE-REFUSED',
  'FETCHED',
  'INTENT',
  'JOB',
  'SENT',
] as const satisfies readonly OpenState[]);

export const endState = z.enum([
  'CONFIRMED',
  'HANDED-OVER',
  'NOOUTPUT',
  'PARTIAL',
  'UNKNOWN',
] as const satisfies readonly EndState[]);

export const isEndState = (state: OpenState | EndState): state is EndState =>
  endState.safeParse(state).success;

/** In SQL: the events by which a person told the outcome of a release. */
export const statesSetByPeople =
  "'CONFIRMED-BY-USER', 'CONFIRMED-BY-ADMINISTRATOR', 'DENIED-BY-ADMINISTRATOR'";

export const jsonText = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'is no JSON' });
    return z.NEVER;
  }
});

export const factsText = jsonText.pipe(z.record(z.string(), z.unknown()));

/** Loose, so that a field that a later version adds to the record is not lost silently. */
const historyRecord: z.ZodType<HistoryRecord> = z.looseObject({
  jobType: z.literal('PRINT'),
  userName: z.string(),
  providerId: z.number(),
  title: z.string(),
  totalPages: z.exactOptional(z.number()),
  colorPages: z.exactOptional(z.number()),
  paperSize: z.exactOptional(z.string()),
  duplex: z.exactOptional(z.boolean()),
  serialNumber: z.string(),
  address: z.exactOptional(z.string()),
  dateTime: z.string(),
});
export const historyText = jsonText.pipe(historyRecord);
