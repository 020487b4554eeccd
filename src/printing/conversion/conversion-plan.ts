/**
 * Whether a document has to be converted for a printer, and into what. It goes out unchanged wherever the printer takes
 * its format and does with the pages what is asked for (contract, section 3; reliability.md D10).
 */
import type { Conversion } from '../../domain/ports/printing.ts';
import type { Ticket } from '../../domain/release.ts';
import { formats, unknownFormat } from '../document-format.ts';
import type { OutputType } from '../../domain/output-port.ts';
import { mediaName } from '../media.ts';
import type { RasterAbilities } from './raster-abilities.ts';
import { resolutionFor, sheetBackFor, takesColor } from './raster-abilities.ts';

/** What the output port asks of the pages, in place of the printer. */
export interface PageHandling {
  readonly softwareCopies: boolean;
  /** The finisher turns the stack over. */
  readonly reversed: boolean;
}

export interface ConversionCase {
  readonly ticket: Ticket;
  /** Of the document as it came. */
  readonly format: string;
  /** In the printer's own spelling; empty where it does not tell. */
  readonly takes: readonly string[];
  readonly outputType: OutputType;
  readonly handling: PageHandling;
  /** The most copies the printer makes by itself. */
  readonly longestCopies: number;
  readonly color: 'color' | 'monochrome' | 'unknown';
  /** The printer makes a page grey when it is asked to. */
  readonly canBeAskedForGrey: boolean;
  readonly raster: RasterAbilities;
}

/** Nothing is asked of them. */
export const asTheyCome: PageHandling = { softwareCopies: false, reversed: false };

/** Of a printer that says nothing of it. */
export const unknownRaster: RasterAbilities = { types: [], resolutions: [], sheetBack: 'normal', urf: [] };

/** The best first: the nearer to PDF, the less is lost. */
const preference = [formats.pdf, formats.pclXl, formats.postscript, formats.pwgRaster, formats.urf] as const;

const formatsOf: Readonly<Record<Exclude<OutputType, 'auto' | 'raw'>, string>> = {
  pdf: formats.pdf,
  pcl6: formats.pclXl,
  ps3: formats.postscript,
  ps2: formats.postscript,
};

/** What the converter reads. */
const convertible: readonly string[] = [formats.pdf, formats.postscript];

/** The format that the bytes go under, in the printer's spelling. */
export interface PlannedFormat {
  readonly format: string;
  readonly conversion?: Conversion;
}

/** `undefined`: the document cannot be printed there. */
export function planConversion(wanted: ConversionCase): PlannedFormat | undefined {
  const { format, takes, outputType } = wanted;
  const unchanged = formatFor(format, takes, outputType);
  if (outputType === 'raw' || !convertible.includes(format)) {
    return unchanged === undefined ? undefined : { format: unchanged };
  }
  for (const target of [format, ...preference]) {
    const sentAs = formatFor(target, takes, outputType);
    if (sentAs === undefined) continue;
    const conversion = conversionTo(target, wanted);
    return isForced(conversion, wanted) ? { format: sentAs, conversion } : { format: sentAs };
  }
  return undefined;
}

/**
 * Under what a document goes out unchanged, in the printer's own spelling; `undefined`: it does not. What is not
 * recognised is never sent, whatever the printer says it takes (T16).
 */
export function formatFor(
  format: string,
  takes: readonly string[],
  outputType: OutputType,
): string | undefined {
  if (format === unknownFormat) return undefined;
  if (outputType !== 'auto' && outputType !== 'raw' && formatsOf[outputType] !== format) return undefined;
  if (takes.length === 0) return format;
  const listed = (one: string) => takes.find((taken) => taken.toLowerCase() === one.toLowerCase());
  return listed(format) ?? (outputType === 'raw' ? listed(unknownFormat) : undefined);
}

/** What is asked of the printer when the conversion has done its part. */
export function leftToPrinter(ticket: Ticket, conversion: Conversion | undefined): Ticket {
  if (conversion === undefined) return ticket;
  const { document } = ticket;
  const copies = conversion.copies > 1 ? 1 : document.copies;
  return { ...ticket, document: { ...document, copies, sides: conversion.sides } };
}

function conversionTo(format: string, wanted: ConversionCase): Conversion {
  const { ticket, handling, longestCopies, raster } = wanted;
  const { copies, collate, sides, paperSize, totalPages } = ticket.document;
  const isRaster = format === formats.pwgRaster || format === formats.urf;
  const inSoftware = copies > 1 && (handling.softwareCopies || copies > longestCopies) ? copies : 1;
  const isOneSheet = totalPages === 1 && inSoftware === 1;
  // Mirrored backs are beyond what pages can be turned to: such sheets get one side only.
  const sheetBack = sheetBackFor(format, raster);
  const possible = isRaster && sheetBack === 'flipped' ? 'one-sided' : sides;
  return {
    format,
    color: isGrey(format, wanted) ? 'grey' : 'as-is',
    order: handling.reversed && !isOneSheet ? 'reversed' : 'as-is',
    copies: inSoftware,
    collated: collate ?? true,
    sides: possible,
    turnsBacks: isRaster && turnsBacks(sheetBack, possible),
    resolution: resolutionFor(format, raster),
    media: paperSize === undefined ? undefined : mediaName(paperSize),
    recordedPages: totalPages,
  };
}

/** Nothing forces it: the document goes out as it came. */
const isForced = ({ format, order, copies, color }: Conversion, wanted: ConversionCase): boolean =>
  format !== wanted.format || order === 'reversed' || copies > 1 || color === 'grey';

/**
 * What is rendered for a printer without colour is rendered grey. What would go out as it came is made grey only where the
 * port demands it of a printer that prints colour and cannot be asked: a document's own wish is not worth changing it.
 */
function isGrey(
  format: string,
  { ticket, color, canBeAskedForGrey, raster, ...wanted }: ConversionCase,
): boolean {
  if (ticket.monochrome && color === 'color' && !canBeAskedForGrey) return true;
  if (format === wanted.format || format === formats.pdf || format === formats.postscript) return false;
  const isWanted = ticket.monochrome || ticket.document.grayscale;
  return isWanted || color === 'monochrome' || !takesColor(format, raster);
}

/** PWG 5102.4 section 5.3, pwg-raster-document-sheet-back. */
const turnsBacks = (sheetBack: string, sides: Conversion['sides']): boolean =>
  (sheetBack === 'rotated' && sides === 'two-sided-long-edge') ||
  (sheetBack === 'manual-tumble' && sides === 'two-sided-short-edge');
