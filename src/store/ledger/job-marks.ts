/**
 * The signs by which a job is recognised, sealed into the event that records it, because they may name its owner and
 * its document. An event cannot be cleared, so the marks are sealed under the key of the release and become unreadable
 * with it. If marks cannot be opened, the job is not known to be ours, and its outcome is unknown.
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

/** Uses the key that the release has already. */
export const sealedMarks = (keys: RowKeys, slot: number, releaseId: string, marks: JobMarks): string =>
  sealed(keys, slot, { kind: 'marks', releaseId }, JSON.stringify(marks));

export function openedMarks(keys: RowKeyReading, releaseId: string, found: unknown): JobMarks | undefined {
  if (typeof found !== 'string') return undefined;
  const content = opened(keys, { kind: 'marks', releaseId }, found)?.text;
  return jsonText.pipe(marksShape).safeParse(content).data;
}
