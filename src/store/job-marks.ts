/**
 * What a job is known by, sealed into the event that records it: the marks may name its owner and its document. Events
 * are for ever, so nobody without the key learns of them. Marks that cannot be opened are none: then the job is not known
 * to be ours, and its outcome is unknown.
 */
import { z } from 'zod';
import type { JobMarks } from '../domain/ports/printing.ts';
import { jsonText } from './columns.ts';
import type { Sealing } from './sealing.ts';

const text = z.string().optional();
const marksShape: z.ZodType<JobMarks> = z.object({
  userName: text,
  uuid: text,
  shownName: text,
  createdAt: z.int().optional(),
  upTime: z.object({ seconds: z.number(), at: z.number() }).optional(),
});

const purposeOf = (releaseId: string): string => `job of release ${releaseId}`;

export const sealedMarks = (sealing: Sealing, releaseId: string, marks: JobMarks): string =>
  sealing.seal(purposeOf(releaseId), JSON.stringify(marks)).toString('base64');

export function openedMarks(sealing: Sealing, releaseId: string, sealed: unknown): JobMarks | undefined {
  if (typeof sealed !== 'string') return undefined;
  const opened = sealing.unseal(purposeOf(releaseId), Buffer.from(sealed, 'base64'));
  const parsed = opened.kind === 'text' ? jsonText.pipe(marksShape).safeParse(opened.text) : undefined;
  return parsed?.success ? parsed.data : undefined;
}
