/** Colours of light, of inks and of other spaces, and inks over one another (ISO 32000-1 sections 8.6 and 11.7.4). */
import type { Sample } from './corpus.ts';
import { pdfOf } from '../../support/printer/pdf-writer.ts';

/** Of A4 to the point that both renderers round alike. */
const bars = (name: string, content: string, resources = '', beside?: Sample['beside']): Sample => ({
  name,
  pdf: pdfOf([{ entries: '/MediaBox[0 0 595.2 841.44]', content, resources }]),
  ...(beside ? { beside } : {}),
});

const row = (colors: readonly string[]): string =>
  colors
    .map((color, at) => `${color} ${60 + (at % 4) * 120} ${650 - 140 * Math.floor(at / 4)} 100 120 re f`)
    .join('\n');

const separation =
  '/ColorSpace<</S[/Separation/Orange/DeviceCMYK<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 0.5 1 0]/N 1>>]>>';
const overprint = '/ExtGState<</O<</OP true/op true/OPM 1>>>>';

export const colored: readonly Sample[] = [
  bars(
    'colours of light',
    row(['1 0 0 rg', '0 1 0 rg', '0 0 1 rg', '1 1 0 rg', '0 1 1 rg', '1 0 1 rg', '0.5 0.5 0.5 rg', '0 g']),
  ),
  bars('greys', row([0, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9].map((grey) => `${grey} g`))),
  bars(
    'calibrated grey',
    row(['/C cs 0 sc', '/C cs 0.5 sc', '/C cs 0.8 sc']),
    '/ColorSpace<</C[/CalGray<</WhitePoint[0.9505 1 1.089]/Gamma 2.2>>]>>',
  ),
  bars(
    'inks',
    row([
      '0 0 0 1 k',
      '1 0 0 0 k',
      '0 1 0 0 k',
      '0 0 1 0 k',
      '0 0 0 0.5 k',
      '1 1 0 0 k',
      '0 1 1 0 k',
      '1 0 1 0 k',
    ]),
    '',
    'poppler',
  ),
  bars('inks at half', row(['0.5 0 0 0 k', '0 0.5 0 0 k', '0 0 0.5 0 k', '0 0 0 0.3 k']), '', 'poppler'),
  bars('an ink of its own', row(['/S cs 1 scn', '/S cs 0.5 scn', '/S cs 0.2 scn']), separation, 'poppler'),
  bars(
    'black on inks, overprinted',
    `${row(['1 0 0 0 k', '0 0 1 0 k'])} /O gs 0 0 0 1 k 100 690 200 40 re f`,
    overprint,
    'poppler',
  ),
];
