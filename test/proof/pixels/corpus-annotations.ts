/** Annotations that are printed, and those that are not (ISO 32000-1 sections 12.5.2, 12.5.3, 12.5.5 and 12.7). */
import type { Sample } from './corpus.ts';
import { marks, pdfOf, stream } from '../../support/printer/pdf-writer.ts';

/** Bits of /F. */
const flag = { invisible: 1, hidden: 2, print: 4, noView: 32, locked: 128 };

/** Of 200 by 100, not symmetric. */
const appearance = stream(
  '/Type/XObject/Subtype/Form/BBox[0 0 200 100]',
  '1 0 0 rg 0 0 200 100 re f 0 0 1 rg 0 0 50 50 re f',
);
const other = stream('/Type/XObject/Subtype/Form/BBox[0 0 200 100]', '0 0.5 0 rg 0 0 200 100 re f');
const skewed = stream(
  '/Type/XObject/Subtype/Form/BBox[10 10 110 60]/Matrix[0 1 -1 0 50 20]',
  '0 0.5 0.5 rg 0 0 200 100 re f 1 g 20 20 30 10 re f',
);

const rect = '/Rect[200 400 400 500]';

const page = (annotations: string, entries = '') => ({
  entries: `/MediaBox[0 0 595 842]${entries}/Annots[${annotations}]`,
  content: marks(595, 842),
});

const one = (name: string, annotation: string, entries = '', catalog = ''): Sample => ({
  name,
  pdf: pdfOf([page(`<</Type/Annot${annotation}>>`, entries)], {
    objects: [appearance, other, skewed, '<</Type/OCG/Name(A)>>'],
    catalog,
  }),
});

const flagged = (name: string, flags: number, subtype = 'Stamp'): Sample =>
  one(`${subtype}: ${name}`, `/Subtype/${subtype}${rect}/F ${flags}/AP<</N 10 0 R>>`);

const withFlags: readonly Sample[] = [
  flagged('to be printed', flag.print),
  flagged('not to be printed', 0),
  flagged('locked, not to be printed', flag.locked),
  flagged('hidden', flag.hidden),
  flagged('hidden, to be printed', flag.hidden + flag.print),
  flagged('only to be printed', flag.noView + flag.print),
  flagged('never to be seen', flag.noView),
  ...['FreeText', 'Square', 'Ink', 'Highlight', 'Text', 'Line'].flatMap((subtype) => [
    flagged('to be printed', flag.print, subtype),
    flagged('not to be printed', 0, subtype),
  ]),
];

const choice = (state: string) =>
  `/Subtype/Widget/FT/Btn/T(box)${rect}/F 4/AS/${state}/AP<</N<</Yes 10 0 R/Off 11 0 R>>>>`;

const fields: readonly Sample[] = [
  one('a box that is ticked', choice('Yes'), '', '/AcroForm<</Fields[]>>'),
  one('a box that is not', choice('Off'), '', '/AcroForm<</Fields[]>>'),
  one(
    'a field that is not to be printed',
    `/Subtype/Widget/FT/Btn/Ff 65536/T(button)${rect}/F 0/AP<</N 10 0 R>>`,
  ),
  one('a field that is', `/Subtype/Widget/FT/Tx/T(text)/V(text)${rect}/F 4/AP<</N 10 0 R>>`),
];

const placed: readonly Sample[] = [
  ...[90, 180, 270].map((rotate) =>
    one(
      `a stamp on a page turned by ${rotate}`,
      `/Subtype/Stamp${rect}/F 4/AP<</N 10 0 R>>`,
      `/Rotate ${rotate}`,
    ),
  ),
  one('an appearance with a matrix', `/Subtype/Stamp${rect}/F 4/AP<</N 12 0 R>>`),
  one(
    'an appearance with a matrix on a page that is turned',
    `/Subtype/Stamp${rect}/F 4/AP<</N 12 0 R>>`,
    '/Rotate 270',
  ),
  one(
    'a stamp half outside the crop box',
    `/Subtype/Stamp${rect}/F 4/AP<</N 10 0 R>>`,
    '/CropBox[0 0 300 842]',
  ),
  one('a stamp with a unit', `/Subtype/Stamp${rect}/F 4/AP<</N 10 0 R>>`, '/UserUnit 1.5'),
  {
    name: 'printed ones among others',
    pdf: pdfOf(
      [
        page(
          [0, 4, 2, 36, 6]
            .map((flags, index) => {
              const bottom = 100 + 120 * index;
              return `<</Type/Annot/Subtype/Stamp/Rect[200 ${bottom} 400 ${bottom + 100}]/F ${flags}/AP<</N 10 0 R>>>>`;
            })
            .join(''),
        ),
      ],
      { objects: [appearance] },
    ),
  },
];

const layer = (name: string, configuration: string): Sample => ({
  name,
  pdf: pdfOf(
    [
      {
        entries: '/MediaBox[0 0 595 842]',
        content: `${marks(595, 842)}\n/OC /P BDC 1 0 0 rg 200 400 200 100 re f EMC`,
        resources: '/Properties<</P 10 0 R>>',
      },
    ],
    { objects: ['<</Type/OCG/Name(A)>>'], catalog: `/OCProperties<</OCGs[10 0 R]/D<<${configuration}>>>>` },
  ),
});

const layers: readonly Sample[] = [
  layer('a layer that is on', '/ON[10 0 R]'),
  layer('a layer that is off', '/OFF[10 0 R]'),
];

export const annotated: readonly Sample[] = [...withFlags, ...fields, ...placed, ...layers];
