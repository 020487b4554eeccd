/**
 * Decides whether a document has to be converted for a printer, and into which format. It goes out unchanged if the
 * printer takes its format and does everything that is asked of its pages (contract, section 3; INVARIANTS.md D10).
 */
import type { Conversion } from '../../domain/ports/printing.ts';
import type { Sides } from '../../domain/document.ts';
import type { Change } from '../../domain/document-changes.ts';
import type { Ticket } from '../../domain/release.ts';
import { formats, unknownFormat } from '../document-format.ts';
import type { OutputType } from '../../domain/output-port.ts';
import { mediaName } from '../media.ts';
import type { RasterAbilities } from './raster-abilities.ts';
import {
  isColored,
  isRaster,
  rasterPaper,
  rasterTypeFor,
  resolutionFor,
  sheetBacks,
} from './raster-abilities.ts';

/** Work on the pages that the output port asks of Platen instead of the printer. */
export interface PageHandling {
  readonly softwareCopies: boolean;
  /** The finisher turns the stack over. */
  readonly reversed: boolean;
}

export interface ConversionCase {
  readonly ticket: Ticket;
  /** The format of the document as it was received. */
  readonly format: string;
  /** The document as PostScript would outlast its job, or it contains a part that a printer might run as such. */
  readonly hidesProgram?: boolean | undefined;
  /** In the printer's own spelling; empty if the printer does not tell. */
  readonly takes: readonly string[];
  readonly outputType: OutputType;
  readonly handling: PageHandling;
  /** The most copies that the printer makes by itself. */
  readonly longestCopies: number;
  readonly color: 'color' | 'monochrome' | 'unknown';
  /** The printer can make a page grey on request. */
  readonly canBeAskedForGrey: boolean;
  /** In the words of sides-supported; absent or empty if the printer does not tell. */
  readonly sides?: readonly string[];
  readonly raster: RasterAbilities;
}

/** No work is asked. */
export const asTheyCome: PageHandling = { softwareCopies: false, reversed: false };

/** For a printer that does not describe its raster. */
export const unknownRaster: RasterAbilities = { types: [], resolutions: [], sheetBack: 'normal', urf: [] };

/** The best first: formats close to PDF lose less. */
const preference = [
  formats.pdf,
  formats.pclXl,
  formats.postscript,
  formats.pwgRaster,
  formats.urf,
  // PCL carries grey dots only.
  formats.pcl,
] as const;

const formatsOf: Readonly<Record<Exclude<OutputType, 'auto' | 'raw'>, string>> = {
  pdf: formats.pdf,
  pcl6: formats.pclXl,
  ps3: formats.postscript,
  ps2: formats.postscript,
};

/** A printer that does not list these formats would print their octets. */
const pictures: readonly string[] = [formats.png, formats.tiff];

/** The converter reads and writes these. */
const rewritable: readonly string[] = [formats.pdf, formats.postscript];

/** The converter reads these. */
const convertible: readonly string[] = [...rewritable, ...pictures, formats.text];

/** The format under which the bytes go out, in the printer's spelling. */
export interface PlannedFormat {
  readonly format: string;
  readonly conversion?: Conversion;
}

/**
 * `undefined`: the document cannot be printed there. A document that hides a program is run in the converter's sandbox,
 * never at the printer (T16).
 */
export function planConversion(wanted: ConversionCase): PlannedFormat | undefined {
  const { format, hidesProgram = false, takes, outputType } = wanted;
  const unchanged = formatFor(format, takes, outputType);
  const { picked, changed } = wanted.ticket;
  const isMust = (picked ?? changed?.pages ?? changed?.onPaper) !== undefined;
  if (outputType === 'raw' || !convertible.includes(format)) {
    const isRefused = unchanged === undefined || isMust || (hidesProgram && outputType !== 'raw');
    return isRefused ? undefined : { format: unchanged };
  }
  // A printer that lists nothing takes PostScript for certain only if a person made the document for it.
  const mustConvert = hidesProgram && takes.length > 0;
  for (const target of mustConvert ? preference : [format, ...preference]) {
    const sentAs = formatFor(target, takes, outputType);
    if (sentAs === undefined) continue;
    const conversion = conversionTo(target, wanted);
    // The printer lists no kind of pixels that can be made.
    if (isRaster(target) && conversion.rasterType === undefined) continue;
    if (!hidesProgram && !isForced(conversion, wanted)) return { format: sentAs };
    if (target !== format || rewritable.includes(format)) return { format: sentAs, conversion };
  }
  return unchanged === undefined || hidesProgram || isMust || rewritable.includes(format)
    ? undefined
    : { format: unchanged };
}

/** The reason for a document without a plan. */
export const whyNot = ({ format, hidesProgram = false }: Pick<ConversionCase, 'format' | 'hidesProgram'>) =>
  format === unknownFormat
    ? 'its format is not known: neither by its first octets nor as text in UTF-8'
    : hidesProgram
      ? 'it would change the printer for later jobs, or contains a document that could do this (PostScript)'
      : format === formats.text
        ? 'Platen sends text only as pages, but cannot make pages for this printer'
        : `the printer does not take ${format}`;

