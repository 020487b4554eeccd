/**
 * What one job asks of the printer: the format the bytes go under, and the job attributes (RFC 8011 section 5.2),
 * each only where the printer lists it. Whether the bytes must be changed before is asked of `conversion-plan.ts`.
 */
import type { JobPlan, SpooledDocument } from '../../domain/ports/printing.ts';
import { isTwoSided } from '../../domain/document-changes.ts';
import type { OutputType } from '../../domain/output-port.ts';
import { Problem } from '../../domain/problem.ts';
import type { Ticket } from '../../domain/release.ts';
import { cutToOctets, jobName } from '../../domain/release.ts';
import type { Attribute } from '../../ipp/message.ts';
import { attribute } from '../../ipp/message.ts';
import { integer, keyword } from '../../ipp/values.ts';
import type { PageHandling } from '../conversion/conversion-plan.ts';
import { leftToPrinter, planConversion } from '../conversion/conversion-plan.ts';
import { agentName } from './ipp-client.ts';
import { keepWord } from '../kept-word.ts';
import { mediaName } from '../media.ts';
import type { PrinterAttributes } from './printer-attributes.ts';

export interface IppJobPlan extends JobPlan {
  readonly documentName: string;
  readonly userName: string;
  readonly job: readonly Attribute[];
  /** The printer unpacks it; whether the document is packed is seen when it is there. */
  readonly compression?: 'gzip';
}

/** A name in IPP has at most 255 octets (RFC 8011 section 5.1.3). */
const longestName = 255;

/** Throws `document-not-printable`, or `printer-refused-job` where fewer pages would come out than were asked for. */
export function planJob(
  ticket: Ticket,
  document: Pick<SpooledDocument, 'format'>,
  printer: PrinterAttributes,
  { outputType, handling }: { readonly outputType: OutputType; readonly handling: PageHandling },
): IppJobPlan {
  const planned = planConversion({
    ...{ ticket, outputType, handling, format: document.format, takes: printer.formats },
    longestCopies: printer.longestCopies,
    color: printer.capabilities?.color ?? 'unknown',
    canBeAskedForGrey: printer.colorModes.includes('monochrome'),
    raster: printer.raster,
  });
  if (planned === undefined) {
    throw new Problem('document-not-printable', `the printer does not take ${document.format}`);
  }
  const { name } = ticket.document;
  const asked = leftToPrinter(ticket, planned.conversion);
  const { copies, sides } = asked.document;
  if (copies > printer.longestCopies) {
    throw new Problem('printer-refused-job', `the printer makes ${printer.longestCopies} copies at most`);
  }
  keepWord(ticket, {
    grey: planned.conversion?.color === 'grey' || printer.colorModes.includes('monochrome'),
    twoSided: isTwoSided(sides) && printer.sides.includes(sides ?? ''),
  });
  return {
    jobName: jobName(name, ticket.releaseId),
    documentName: cutToOctets(name, longestName),
    userName: ticket.sendUsername ? cutToOctets(ticket.user.userName, longestName) : agentName,
    ...planned,
    job: jobAttributes(asked, printer),
  };
}

function jobAttributes({ document, monochrome }: Ticket, printer: PrinterAttributes): readonly Attribute[] {
  const { copies, sides, paperSize, collate } = document;
  const media = paperSize === undefined ? undefined : mediaName(paperSize);
  const isGrey = document.grayscale || monochrome;
  return [
    ...(copies > 1 ? [attribute('copies', integer(copies)), ...collation(collate, printer)] : []),
    ...choice('sides', sides, printer.sides),
    ...choice('print-color-mode', isGrey ? 'monochrome' : undefined, printer.colorModes),
    ...choice('media', media, printer.media),
  ];
}

/** PWG 5100.3 has a word of its own for it; RFC 8011 says it by how the copies follow one another. */
function collation(collate: boolean | undefined, printer: PrinterAttributes): readonly Attribute[] {
  if (collate === undefined) return [];
  const sheets = choice('sheet-collate', collate ? 'collated' : 'uncollated', printer.sheetCollate);
  return sheets.length > 0
    ? sheets
    : choice(
        'multiple-document-handling',
        collate ? 'separate-documents-collated-copies' : 'separate-documents-uncollated-copies',
        printer.documentHandling,
      );
}

const choice = (
  name: string,
  wanted: string | undefined,
  supported: readonly string[],
): readonly Attribute[] =>
  wanted !== undefined && supported.includes(wanted) ? [attribute(name, keyword(wanted))] : [];
