/**
 * The plan of one job for a raw printer: the format of the bytes, whether they are converted first, and the PJL
 * envelope that asks for copies, sides and grey.
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
import { requireChosenSettings } from '../kept-word.ts';
import type { Envelope } from './pjl.ts';
import { asking, bareQuestion, noEnvelope, pjlEnvelope, pjlLanguages, pjlName, tellingOn } from './pjl.ts';

export interface SocketJobPlan extends JobPlan {
  readonly envelope: Envelope;
  /** The name under which the printer tells of the job; absent if it tells nothing. */
  readonly pjlJobName?: string;
}

export interface SocketPlanning {
  readonly outputType: OutputType;
  /** Whether PJL is used: the document goes out in an envelope, and the printer's messages are read. */
  readonly pjl: 'auto' | 'off';
  /** Page handling that the output port asks for; absent: none. */
  readonly handling?: PageHandling;
}

interface PlannedBytes extends Pick<JobPlan, 'format' | 'conversion'> {
  /** No PJL of ours is sent: PJL is off, or the document has its own. */
  readonly isBare: boolean;
}

/** The formats for raw printers. */
export const rawFormats = Object.keys(pjlLanguages);

/** Without PJL a second copy cannot be asked for. */
export const longestCopies = (pjl: SocketPlanning['pjl']): number =>
  pjl === 'off' ? 1 : documentLimits.copies;

/** Throws `document-not-printable`, or `printer-refused-job` if fewer pages would come out than were asked for. */
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
  requireChosenSettings(ticket, {
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

/**
 * A raw printer does not tell its languages. A document in PostScript was made by a driver for it, so the printer has
 * PostScript.
 */
const asMade = (format: string, outputType: OutputType): OutputType =>
  format === formats.postscript && outputType === 'auto' ? 'ps3' : outputType;

export interface BackChannelUse {
  /** The printer is known to answer and is asked for its state before the document. */
  readonly asks: boolean;
  /** The printer is asked to tell of the job. */
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
  return { ...plan, envelope, pjlJobName: pjlName(name, ticket.releaseId) };
}
