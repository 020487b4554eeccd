/**
 * The kinds of pixels that Ghostscript writes and PWG 5102.4 names (section 5, table 12). The numbers of the colour
 * spaces are from its table 3 and from `cups_cspace_e` of CUPS.
 */
import type { RasterType } from '../../domain/ports/printing.ts';

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
