/**
 * What one job asks of a raw printer: the format the bytes go under, whether they are converted before, and the envelope
 * of PJL around them, in which copies, sides and grey are asked for.
 */
import { documentLimits } from '../../domain/document.ts';
import type { JobPlan, SpooledDocument } from '../../domain/ports/printing.ts';
import { Problem } from '../../domain/problem.ts';
import type { Ticket } from '../../domain/release.ts';
import { jobName } from '../../domain/release.ts';
import type { PageHandling } from '../conversion/conversion-plan.ts';
import { asTheyCome, leftToPrinter, planConversion, unknownRaster } from '../conversion/conversion-plan.ts';
import type { OutputType } from '../../domain/output-port.ts';
import { keepWord } from '../kept-word.ts';
import type { Envelope } from './pjl.ts';
import { noEnvelope, pjlEnvelope, pjlLanguages, pjlName, tellingOn } from './pjl.ts';

export interface SocketJobPlan extends JobPlan {
  readonly envelope: Envelope;
  /** The name under which the printer is to tell of the job; absent where it tells nothing. */
  readonly toldAs?: string;
}

export interface SocketPlanning {
  readonly outputType: OutputType;
  /** Whether PJL is spoken: the document goes out in an envelope of it, and the printer is listened to. */
  readonly pjl: 'auto' | 'off';
  /** What the output port asks of the pages; absent: nothing. */
  readonly handling?: PageHandling;
}

type PlannedBytes = Pick<JobPlan, 'format' | 'conversion'>;

/** What raw printers are sent. */
export const rawFormats = Object.keys(pjlLanguages);

/** Without PJL nobody can ask for a second copy. */
export const longestCopies = (pjl: SocketPlanning['pjl']): number =>
  pjl === 'off' ? 1 : documentLimits.copies;

/** Throws `document-not-printable`, or `printer-refused-job` where fewer pages would come out than were asked for. */
export function planBytes(
  ticket: Ticket,
  { format }: Pick<SpooledDocument, 'format'>,
  { outputType, pjl, handling = asTheyCome }: SocketPlanning,
): PlannedBytes {
  const most = longestCopies(pjl);
  const planned = planConversion({
    ...{ ticket, format, outputType, handling },
    takes: rawFormats,
    longestCopies: most,
    color: 'unknown',
    canBeAskedForGrey: pjl === 'auto',
    raster: unknownRaster,
  });
  if (planned === undefined) {
    throw new Problem('document-not-printable', `${format} does not go to this printer`);
  }
  keepWord(ticket, {
    grey: planned.conversion?.color === 'grey' || pjl === 'auto',
    twoSided: pjl === 'auto',
  });
  if (leftToPrinter(ticket, planned.conversion).document.copies > most) {
    throw new Problem('printer-refused-job', 'without PJL a raw printer makes one copy', {
      reasons: ['copies'],
    });
  }
  return planned;
}

export function wrapBytes(
  ticket: Ticket,
  planned: PlannedBytes,
  { pjl, listens }: Pick<SocketPlanning, 'pjl'> & { readonly listens: boolean },
): SocketJobPlan {
  const { name } = ticket.document;
  const plan = { ...planned, jobName: jobName(name, ticket.releaseId) };
  if (pjl === 'off') return { ...plan, envelope: noEnvelope };
  const asked = leftToPrinter(ticket, planned.conversion);
  if (!listens) return { ...plan, envelope: pjlEnvelope(asked, planned.format) };
  const envelope = pjlEnvelope(asked, planned.format, tellingOn);
  return { ...plan, envelope, toldAs: pjlName(name, ticket.releaseId) };
}
