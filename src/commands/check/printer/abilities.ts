/**
 * What a printer can do, and what Platen therefore does with a document: as facts for programs, and in words. It asks
 * no printer. Everything comes from the printer's own description and the terminal's settings.
 */
import type { TerminalConfig } from '../../../config/schema/config.ts';
import { documentLimits } from '../../../domain/document.ts';
import type { PrinterCertificate, PrinterIdentity } from '../../../domain/ports/printer-memory.ts';
import type { PrinterCapabilities } from '../../../domain/ports/printer-description.ts';
import type { Confirmation } from '../../../domain/release.ts';
import type { PlannedFormat } from '../../../printing/conversion/conversion-plan.ts';
import { planConversion, unknownRaster } from '../../../printing/conversion/conversion-plan.ts';
import { documentFormats, formats } from '../../../printing/document-format.ts';
import type { ShownHabit } from './habits.ts';
import { isSilentOnJobs, shownHabits } from './habits.ts';
import type { PrinterSight } from './sight.ts';
import { testTicket } from '../../test-page/ticket.ts';

export interface PrinterAbilities {
  readonly makeAndModel: string;
  /** Media types that are sent unchanged. */
  readonly unchanged: readonly string[];
  /** Media types that are converted, with the result. Media types in neither list are refused. */
  readonly converted: Readonly<Record<string, string>>;
  readonly color: PrinterCapabilities['color'];
  readonly sides: readonly string[];
  readonly copies: {
    readonly by: 'printer' | 'software';
    /** The largest number that the printer makes by itself. */
    readonly most: number;
    /** What happens to a wish for more. */
    readonly beyond: 'software' | 'refused';
  };
  readonly compression: readonly string[];
  readonly counts: PrinterCapabilities['counts'];
  readonly confirmation: Confirmation;
  /** The outcome of a release that the printer accepted without any later report. */
  readonly unconfirmedCountsAs: 'completed' | 'unknown';
  readonly backChannel: PrinterCapabilities['backChannel'] | null;
  readonly certificate: PrinterCertificate | null;
  /** As at the first meeting; null: nothing is remembered. */
  readonly identity: PrinterIdentity | null;
  /** Peculiarities of the printer, with the result of each. Empty if the printer has no jobs to ask about. */
  readonly habits: readonly ShownHabit[];
  /** The user name that Platen logs in with. */
  readonly logsInAs: string | null;
}

type PrinterSettings = Pick<TerminalConfig['printer'], 'outputType' | 'requireConfirmation' | 'credentials'>;

/** For a printer that tells nothing. */
const unknownCapabilities: PrinterCapabilities = {
  color: 'unknown',
  sides: [],
  copies: 1,
  obeys: { grey: false, twoSided: false },
  compression: [],
  counts: 'unknown',
};

export function abilitiesOf(sight: PrinterSight, settings: PrinterSettings): PrinterAbilities {
  const { capabilities = unknownCapabilities, makeAndModel, certificate } = sight.description;
  const { color, sides, compression, counts, backChannel } = capabilities;
  const plans = documentFormats.flatMap((format) => {
    const plan = planFor(format, 1, sight, settings);
    return plan ? [{ format, becomes: plan.conversion?.format }] : [];
  });
  return {
    makeAndModel,
    unchanged: plans.filter((one) => one.becomes === undefined).map((one) => one.format),
    converted: Object.fromEntries(
      plans.flatMap(({ format, becomes }) => (becomes ? [[format, becomes]] : [])),
    ),
    color,
    sides,
    compression,
    counts,
    copies: copiesOf(sight, settings),
    confirmation: confirmationOf(sight),
    unconfirmedCountsAs: settings.requireConfirmation ? 'unknown' : 'completed',
    backChannel: backChannel ?? null,
    certificate: certificate ?? null,
    identity: sight.known ?? null,
    habits: habitsOf(sight, settings),
    logsInAs: settings.credentials?.username ?? null,
  };
}

function confirmationOf({ confirms, description }: PrinterSight): Confirmation {
  const { capabilities = unknownCapabilities, jobQuestions } = description;
  if (jobQuestions && isSilentOnJobs(jobQuestions)) return 'handed-over';
  return confirms ?? (capabilities.backChannel === 'answers' ? 'device' : 'handed-over');
}

const habitsOf = (
  { kind, confirms, habits = {}, description }: PrinterSight,
  { requireConfirmation }: PrinterSettings,
): readonly ShownHabit[] =>
  kind === 'jobs'
    ? shownHabits({ habits, description, isSpooler: confirms === 'spooler', requireConfirmation })
    : [];

