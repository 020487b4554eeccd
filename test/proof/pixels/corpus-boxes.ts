/** Where pages are, how large they are and which way up (ISO 32000-1 sections 7.7.3 and 14.11.2). */
import type { Sample } from './corpus.ts';
import type { PdfPage } from '../../support/printer/pdf-writer.ts';
import { marks, pdfOf } from '../../support/printer/pdf-writer.ts';

const turns = [0, 90, 180, 270];

const sizes: Readonly<Record<string, readonly [number, number]>> = {
  A4: [595.276, 841.89],
  'A4 landscape': [841.89, 595.276],
  Letter: [612, 792],
  Legal: [612, 1008],
  A3: [841.89, 1190.55],
  A6: [297.64, 419.53],
  square: [500, 500],
  strip: [1200, 150],
};

const sized = (name: string, [width, height]: readonly [number, number], rotate: number): Sample => ({
  name: `${name} turned by ${rotate}`,
  pdf: pdfOf([
    { entries: `/MediaBox[0 0 ${width} ${height}]/Rotate ${rotate}`, content: marks(width, height) },
  ]),
});

/** Ink on all of the sheet: what should be cut off shows. */
const everywhere = '0.9 0.8 0.2 rg -2000 -2000 5000 5000 re f';

const boxedPage = (
  entries: string,
  [x, y, width, height]: readonly [number, number, number, number],
): PdfPage => ({
  entries,
  content: `${everywhere}\n${marks(width, height, [x, y])}`,
});

const single = (name: string, ...page: Parameters<typeof boxedPage>): Sample => ({
  name,
  pdf: pdfOf([boxedPage(...page)]),
});

const cropped: readonly Sample[] = turns.flatMap((rotate) => [
  single(
    `a crop box turned by ${rotate}`,
    `/MediaBox[0 0 595 842]/CropBox[100 200 400 700]/Rotate ${rotate}`,
    [...([100, 200, 300, 500] as const)],
  ),
  single(
    `a crop box on its side turned by ${rotate}`,
    `/MediaBox[0 0 595 842]/CropBox[50 300 550 500]/Rotate ${rotate}`,
    [...([50, 300, 500, 200] as const)],
  ),
  single(
    `a sheet that begins elsewhere turned by ${rotate}`,
    `/MediaBox[-100 -50 495 792]/Rotate ${rotate}`,
    [...([-100, -50, 595, 842] as const)],
  ),
]);

const odd: readonly Sample[] = [
  single(
    'a crop box that is larger than the sheet',
    '/MediaBox[0 0 400 600]/CropBox[-100 -100 700 900]',
    [0, 0, 400, 600],
  ),
  single(
    'a crop box that hangs over the sheet',
    '/MediaBox[0 0 400 600]/CropBox[200 300 700 900]',
    [200, 300, 200, 300],
  ),
  single(
    'corners the other way round',
    '/MediaBox[595 842 0 0]/CropBox[400 700 100 200]',
    [100, 200, 300, 500],
  ),
  single(
    'fractions of points',
    '/MediaBox[0.5 0.25 595.75 841.9]/CropBox[10.3 20.7 500.1 800.9]',
    [10.3, 20.7, 489.8, 780.2],
  ),
  single(
    'boxes for the bookbinder',
    '/MediaBox[0 0 650 900]/TrimBox[30 30 620 870]/BleedBox[20 20 630 880]/ArtBox[99 99 200 200]',
    [0, 0, 650, 900],
  ),
  single('a turn to the left', '/MediaBox[0 0 595 842]/Rotate -90', [0, 0, 595, 842]),
  single('more than one turn', '/MediaBox[0 0 595 842]/Rotate 450', [0, 0, 595, 842]),
  {
    name: 'boxes and a turn from the tree of pages',
    pdf: pdfOf([boxedPage('', [100, 200, 300, 500]), boxedPage('/Rotate 0', [100, 200, 300, 500])], {
      inherited: '/MediaBox[0 0 595 842]/CropBox[100 200 400 700]/Rotate 180',
    }),
  },
  {
    name: 'boxes that are objects of their own',
    pdf: pdfOf([boxedPage('/MediaBox 10 0 R/CropBox 11 0 R/Rotate 12 0 R', [100, 200, 300, 500])], {
      objects: ['[0 0 595 842]', '[100 200 400 700]', '270'],
    }),
  },
];

const units: readonly Sample[] = [
  single('a unit of 2', '/MediaBox[0 0 297 421]/UserUnit 2', [0, 0, 297, 421]),
  single('a unit of a half', '/MediaBox[0 0 1190 1684]/UserUnit 0.5', [0, 0, 1190, 1684]),
  single('a unit of 10', '/MediaBox[0 0 100 60]/UserUnit 10', [0, 0, 100, 60]),
  ...turns.map((rotate) =>
    single(
      `a unit of 3 in a crop box turned by ${rotate}`,
      `/MediaBox[0 0 200 300]/CropBox[20 30 120 230]/UserUnit 3/Rotate ${rotate}`,
      [...([20, 30, 100, 200] as const)],
    ),
  ),
];

/** Their pages are of every kind at once. */
const mixed: readonly Sample[] = [0, 1, 2].map((first) => ({
  name: `pages of several sizes, from the ${first + 1}. on`,
  pdf: pdfOf(
    [
      boxedPage('/MediaBox[0 0 595 842]', [0, 0, 595, 842]),
      boxedPage('/MediaBox[0 0 842 595]/Rotate 180', [0, 0, 842, 595]),
      boxedPage('/MediaBox[0 0 300 300]/Rotate 90', [0, 0, 300, 300]),
      boxedPage('/MediaBox[0 0 1190 842]/CropBox[595 0 1190 842]', [595, 0, 595, 842]),
      boxedPage('/MediaBox[0 0 100 140]/UserUnit 4/Rotate 270', [0, 0, 100, 140]),
    ].slice(first),
  ),
}));

export const boxed: readonly Sample[] = [
  ...Object.entries(sizes).flatMap(([name, size]) => turns.map((rotate) => sized(name, size, rotate))),
  ...cropped,
  ...odd,
  ...units,
  ...mixed,
];
