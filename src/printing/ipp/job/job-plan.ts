/**
 * The requests of one job: the format of the bytes and the job attributes (RFC 8011 section 5.2), each only if the
 * printer lists it. `conversion-plan.ts` decides whether the bytes must be changed first.
 */
import type { PrinterHabits, RefusableName } from '../../../domain/ports/printer-memory.ts';
import type { JobPlan, SpooledDocument } from '../../../domain/ports/printing.ts';
import { isTwoSided } from '../../../domain/document-changes.ts';
import type { PaperWork } from '../../../domain/printer/paper-work.ts';
import { attributeOfWork, bindsSheets, finishingsOf, workKinds } from '../../../domain/printer/paper-work.ts';
import type { OutputType } from '../../../domain/output-port.ts';
import { isNowhere } from '../../../domain/printer/paper-trays.ts';
import { isAboutPaper } from '../../../domain/problem/printer-reasons.ts';
import { Problem } from '../../../domain/problem/problem.ts';
import type { Ticket } from '../../../domain/release.ts';
import { cutToOctets, jobName, longestName } from '../../../domain/release.ts';
import type { Attribute } from '../../../ipp/message.ts';
import { attribute } from '../../../ipp/message.ts';
import { collection, enumValue, integer, keyword } from '../../../ipp/values.ts';
import { finishingNumber, printQualities } from '../../../ipp/registry.ts';
import type { PageHandling } from '../../conversion/conversion-plan.ts';
import { leftToPrinter, planConversion, whyNot } from '../../conversion/conversion-plan.ts';
import { agentName } from '../wire/ipp-client.ts';
import { requireChosenSettings } from '../../kept-word.ts';
import { mediaDimensions, mediaName } from '../../media.ts';
import type { PrinterAttributes } from '../printer/printer-attributes.ts';
import { isInOneStep } from '../printer/printer-attributes.ts';
import { takesJobs } from '../printer/printer-fitness.ts';

/**
 * The names of the job, the document and the user. If a printer refuses one, it is sent in ASCII, and then not at all.
 */
export interface JobNaming {
  /** Empty: not sent. */
  readonly jobName: string;
  readonly documentName: string;
  readonly userName: string;
}

export interface IppJobPlan extends JobPlan {
  readonly documentName: string;
  readonly userName: string;
  /** The names in the form that this printer accepts. */
  readonly naming: JobNaming;
  readonly job: readonly Attribute[];
  /**
   * The attributes without which nothing is printed: otherwise there would be fewer copies, or not the user's choice at
   * the terminal.
   */
  readonly musts?: readonly string[];
  /** ipp-attribute-fidelity is not sent, because the printer refuses it. */
  readonly tellsNoFidelity?: true;
  /** The printer can decompress; whether the document is compressed is decided when it is there. */
  readonly compression?: 'gzip';
}

/**
 * Throws `document-not-printable` or `printer-lacks-paper`. Throws `printer-refused-job` if fewer pages would come out
 * than were asked for.
 */
export function planJob(
  ticket: Ticket,
  document: Pick<SpooledDocument, 'format'> & Partial<Pick<SpooledDocument, 'holds'>>,
  printer: PrinterAttributes,
  {
    outputType,
    handling,
    habits = {},
  }: {
    readonly outputType: OutputType;
    readonly handling: PageHandling;
    readonly habits?: PrinterHabits;
  },
): IppJobPlan {
  const wanted = { format: document.format, hidesProgram: document.holds?.('hidden-program') };
  const { work = {} } = ticket.changed ?? {};
  const planned = planConversion({
    ...wanted,
    ticket,
    outputType,
    // The printer makes the sets, because copies within one document would be stapled together.
    handling: bindsSheets(work) ? { ...handling, softwareCopies: false } : handling,
    takes: printer.formats,
    longestCopies: printer.longestCopies,
    color: printer.capabilities?.color ?? 'unknown',
    canBeAskedForGrey: printer.colorModes.includes('monochrome'),
    sides: printer.sides,
    raster: printer.raster,
  });
  if (planned === undefined) {
    throw new Problem('document-not-printable', whyNot(wanted));
  }
  if (!takesJobs(printer)) {
    throw new Problem(
      'printer-refused-job',
      'the printer has neither Create-Job and Send-Document nor Print-Job',
    );
  }
  checkPaper(ticket, printer);
  const { name } = ticket.document;
  const asked = leftToPrinter(ticket, planned.conversion);
  const { copies, sides } = asked.document;
  if (bindsSheets(work) && (planned.conversion?.copies ?? 1) > 1) {
    throw new Problem('printer-refused-job', 'the printer cannot make each copy as a set of its own', {
      reasons: ['copies'],
    });
  }
  if (copies > printer.longestCopies) {
    throw new Problem('printer-refused-job', `the printer makes ${printer.longestCopies} copies at most`, {
      reasons: ['copies'],
    });
  }
  requireChosenSettings(ticket, {
    grey: planned.conversion?.color === 'grey' || printer.colorModes.includes('monochrome'),
    twoSided: isTwoSided(sides) && printer.sides.includes(sides ?? ''),
    work: printer.capabilities?.work?.choices,
  });
  const naming: JobNaming = {
    jobName: jobName(name, ticket.releaseId, habits.cutsNamesAt),
    documentName: cutToOctets(name, longestName),
    userName: ticket.sendUsername ? cutToOctets(ticket.user.userName, longestName) : agentName,
  };
  return {
    ...naming,
    naming: habits.refusesNames ? without(naming, habits.refusesNames) : naming,
    ...planned,
    job: jobAttributes(asked, printer),
    musts: mustsOf(asked, planned.conversion?.color === 'grey'),
    ...(isInOneStep(printer) ? { inOneStep: true } : {}),
  };
}

