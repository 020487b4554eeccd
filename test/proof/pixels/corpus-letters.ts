/** Text: the standard fonts, one of the document's own, and what may be done with letters (ISO 32000-1 section 9). */
import { existsSync, readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import type { Sample } from './corpus.ts';
import type { PdfParts } from '../../support/printer/pdf-writer.ts';
import { marks, pdfOf, stream } from '../../support/printer/pdf-writer.ts';

const text = (
  name: string,
  content: string,
  { fonts = '', ...parts }: { fonts?: string } & PdfParts = {},
): Sample => ({
  name,
  pdf: pdfOf(
    [{ entries: '/MediaBox[0 0 595 842]', content: `${marks(595, 842)}\n${content}`, fonts }],
    parts,
  ),
});

const lines = Array.from(
  { length: 12 },
  (_, at) => `(Line ${at} of what somebody wrote: 0123456789) ' `,
).join('\n');

const standard: readonly Sample[] = [
  ...['Helvetica', 'Times', 'Courier'].map((name, font) =>
    text(`letters of ${name}`, `BT /F${font} 14 Tf 18 TL 220 640 Td ${lines} ET`),
  ),
  text('symbols', 'BT /F3 30 Tf 220 500 Td (abgdABGD) Tj ET'),
  text('dingbats', 'BT /F4 30 Tf 220 500 Td (abcdABCD) Tj ET'),
  text('a page of small letters', `BT /F0 8 Tf 9 TL 220 640 Td ${lines} ${lines} ${lines} ET`),
];

const ways: readonly Sample[] = [
  text('letters outlined', 'BT /F0 90 Tf 2 w 1 Tr 220 450 Td (Outline) Tj ET'),
  text('letters filled and outlined', 'BT /F0 90 Tf 1 0 0 rg 0 0 1 RG 3 w 2 Tr 220 450 Td (Both) Tj ET'),
  text('letters that are not seen', 'BT /F0 90 Tf 3 Tr 220 450 Td (Hidden) Tj ET'),
  text(
    'letters that clip',
    'q BT /F0 120 Tf 7 Tr 220 450 Td (Clip) Tj ET 1 0 0 rg 200 450 400 50 re f 0 0 1 rg 200 500 400 50 re f Q',
  ),
  text(
    'letters apart',
    'BT /F0 24 Tf 6 Tc 20 Tw 60 Tz 220 450 Td (Letters stand apart) Tj 0 -60 Td 150 Tz (or wide) Tj ET',
  ),
  text(
    'letters raised and moved',
    'BT /F0 30 Tf 220 450 Td (Up) Tj 12 Ts (er) Tj -12 Ts (low) Tj 0 Ts [(K) 200 (e) -300 (rn)] TJ ET',
  ),
  text('letters that lean', 'BT /F1 40 Tf 0.8 0.6 -0.6 0.8 280 400 Tm (Leaning text) Tj ET'),
];

/** Of Debian's fonts; where it is not, the suite that wants it is skipped by name. */
export const dejavuPath = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf';
const dejavu = existsSync(dejavuPath) ? readFileSync(dejavuPath) : Buffer.alloc(0);

const own: readonly Sample[] = [
  text(
    'letters of the document’s own font',
    'BT /T 40 Tf 220 500 Td (Embedded) Tj 0 -60 Td (\\304\\326\\334 \\344\\366\\374) Tj ET',
    {
      fonts: '/T 10 0 R',
      objects: [
        '<</Type/Font/Subtype/TrueType/BaseFont/DejaVuSans/Encoding/WinAnsiEncoding/FirstChar 32/LastChar 32/Widths[318]/FontDescriptor 11 0 R>>',
        '<</Type/FontDescriptor/FontName/DejaVuSans/Flags 32/FontBBox[-1021 -463 1793 1232]/ItalicAngle 0/Ascent 928/Descent -236/CapHeight 928/StemV 80/MissingWidth 650/FontFile2 12 0 R>>',
        stream(`/Filter/FlateDecode/Length1 ${dejavu.length}`, deflateSync(dejavu)),
      ],
    },
  ),
  text('letters that are drawn', 'BT /T 60 Tf 1 0 0 rg 220 500 Td (aba) Tj ET', {
    fonts: '/T 10 0 R',
    objects: [
      '<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[0.001 0 0 0.001 0 0]/FirstChar 97/LastChar 98/Widths[1000 1000]/Encoding<</Type/Encoding/Differences[97/one/two]>>/CharProcs<</one 11 0 R/two 12 0 R>>/Resources<<>>>>',
      stream('', '1000 0 0 0 1000 1000 d1 0 0 800 400 re f'),
      stream('', '1000 0 d0 0 0 1 rg 0 0 m 800 0 l 400 800 l f'),
    ],
  }),
];

export const lettered: readonly Sample[] = [...standard, ...ways, ...own];
