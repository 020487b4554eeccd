/**
 * What a job is known by, sealed into the event that records it: the marks may name its owner and its document. Events
 * are for ever, so they are sealed under the key of the release, and go with it. Marks that cannot be opened are none:
 * then the job is not known to be ours, and its outcome is unknown.
 */
import { z } from 'zod';
import type { JobMarks } from '../../domain/ports/printing.ts';
import { jsonText } from '../columns.ts';
import { opened, sealed } from '../sealed/personal-columns.ts';
import type { RowKeyReading, RowKeys } from '../sealed/row-keys.ts';

const text = z.string().optional();
const marksShape: z.ZodType<JobMarks> = z.object({
  userName: text,
  uuid: text,
  shownName: text,
  createdAt: z.int().optional(),
  upTime: z.object({ seconds: z.number(), at: z.number() }).optional(),
});

/** With the key that the release has already. */
export const sealedMarks = (keys: RowKeys, slot: number, releaseId: string, marks: JobMarks): string =>
  sealed(keys, slot, { kind: 'marks', releaseId }, JSON.stringify(marks));

export function openedMarks(keys: RowKeyReading, releaseId: string, found: unknown): JobMarks | undefined {
  if (typeof found !== 'string') return undefined;
  const content = opened(keys, { kind: 'marks', releaseId }, found)?.text;
  return jsonText.pipe(marksShape).safeParse(content).data;
}
