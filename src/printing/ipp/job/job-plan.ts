/**
 * What one job asks of the printer: the format the bytes go under, and the job attributes (RFC 8011 section 5.2),
 * each only where the printer lists it. Whether the bytes must be changed before is asked of `conversion-plan.ts`.
 */
import type { PrinterHabits, RefusableName } from '../../../domain/ports/printer-memory.ts';
import type { JobPlan, SpooledDocument } from '../../../domain/ports/printing.ts';
import { isTwoSided } from '../../../domain/document-changes.ts';
import type { OutputType } from '../../../domain/output-port.ts';
import { isAboutPaper } from '../../../domain/problem/printer-reasons.ts';
import { Problem } from '../../../domain/problem/problem.ts';
import type { Ticket } from '../../../domain/release.ts';
import { cutToOctets, jobName, longestName } from '../../../domain/release.ts';
import type { Attribute } from '../../../ipp/message.ts';
import { attribute } from '../../../ipp/message.ts';
import { integer, keyword } from '../../../ipp/values.ts';
import type { PageHandling } from '../../conversion/conversion-plan.ts';
import { leftToPrinter, planConversion, whyNot } from '../../conversion/conversion-plan.ts';
import { agentName } from '../wire/ipp-client.ts';
import { keepWord } from '../../kept-word.ts';
import { mediaName } from '../../media.ts';
import { isNowhere } from '../printer/paper-trays.ts';
import type { PrinterAttributes } from '../printer/printer-attributes.ts';
import { isInOneStep } from '../printer/printer-attributes.ts';
import { takesJobs } from '../printer/printer-fitness.ts';

/** What the job is called, and whose it is; a printer that refuses one of them is told it in ASCII, then not at all. */
export interface JobNaming {
  /** Empty: not told. */
  readonly jobName: string;
  readonly documentName: string;
  readonly userName: string;
}

export interface IppJobPlan extends JobPlan {
  readonly documentName: string;
  readonly userName: string;
  /** The same as this printer takes it. */
  readonly naming: JobNaming;
  readonly job: readonly Attribute[];
  /** Of these, the ones without which nothing is printed: fewer copies, or not what was asked for at the terminal. */
  readonly musts?: readonly string[];
  /** ipp-attribute-fidelity is not told: the printer refuses it. */
  readonly tellsNoFidelity?: true;
  /** The printer unpacks it; whether the document is packed is seen when it is there. */
  readonly compression?: 'gzip';
}

/** Throws `document-not-printable`, `printer-lacks-paper`, or `printer-refused-job` where fewer pages would come out than were asked for. */
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
  const planned = planConversion({
    ...wanted,
    ticket,
    outputType,
    handling,
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
  if (copies > printer.longestCopies) {
    throw new Problem('printer-refused-job', `the printer makes ${printer.longestCopies} copies at most`, {
      reasons: ['copies'],
    });
  }
  keepWord(ticket, {
    grey: planned.conversion?.color === 'grey' || printer.colorModes.includes('monochrome'),
    twoSided: isTwoSided(sides) && printer.sides.includes(sides ?? ''),
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

/** A tray has run out, and the others show that they do not have what this document is to be printed on. */
function checkPaper({ document: { paperSize } }: Ticket, { remarks, media, trays }: PrinterAttributes): void {
  const wanted = paperSize === undefined ? undefined : mediaName(paperSize);
  const reasons = remarks.filter(isAboutPaper);
  // What it is not asked for, it chooses itself.
  if (wanted === undefined || !media.includes(wanted) || reasons.length === 0) return;
  if (isNowhere(wanted, trays)) {
    throw new Problem('printer-lacks-paper', 'the paper of this document is in no tray', { reasons });
  }
}

const mustsOf = ({ changed = {}, monochrome }: Ticket, isGrey: boolean): readonly string[] => [
  'copies',
  ...((monochrome || changed.grey) && !isGrey ? ['print-color-mode'] : []),
  ...(changed.twoSided ? ['sides'] : []),
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
 * What is told instead after a refusal that named them; `undefined` where it named nothing that we could leave out. `left`:
 * what is not told at all any more.
 */
export function lessNamed(
  naming: JobNaming,
  refused: readonly string[],
): { readonly naming: JobNaming; readonly left: readonly RefusableName[] } | undefined {
  const told = refusable.filter((name) => refused.includes(name) && naming[fieldOf[name]] !== '');
  if (told.length === 0) return undefined;
  const toBePlain = told.filter((name) => !isPlain(naming[fieldOf[name]]));
  const left = told.filter((name) => !toBePlain.includes(name));
  return { naming: { ...without(naming, left), ...plainOf(naming, toBePlain) }, left };
}

/** The same after a refusal that named nothing at all; `undefined` where all of them are plain. */
export function plainNamed(naming: JobNaming): JobNaming | undefined {
  const odd = refusable.filter((name) => !isPlain(naming[fieldOf[name]]));
  return odd.length === 0 ? undefined : { ...naming, ...plainOf(naming, odd) };
}

const refusable: readonly RefusableName[] = ['job-name', 'document-name', 'requesting-user-name'];

const isPlain = (text: string): boolean => plain(text) === text;

const plainOf = (naming: JobNaming, names: readonly RefusableName[]): Partial<JobNaming> =>
  Object.fromEntries(names.map((name) => [fieldOf[name], plain(naming[fieldOf[name]])]));

/**
 * Letters without their marks where they have a plain one, `?` for the rest, and `_` for what some printers take for the
 * beginning of something else, as the backslash of `DOMAIN\user` (OpenPrinting/cups#1145).
 */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]/gu, '?')
    .replace(/["&'<>\\`]/g, '_');

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
