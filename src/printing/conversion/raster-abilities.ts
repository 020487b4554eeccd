/**
 * The raster that a printer takes: PWG 5102.4 section 5 for `image/pwg-raster`, and the words of `urf-supported` (`W8`,
 * `SRGB24`, `RS300-600`) for `image/urf`, read as CUPS reads them.
 */
import type { RasterType, SheetBacks } from '../../domain/ports/printing.ts';
import type { Sides } from '../../domain/document.ts';
import type { Attribute } from '../../ipp/message.ts';
import { keywords, strings, valuesOf } from '../../ipp/message.ts';
import { resolutionUnits } from '../../ipp/values.ts';
import { formats } from '../document-format.ts';
import { rasterPapers } from './raster-papers.ts';

const perInch = resolutionUnits['dots-per-inch'];

export interface RasterAbilities {
  readonly types: readonly string[];
  /** Dots per inch; only square resolutions. */
  readonly resolutions: readonly number[];
  /** The orientation of the back sides in PWG raster; `normal` if the printer does not tell. */
  readonly sheetBack: string;
  readonly urf: readonly string[];
  /** The sizes of the printer's paper, the fallback first; absent or empty if the printer does not tell. */
  readonly papers?: readonly string[];
}

export const requestedOfRaster: readonly string[] = [
  'pwg-raster-document-resolution-supported',
  'pwg-raster-document-sheet-back',
  'pwg-raster-document-type-supported',
  'urf-supported',
];

export const rasterAbilities = (attributes: readonly Attribute[]): RasterAbilities => ({
  types: keywords(attributes, 'pwg-raster-document-type-supported'),
  resolutions: valuesOf(attributes, 'pwg-raster-document-resolution-supported').flatMap((value) =>
    value.tag === 'resolution' &&
    value.units === perInch &&
    value.crossFeed === value.feed &&
    isResolution(value.feed)
      ? [value.feed]
      : [],
  ),
  sheetBack: strings(attributes, 'pwg-raster-document-sheet-back')[0] ?? 'normal',
  // Keywords, although in capitals, against RFC 8011 section 5.1.4.
  urf: strings(attributes, 'urf-supported'),
  papers: rasterPapers(attributes),
});

/** Plausible dots per inch. The printer's value decides the size of a page in memory (CVE-2026-39314 and similar). */
const isResolution = (dots: number): boolean => dots >= 60 && dots <= 4800;

export const isRaster = (format: string): boolean => format === formats.pwgRaster || format === formats.urf;

/** Nearly every printer prints these, and office pages look right. */
const usual = { raster: 300, page: 600 };

/** For PCL XL and PDF, the resolution of parts that have to become pixels. */
export function resolutionFor(format: string, { resolutions, urf }: RasterAbilities): number {
  if (!isRaster(format)) return usual.page;
  const offered = format === formats.urf ? urfResolutions(urf) : resolutions;
  return offered.length === 0 || offered.includes(usual.raster) ? usual.raster : Math.min(...offered);
}

const urfResolutions = (words: readonly string[]): readonly number[] =>
  words
    .filter((word) => /^RS\d/.test(word))
    .flatMap((word) => word.slice(2).split('-').map(Number))
    .filter(isResolution);

const urfSheetBacks: Readonly<Record<string, string>> = {
  DM1: 'normal',
  DM2: 'flipped',
  DM3: 'rotated',
  DM4: 'manual-tumble',
};

const turned: SheetBacks = { crossFeed: -1, feed: -1 };

/** PWG 5102.4 section 4.3, table 9. */
const transforms: Readonly<Record<string, Partial<Record<Sides, SheetBacks>>>> = {
  flipped: {
    'two-sided-long-edge': { crossFeed: 1, feed: -1 },
    'two-sided-short-edge': { crossFeed: -1, feed: 1 },
  },
  rotated: { 'two-sided-long-edge': turned },
  'manual-tumble': { 'two-sided-short-edge': turned },
};

/** How the back sides have to be sent. */
export function sheetBacks(
  format: string,
  sides: Sides | undefined,
  { sheetBack, urf }: RasterAbilities,
): SheetBacks | undefined {
  if (!isRaster(format) || sides === undefined) return undefined;
  const reported = urf.flatMap((word) => urfSheetBacks[word] ?? [])[0];
  return transforms[(format === formats.urf ? reported : undefined) ?? sheetBack]?.[sides];
}

/** The best first. Ghostscript does not write the missing kinds as the standard requires. */
const colored: readonly RasterType[] = ['srgb_8', 'rgb_8', 'cmyk_8'];
const grey: readonly RasterType[] = ['sgray_8', 'black_8', 'sgray_1', 'black_1'];

/** `W8-16` lists depths in the way that `RS300-600` lists resolutions. */
const urfTypes: readonly (readonly [RegExp, RasterType])[] = [
  [/^SRGB24(-|$)/, 'srgb_8'],
  [/^W8(-|$)/, 'sgray_8'],
];

/**
 * The best type that the printer lists; `undefined` if none can be made. A printer that lists nothing gets a type that
 * nearly every such printer understands.
 */
export function rasterTypeFor(
  format: string,
  wish: 'color' | 'grey',
  { types, urf }: RasterAbilities,
): RasterType | undefined {
  const ordered = wish === 'color' ? [...colored, ...grey] : [...grey, ...colored];
  const reported = format === formats.urf ? urf.filter(tellsOfColor) : types;
  if (reported.length === 0) return ordered[0];
  const listed = format === formats.urf ? reported.flatMap(typesOfUrf) : reported;
  return ordered.find((type) => listed.includes(type));
}

const tellsOfColor = (word: string): boolean => /^(W|SRGB|ADOBERGB|DEVW|DEVRGB|DEVCMYK)\d/.test(word);

const typesOfUrf = (word: string): readonly RasterType[] =>
  urfTypes.filter(([pattern]) => pattern.test(word)).map(([, type]) => type);