/** A tray is empty, and the other trays show that they lack the paper of this document. */
function checkPaper({ document: { paperSize } }: Ticket, { remarks, media, trays }: PrinterAttributes): void {
  const wanted = paperSize === undefined ? undefined : mediaName(paperSize);
  const reasons = remarks.filter(isAboutPaper);
  // If no paper is asked for, the printer chooses it.
  if (wanted === undefined || !media.includes(wanted) || reasons.length === 0) return;
  const size = mediaDimensions(wanted);
  if (size && isNowhere(size, trays)) {
    throw new Problem('printer-lacks-paper', 'the paper of this document is in no tray', { reasons });
  }
}

const mustsOf = ({ changed = {}, monochrome }: Ticket, isGrey: boolean): readonly string[] => [
  'copies',
  ...((monochrome || changed.grey) && !isGrey ? ['print-color-mode'] : []),
  ...(changed.twoSided ? ['sides'] : []),
  ...(changed.work
    ? workKinds.filter((kind) => changed.work?.[kind] !== undefined).map(attributeOfWork)
    : []),
];

const fieldOf = {
  'job-name': 'jobName',
  'document-name': 'documentName',
  'requesting-user-name': 'userName',
} as const satisfies Record<RefusableName, keyof JobNaming>;

const without = (naming: JobNaming, refused: readonly RefusableName[]): JobNaming => ({
  ...naming,
  ...Object.fromEntries(refused.map((name) => [fieldOf[name], ''])),
});

/**
 * The names to send after a refusal that named some of them; `undefined` if it named nothing that can be left out.
 * `left` are the names that are no longer sent.
 */
export function lessNamed(
  naming: JobNaming,
  refused: readonly string[],
): { readonly naming: JobNaming; readonly left: readonly RefusableName[] } | undefined {
  const refusedNames = refusable.filter((name) => refused.includes(name) && naming[fieldOf[name]] !== '');
  if (refusedNames.length === 0) return undefined;
  const toBePlain = refusedNames.filter((name) => !isPlain(naming[fieldOf[name]]));
  const left = refusedNames.filter((name) => !toBePlain.includes(name));
  return { naming: { ...without(naming, left), ...plainOf(naming, toBePlain) }, left };
}

/** The same for a refusal that named nothing; `undefined` if all names are plain. */
export function plainNamed(naming: JobNaming): JobNaming | undefined {
  const odd = refusable.filter((name) => !isPlain(naming[fieldOf[name]]));
  return odd.length === 0 ? undefined : { ...naming, ...plainOf(naming, odd) };
}

const refusable: readonly RefusableName[] = ['job-name', 'document-name', 'requesting-user-name'];

const isPlain = (text: string): boolean => plain(text) === text;

const plainOf = (naming: JobNaming, names: readonly RefusableName[]): Partial<JobNaming> =>
  Object.fromEntries(names.map((name) => [fieldOf[name], plain(naming[fieldOf[name]])]));

/**
 * Letters lose their accents if that leaves a plain letter; other characters become `?`. Characters that some printers
 * read as a special sign become `_`, for example the backslash of `DOMAIN\user` (OpenPrinting/cups#1145).
 */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]/gu, '?')
    .replace(/["&'<>\\`]/g, '_');

function jobAttributes(
  { document, monochrome, changed: { work = {} } = {} }: Ticket,
  printer: PrinterAttributes,
): readonly Attribute[] {
  const { copies, sides, paperSize, collate } = document;
  const media = paperSize === undefined ? undefined : mediaName(paperSize);
  const isGrey = document.grayscale || monochrome;
  // A stapled set is one copy, whole.
  const collated = bindsSheets(work) || collate;
  return [
    ...(copies > 1 ? [attribute('copies', integer(copies)), ...collation(collated, printer)] : []),
    ...choice('sides', sides, printer.sides),
    ...choice('print-color-mode', isGrey ? 'monochrome' : undefined, printer.colorModes),
    ...paper(work, media, printer),
    ...finishing(work),
  ];
}

/** Both of `media` and `media-col` in one job are refused (PWG 5100.7 section 6.3). */
function paper(work: PaperWork, media: string | undefined, printer: PrinterAttributes): readonly Attribute[] {
  const kinds = (['media-source', 'media-type'] as const).filter((kind) => work[kind] !== undefined);
  if (kinds.length === 0) return choice('media', media, printer.media);
  const takesSize = printer.mediaMembers.includes('media-size');
  const size = media === undefined || !takesSize ? undefined : mediaDimensions(media);
  const dimensions = size && [
    attribute('x-dimension', integer(size.width)),
    attribute('y-dimension', integer(size.height)),
  ];
  const members = [
    ...(dimensions ? [attribute('media-size', collection(dimensions))] : []),
    ...kinds.map((kind) => attribute(kind, keyword(work[kind] ?? ''))),
  ];
  return [attribute('media-col', collection(members))];
}

function finishing(work: PaperWork): readonly Attribute[] {
  const numbers = finishingsOf(work).flatMap((name) => finishingNumber(name) ?? []);
  const quality = Object.entries(printQualities).find(([name]) => name === work['print-quality']);
  const bin = work['output-bin'];
  return [
    ...(numbers.length > 0 ? [attribute('finishings', ...numbers.map(enumValue))] : []),
    ...(bin === undefined ? [] : [attribute('output-bin', keyword(bin))]),
    ...(quality ? [attribute('print-quality', enumValue(quality[1]))] : []),
  ];
}

/** PWG 5100.3 has its own attribute for collation; RFC 8011 describes the order of the copies instead. */
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
