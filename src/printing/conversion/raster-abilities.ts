/**
 * Which raster a printer takes: PWG 5102.4 section 5 for `image/pwg-raster`, and for `image/urf` the words of
 * `urf-supported` (`W8`, `SRGB24`, `RS300-600`), which CUPS reads likewise.
 */
import type { Attribute } from '../../ipp/message.ts';
import { keywords, strings, valuesOf } from '../../ipp/message.ts';
import { resolutionUnits } from '../../ipp/values.ts';
import { formats } from '../document-format.ts';

const perInch = resolutionUnits['dots-per-inch'];

export interface RasterAbilities {
  readonly types: readonly string[];
  /** Dots per inch, square ones only. */
  readonly resolutions: readonly number[];
  /** How the back of a sheet of PWG raster is to lie; `normal` where the printer does not tell. */
  readonly sheetBack: string;
  readonly urf: readonly string[];
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
    value.tag === 'resolution' && value.units === perInch && value.crossFeed === value.feed
      ? [value.feed]
      : [],
  ),
  sheetBack: strings(attributes, 'pwg-raster-document-sheet-back')[0] ?? 'normal',
  // Keywords, in capitals against RFC 8011 section 5.1.4.
  urf: strings(attributes, 'urf-supported'),
});

/** What nearly every printer prints, and office pages look right at. */
const usual = { raster: 300, page: 600 };

/** For PCL XL and PDF it is the resolution of what cannot stay drawn. */
export function resolutionFor(format: string, { resolutions, urf }: RasterAbilities): number {
  if (format !== formats.pwgRaster && format !== formats.urf) return usual.page;
  const offered = format === formats.urf ? urfResolutions(urf) : resolutions;
  return offered.length === 0 || offered.includes(usual.raster) ? usual.raster : Math.min(...offered);
}

const urfResolutions = (words: readonly string[]): readonly number[] =>
  words.filter((word) => /^RS\d/.test(word)).flatMap((word) => word.slice(2).split('-').map(Number));

const urfSheetBacks: Readonly<Record<string, string>> = {
  DM1: 'normal',
  DM2: 'flipped',
  DM3: 'rotated',
  DM4: 'manual-tumble',
};

/** How the back of a sheet is to lie, in the words of pwg-raster-document-sheet-back. */
export function sheetBackFor(format: string, { sheetBack, urf }: RasterAbilities): string {
  const told = urf.flatMap((word) => urfSheetBacks[word] ?? [])[0];
  return (format === formats.urf ? told : undefined) ?? sheetBack;
}

/** Tells nothing of colour: then colour, which every such printer understands. */
export function takesColor(format: string, { types, urf }: RasterAbilities): boolean {
  if (format === formats.pwgRaster) return types.length === 0 || types.includes('srgb_8');
  if (format === formats.urf) return !urf.some((word) => /^W\d/.test(word)) || urf.includes('SRGB24');
  return true;
}
