/**
 * What one job asks of a raw printer: the format the bytes go under, whether they are converted before, and the envelope
 * of PJL around them, in which copies, sides and grey are asked for.
 */
import { documentLimits } from '../../domain/document.ts';
import type { JobPlan, SpooledDocument } from '../../domain/ports/printing.ts';
import { Problem } from '../../domain/problem/problem.ts';
import type { Ticket } from '../../domain/release.ts';
import { jobName } from '../../domain/release.ts';
import type { PageHandling } from '../conversion/conversion-plan.ts';
import {
  asTheyCome,
  leftToPrinter,
  planConversion,
  unknownRaster,
  whyNot,
} from '../conversion/conversion-plan.ts';
import type { OutputType } from '../../domain/output-port.ts';
import { formats } from '../document-format.ts';
import { keepWord } from '../kept-word.ts';
import type { Envelope } from './pjl.ts';
import { asking, bareQuestion, noEnvelope, pjlEnvelope, pjlLanguages, pjlName, tellingOn } from './pjl.ts';

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

interface PlannedBytes extends Pick<JobPlan, 'format' | 'conversion'> {
  /** No PJL of ours goes with it: none is spoken, or the document brings its own. */
  readonly isBare: boolean;
}

/** What raw printers are sent. */
export const rawFormats = Object.keys(pjlLanguages);

/** Without PJL nobody can ask for a second copy. */
export const longestCopies = (pjl: SocketPlanning['pjl']): number =>
  pjl === 'off' ? 1 : documentLimits.copies;

/** Throws `document-not-printable`, or `printer-refused-job` where fewer pages would come out than were asked for. */
export function planBytes(
  ticket: Ticket,
  { format, holds }: Pick<SpooledDocument, 'format' | 'holds'>,
  { outputType, handling = asTheyCome, ...planning }: SocketPlanning,
): PlannedBytes {
  const isBare = planning.pjl === 'off' || holds('printer-commands');
  const pjl = isBare ? 'off' : 'auto';
  const most = longestCopies(pjl);
  const wanted = { format, hidesProgram: holds('hidden-program') };
  const planned = planConversion({
    ...wanted,
    ticket,
    handling,
    outputType: asMade(format, outputType),
    takes: rawFormats,
    longestCopies: most,
    color: 'unknown',
    canBeAskedForGrey: pjl === 'auto',
    raster: unknownRaster,
  });
  if (planned === undefined) {
    throw new Problem('document-not-printable', whyNot(wanted));
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
  return { ...planned, isBare: isBare && (planning.pjl === 'off' || planned.conversion === undefined) };
}

/** A raw printer does not tell its languages: that it has PostScript is known by the driver that made the document. */
const asMade = (format: string, outputType: OutputType): OutputType =>
  format === formats.postscript && outputType === 'auto' ? 'ps3' : outputType;

export interface BackChannelUse {
  /** It is known to answer, and asked how it is before the document. */
  readonly asks: boolean;
  /** It is asked to tell of the job. */
  readonly listens: boolean;
}

export function wrapBytes(
  ticket: Ticket,
  { isBare, ...planned }: PlannedBytes,
  { asks, listens }: BackChannelUse,
): SocketJobPlan {
  const { name } = ticket.document;
  const plan = { ...planned, jobName: jobName(name, ticket.releaseId) };
  if (isBare) return { ...plan, envelope: asks ? bareQuestion : noEnvelope };
  const asked = leftToPrinter(ticket, planned.conversion);
  if (!listens) return { ...plan, envelope: pjlEnvelope(asked, planned.format, asks ? asking : []) };
  const envelope = pjlEnvelope(asked, planned.format, tellingOn);
  return { ...plan, envelope, toldAs: pjlName(name, ticket.releaseId) };
}
