/** The service's paper sizes as PWG 5101.1 media size names, which are the `media` keywords of IPP. */
import type { Size } from '../domain/printer/paper-work.ts';

const mediaNames: Readonly<Record<string, string>> = {
  A3: 'iso_a3_297x420mm',
  A4: 'iso_a4_210x297mm',
  A5: 'iso_a5_148x210mm',
  A6: 'iso_a6_105x148mm',
  Letter: 'na_letter_8.5x11in',
  Legal: 'na_legal_8.5x14in',
  Ledger: 'na_ledger_11x17in',
  Tabloid: 'na_ledger_11x17in',
};

/** The service's words. */
export const paperSizes = Object.keys(mediaNames);

/** `undefined` for `Original`, for sizes in points, and for unknown words. */
export const mediaName = (paperSize: string): string | undefined =>
  Object.hasOwn(mediaNames, paperSize) ? mediaNames[paperSize] : undefined;

/** Points of 1/72 inch, from the name itself (PWG 5101.1 section 5.1.6). */
export const mediaPoints = (name: string): Size | undefined =>
  mediaSize(name, (side) => Math.round((side * 72) / 2540));

/**
 * The whole pixels that fit on the paper, counted as CUPS, PAPPL and ippsample count them, because printers compare
 * (pappl issue 59, ippsample issue 268: 2480 by 3507 for A4 at 300 dots an inch).
 */
export const mediaPixels = (name: string, dotsPerInch: number): Size | undefined =>
  mediaSize(name, (side) => Math.floor((side * dotsPerInch) / 2540));

/** In hundredths of a millimetre, the unit of media-size (PWG 5100.7). */
export const mediaDimensions = (name: string): Size | undefined => mediaSize(name, (side) => side);

/** Sides are in hundredths of a millimetre. */
function mediaSize(name: string, measured: (side: number) => number): Size | undefined {
  const [, width, height, unit] = /_([\d.]+)x([\d.]+)(mm|in)$/.exec(name) ?? [];
  if (width === undefined || height === undefined) return undefined;
  const side = (length: string) => measured(Math.round(Number(length) * (unit === 'mm' ? 100 : 2540)));
  return { width: side(width), height: side(height) };
}