/** For a plain page with this number of copies. */
function planFor(
  format: string,
  copies: number,
  { description, handling }: PrinterSight,
  { outputType }: PrinterSettings,
): PlannedFormat | undefined {
  const { formats: takes, capabilities = unknownCapabilities } = description;
  const plain = testTicket('', '');
  return planConversion({
    ticket: { ...plain, document: { ...plain.document, copies } },
    format,
    takes,
    outputType,
    handling,
    longestCopies: capabilities.copies,
    color: capabilities.color,
    canBeAskedForGrey: true,
    raster: unknownRaster,
  });
}

function copiesOf(sight: PrinterSight, settings: PrinterSettings): PrinterAbilities['copies'] {
  const { copies: most } = sight.description.capabilities ?? unknownCapabilities;
  const inSoftware = (copies: number) =>
    (planFor(formats.pdf, copies, sight, settings)?.conversion?.copies ?? 1) > 1;
  return {
    by: inSoftware(2) && most > 1 ? 'software' : 'printer',
    most,
    beyond: inSoftware(most + 1) ? 'software' : 'refused',
  };
}

const formatNames: Readonly<Record<string, string>> = {
  [formats.pdf]: 'PDF',
  [formats.postscript]: 'PostScript',
  [formats.pclXl]: 'PCL XL',
  [formats.pcl]: 'PCL 5',
  [formats.pwgRaster]: 'PWG raster',
  [formats.urf]: 'Apple raster',
  [formats.jpeg]: 'JPEG',
  [formats.png]: 'PNG',
  [formats.tiff]: 'TIFF',
  [formats.text]: 'plain text',
};

const inColor = {
  color: 'colour',
  monochrome: 'grey only',
  unknown: 'does not report whether it prints colour',
};

const counted = {
  impressions: 'counts pages',
  sheets: 'counts sheets',
  nothing: 'counts nothing, so Platen records the pages of the document',
  unknown: 'the first job shows whether it counts pages',
};

/** One clause for each. */
export function abilitiesInWords(abilities: PrinterAbilities): readonly string[] {
  const { color, sides, compression, counts, confirmation, identity, habits, logsInAs } = abilities;
  const isToldAsHabit = counts === 'unknown' && habits.some(({ habit }) => habit === 'counts');
  return [
    ...formatsInWords(abilities),
    inColor[color],
    sidesInWords(sides),
    copiesInWords(abilities),
    ...(compression.includes('gzip') ? ['accepts documents compressed with gzip'] : []),
    ...(confirmation === 'handed-over' || isToldAsHabit ? [] : [counted[counts]]),
    confirmationInWords(abilities),
    ...habits.map(({ follows }) => follows),
    ...(identity ? [`is recognised by ${identityInWords(identity)}`] : []),
    ...(logsInAs === null ? [] : [`Platen logs in as ${logsInAs}`]),
  ];
}

function formatsInWords({ unchanged, converted }: PrinterAbilities): readonly string[] {
  const targets = [...new Set(Object.values(converted))];
  const becoming = targets.map((target) => {
    const from = Object.keys(converted).filter((format) => converted[format] === target);
    return from.join() === target
      ? `${inWords(from)} is converted page by page`
      : `${inWords(from)} ${from.length === 1 ? 'is' : 'are'} converted to ${inWords([target])}`;
  });
  if (unchanged.length + targets.length === 0) return ['accepts no format that Platen knows'];
  return [
    ...(unchanged.length === 0
      ? []
      : [`${inWords(unchanged)} ${unchanged.length === 1 ? 'goes' : 'go'} unchanged`]),
    ...becoming,
    'everything else is refused',
  ];
}

const inWords = (mediaTypes: readonly string[]): string =>
  new Intl.ListFormat('en').format(mediaTypes.map((one) => formatNames[one] ?? one));

function copiesInWords({ copies: { by, most, beyond } }: PrinterAbilities): string {
  if (by === 'software') return 'Platen makes the copies';
  if (most >= documentLimits.copies) return 'makes the copies itself';
  const more = beyond === 'software' ? 'Platen makes more' : 'more are refused';
  return most === 1 ? `makes one copy, ${more}` : `makes up to ${most} copies, ${more}`;
}

const identityInWords = ({ uuid, serialNumber, makeAndModel }: PrinterIdentity): string =>
  [uuid, serialNumber && `serial number ${serialNumber}`].filter(Boolean).join(', ') || `${makeAndModel}`;

function sidesInWords(sides: readonly string[]): string {
  if (sides.length === 0) return 'does not report whether it prints on both sides';
  return sides.some((one) => one.startsWith('two-sided')) ? 'on both sides' : 'on one side only';
}

function confirmationInWords({ confirmation, unconfirmedCountsAs, backChannel }: PrinterAbilities): string {
  if (confirmation === 'spooler') return 'the spooler confirms a print, not the printer';
  if (confirmation === 'device') {
    return backChannel === 'answers' ? 'confirms a print by PJL' : 'confirms a print itself';
  }
  return `cannot confirm a print, which counts as ${unconfirmedCountsAs === 'unknown' ? 'unknown' : 'handed over'}`;
}
