/**
 * The raster that a printer takes, its papers and its kinds of pixels: PWG 5102.4 section 5 for `image/pwg-raster`,
 * and the words of `urf-supported` (`W8`, `SRGB24`, `RS300-600`) for `image/urf`, read as CUPS reads them.
 */
import type { Sides } from '../../domain/document.ts';
import type { RasterType, SheetBacks } from '../../domain/ports/printing.ts';
import type { Attribute } from '../../ipp/message.ts';
import { keywords, strings, valuesOf } from '../../ipp/message.ts';
import { resolutionUnits } from '../../ipp/values.ts';
import { formats } from '../document-format.ts';
import type { Size } from '../../domain/printer/paper-work.ts';
import { mediaDimensions } from '../media.ts';

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

/**
 * The limit for the size of a page of pixels: no larger than a paper that the printer lists. If a page is larger,
 * printers cut off a part or give up the job. A label printer lists labels and no A4 (LPrint). Names of PWG 5101.1.
 * The first is the fallback: a ready paper, otherwise the largest.
 */
export function rasterPapers(attributes: readonly Attribute[]): readonly string[] {
  const listed = strings(attributes, 'media-supported').toSorted((one, other) => rank(other) - rank(one));
  return [...new Set([...strings(attributes, 'media-ready'), ...listed])].filter(
    (name) => mediaDimensions(name) !== undefined,
  );
}

/** Ranks by area. The limits of adjustable sizes (`custom_max_…`) are not real papers, so they come last. */
function rank(name: string): number {
  const { width, height } = mediaDimensions(name) ?? { width: 0, height: 0 };
  return name.startsWith('custom_') ? -1 / (1 + width * height) : width * height;
}

/** Every page is fitted to this paper: the wanted paper, if some paper is as large. */
export function rasterPaper(wanted: string | undefined, papers: readonly string[]): string | undefined {
  const size = wanted === undefined ? undefined : mediaDimensions(wanted);
  return size && !fitsOnOne(size, papers) ? papers[0] : wanted;
}

/** In hundredths of a millimetre. If no paper is listed, everything fits. */
export const fitsOnOne = (size: Size, papers: readonly string[]): boolean =>
  papers.length === 0 || papers.some((name) => fitsOn(size, mediaDimensions(name)));

/** Tolerance, because pixels are whole numbers. */
const slack = 50;

function fitsOn(page: Size, paper: Size | undefined): boolean {
  if (paper === undefined) return false;
  const [short, long] = inOrder(page);
  const [narrow, wide] = inOrder(paper);
  return short <= narrow + slack && long <= wide + slack;
}

const inOrder = ({ width, height }: Size): readonly [number, number] => [
  Math.min(width, height),
  Math.max(width, height),
];

/**
 * The kinds of pixels that Ghostscript writes and PWG 5102.4 names (section 5, table 12). The numbers of the colour
 * spaces are from its table 3 and from `cups_cspace_e` of CUPS.
 */
export const rasterTypes: Readonly<Record<RasterType, { space: number; bits: 1 | 8; colors: number }>> = {
  srgb_8: { space: 19, bits: 8, colors: 3 },
  rgb_8: { space: 1, bits: 8, colors: 3 },
  cmyk_8: { space: 6, bits: 8, colors: 4 },
  sgray_8: { space: 18, bits: 8, colors: 1 },
  black_8: { space: 3, bits: 8, colors: 1 },
  sgray_1: { space: 18, bits: 1, colors: 1 },
  black_1: { space: 3, bits: 1, colors: 1 },
};

export const isColored = (type: RasterType): boolean => rasterTypes[type].colors > 1;
