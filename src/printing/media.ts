/** The service's paper sizes as PWG 5101.1 media size names, the `media` keywords of IPP. */
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

/** `undefined` for `Original`, sizes in points, and words not known. */
export const mediaName = (paperSize: string): string | undefined =>
  Object.hasOwn(mediaNames, paperSize) ? mediaNames[paperSize] : undefined;

/** Points of 1/72 inch, from the name itself (PWG 5101.1 section 5.1.6). */
export function mediaPoints(name: string): { readonly width: number; readonly height: number } | undefined {
  const [, width, height, unit] = /_([\d.]+)x([\d.]+)(mm|in)$/.exec(name) ?? [];
  if (width === undefined || height === undefined) return undefined;
  const points = (side: string) => Math.round((Number(side) * 72) / (unit === 'mm' ? 25.4 : 1));
  return { width: points(width), height: points(height) };
}