/**
 * The format under which a document goes out unchanged, in the printer's own spelling; `undefined`: it does not. An
 * unrecognised format goes only to a printer that lists exactly that, and only if the administrator has turned document
 * handling off. Commands that reach into the printer were refused before (T16).
 */
export function formatFor(
  format: string,
  takes: readonly string[],
  outputType: OutputType,
): string | undefined {
  const listed = (one: string) => takes.find((taken) => isSameType(taken, one));
  if (format === unknownFormat) return outputType === 'raw' ? listed(unknownFormat) : undefined;
  // One printer sets text, but another may obey it as commands, so it goes out as pages (T16).
  if (format === formats.text && outputType !== 'raw') return undefined;
  if (outputType !== 'auto' && outputType !== 'raw' && formatsOf[outputType] !== format) return undefined;
  if (takes.length === 0) return pictures.includes(format) ? undefined : format;
  return listed(format) ?? (outputType === 'raw' ? listed(unknownFormat) : undefined);
}

/** Text here is UTF-8, and US-ASCII is a part of it. RFC 8011 section 5.1.10 allows a charset after the type. */
const isSameType = (listed: string, type: string): boolean =>
  listed.toLowerCase().replace(/^(text\/plain); *charset="?(utf-8)"?$/, '$1') === type.toLowerCase();

/** The ticket for the printer, without the work that the conversion has done. */
export function leftToPrinter(ticket: Ticket, conversion: Conversion | undefined): Ticket {
  if (conversion === undefined) return ticket;
  const { document } = ticket;
  const copies = conversion.copies > 1 ? 1 : document.copies;
  return { ...ticket, document: { ...document, copies, sides: conversion.sides } };
}

function conversionTo(format: string, wanted: ConversionCase): Conversion {
  const { ticket, handling, longestCopies, raster, hidesProgram = false } = wanted;
  const { copies, collate, paperSize, totalPages } = ticket.document;
  const picked = pickedIn(ticket);
  const sides = sidesOf(wanted);
  const inSoftware = copies > 1 && (handling.softwareCopies || copies > longestCopies) ? copies : 1;
  const isOneSheet = totalPages === 1 && inSoftware === 1;
  const color = isGrey(format, wanted) ? 'grey' : 'as-is';
  const rasterType = isRaster(format)
    ? rasterTypeFor(format, color === 'grey' ? 'grey' : 'color', raster)
    : undefined;
  const isWithoutColor = format === formats.pcl || (rasterType !== undefined && !isColored(rasterType));
  const papers = (isRaster(format) && raster.papers) || [];
  const media = rasterPaper(paperSize === undefined ? undefined : mediaName(paperSize), papers);
  return {
    format,
    color: isWithoutColor ? 'grey' : color,
    order: handling.reversed && !isOneSheet ? 'reversed' : 'as-is',
    ...(hidesProgram ? { isWrittenAnew: true } : {}),
    copies: inSoftware,
    collated: collate ?? true,
    sides,
    rasterType,
    backs: sheetBacks(format, sides, raster),
    resolution: resolutionFor(format, raster),
    media,
    ...(ticket.changed?.onPaper === undefined ? {} : { isFitted: true }),
    ...(media === undefined && papers.length > 0 ? { within: papers } : {}),
    ...(picked ? { picked: picked.ranges } : {}),
    ...(ticket.picked ? { exactPages: ticket.picked.of } : {}),
    recordedPages: picked ? picked.of : totalPages,
  };
}

/** The pages that a former release left out, or that the person chose. */
function pickedIn({ picked, changed }: Ticket): Change['pages'] {
  if (picked === undefined) return changed?.pages;
  const { from, to, of } = picked;
  return { ranges: [{ from, to }], of };
}

/** For a printer without duplex, prepared back sides would be upside down. */
function sidesOf({ ticket, sides: listed = [] }: ConversionCase): Sides | undefined {
  const { sides } = ticket.document;
  return sides === undefined || listed.length === 0 || listed.includes(sides) ? sides : 'one-sided';
}

/** If nothing forces a conversion, the document goes out as it came. */
const isForced = (
  { format, order, copies, color, picked, isFitted }: Conversion,
  wanted: ConversionCase,
): boolean =>
  picked !== undefined ||
  isFitted === true ||
  format !== wanted.format ||
  order === 'reversed' ||
  copies > 1 ||
  color === 'grey';

/**
 * Pages that are rendered for a printer without colour are rendered grey. An unchanged document is made grey only if
 * the port demands it and the printer prints colour and cannot be asked for grey. The document's own wish is not worth
 * a change.
 */
function isGrey(format: string, { ticket, color, canBeAskedForGrey, ...wanted }: ConversionCase): boolean {
  if (ticket.monochrome && color === 'color' && !canBeAskedForGrey) return true;
  if (format === wanted.format || format === formats.pdf || format === formats.postscript) return false;
  return ticket.monochrome || ticket.document.grayscale || color === 'monochrome';
}
