/** Paths, clips, forms, patterns, transparency and images (ISO 32000-1 sections 8 and 11). */
import { deflateSync } from 'node:zlib';
import type { Sample } from './corpus.ts';
import type { PdfParts } from '../../support/printer/pdf-writer.ts';
import { marks, pdfOf, stream } from '../../support/printer/pdf-writer.ts';

const sheet = '/MediaBox[0 0 595 842]';

const drawing = (
  name: string,
  content: string,
  { resources = '', entries = '', ...parts }: { resources?: string; entries?: string } & PdfParts = {},
): Sample => ({
  name,
  pdf: pdfOf([{ entries: sheet + entries, content: `${marks(595, 842)}\n${content}`, resources }], parts),
});

const paths: readonly Sample[] = [
  drawing(
    'lines of several widths',
    [1, 2, 4, 8, 16]
      .map((wide, at) => `${wide} w 250 ${300 + 60 * at} m 550 ${330 + 60 * at} l S`)
      .join('\n'),
  ),
  drawing('dashes', '6 w [30 10 5 10] 8 d 250 300 m 550 300 l S [20] 0 d 250 350 300 200 re S'),
  drawing(
    'caps and joins',
    '20 w 0 J 250 300 m 500 300 l S 1 J 250 360 m 500 360 l S 2 J 250 420 m 500 420 l S 1 j 280 500 m 350 650 l 420 500 l S 2 j 450 500 m 500 650 l 550 500 l S',
  ),
  drawing(
    'curves',
    '4 w 250 300 m 300 700 500 700 550 300 c S 1 0 0 rg 300 300 m 350 450 450 450 500 300 c f',
  ),
  drawing(
    'even and odd',
    '0.2 g 250 300 300 300 re 300 350 200 200 re f* 1 0 0 rg 250 650 100 100 re 280 680 40 40 re f',
  ),
  drawing(
    'clips in clips',
    'q 250 300 300 300 re W n 400 450 m 560 450 l 400 620 l h W n 0 0 1 rg 0 0 595 842 re f Q 0 1 0 rg 250 650 50 50 re f',
  ),
  drawing('a clip that leaves nothing', 'q 0 0 0 0 re W n 0 0 1 rg 0 0 595 842 re f Q'),
];

const form = (content: string, entries = '') =>
  stream(`/Type/XObject/Subtype/Form/BBox[0 0 200 200]${entries}`, content);

const forms: readonly Sample[] = [
  drawing('a form', 'q 1 0 0 1 250 350 cm /X Do Q', {
    resources: '/XObject<</X 10 0 R>>',
    objects: [form('1 0 0 rg 0 0 300 100 re f')],
  }),
  drawing('a form with a matrix', 'q 1 0 0 1 450 350 cm /X Do Q', {
    resources: '/XObject<</X 10 0 R>>',
    objects: [form('1 0 0 rg 0 0 150 50 re f', '/Matrix[0.7 0.7 -0.7 0.7 0 0]')],
  }),
  drawing('forms in forms', 'q 1 0 0 1 250 350 cm /X Do Q', {
    resources: '/XObject<</X 10 0 R>>',
    objects: [
      form('/Y Do q 0.5 0 0 0.5 100 100 cm /Y Do Q', '/Resources<</XObject<</Y 11 0 R>>>>'),
      form('0 0.5 0 rg 0 0 150 50 re f'),
    ],
  }),
];

const blends = [
  'Multiply',
  'Screen',
  'Darken',
  'Lighten',
  'Difference',
  'Exclusion',
  'HardLight',
  'Luminosity',
];
const two = '1 0.6 0.2 rg 250 300 200 300 re f /G gs 0.2 0.5 0.9 rg 350 400 200 300 re f';
const groupEntry = '/Group<</S/Transparency/CS/DeviceRGB/I true>>';

const transparent: readonly Sample[] = [
  drawing('half transparent', two, { resources: '/ExtGState<</G<</ca 0.5/CA 0.5>>>>' }),
  drawing('half transparent, on a page that is a group', two, {
    resources: '/ExtGState<</G<</ca 0.5>>>>',
    entries: groupEntry,
  }),
  drawing('half transparent, on a page that is turned', two, {
    resources: '/ExtGState<</G<</ca 0.5>>>>',
    entries: `/Rotate 90${groupEntry}`,
  }),
  drawing('half transparent, in a crop box', two, {
    resources: '/ExtGState<</G<</ca 0.5>>>>',
    entries: '/CropBox[200 250 595 700]',
  }),
  ...blends.map((blend) =>
    drawing(`blended: ${blend}`, two, { resources: `/ExtGState<</G<</BM/${blend}>>>>`, entries: groupEntry }),
  ),
  ...['', '/I true', '/K true', '/I true/K true'].map((kind) =>
    drawing(
      `a group ${kind || 'of no kind'}`,
      '0.8 0.8 0 rg 200 300 350 150 re f q 1 0 0 1 300 350 cm /G gs /X Do Q',
      {
        resources: '/ExtGState<</G<</ca 0.6>>>>/XObject<</X 10 0 R>>',
        objects: [
          form(
            '1 0 0 rg 0 0 120 120 re f 0 0 1 rg 60 60 120 120 re f',
            `/Group<</S/Transparency/CS/DeviceRGB${kind}>>`,
          ),
        ],
      },
    ),
  ),
  drawing('a soft mask', '/G gs 0 0 1 rg 250 300 300 300 re f', {
    resources: '/ExtGState<</G<</SMask<</S/Luminosity/G 10 0 R>>>>>>',
    objects: [
      stream(
        '/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Group<</S/Transparency/CS/DeviceRGB>>',
        '1 1 1 rg 250 300 100 300 re f 0.5 0.5 0.5 rg 350 300 100 300 re f',
      ),
    ],
  }),
];

const ramp = '<</FunctionType 2/Domain[0 1]/C0[1 0 0]/C1[0 0 1]/N 1>>';

const shaded = (name: string, shading: string): Sample =>
  drawing(name, 'q 250 300 300 300 re W n /S sh Q', {
    resources: `/Shading<</S<<${shading}/ColorSpace/DeviceRGB/Function ${ramp}>>>>`,
  });

const tiles = (paint: number, content: string): Buffer =>
  stream(
    `/Type/Pattern/PatternType 1/PaintType ${paint}/TilingType 1/BBox[0 0 40 40]/XStep 50/YStep 50/Resources<<>>`,
    content,
  );

const patterns: readonly Sample[] = [
  shaded('a ramp', '/ShadingType 2/Coords[250 0 550 0]/Extend[true true]'),
  shaded('a ramp that ends', '/ShadingType 2/Coords[300 300 500 500]/Extend[false false]'),
  shaded('a ball', '/ShadingType 3/Coords[380 470 20 400 450 140]/Extend[false true]'),
  drawing('tiles of their own colour', '/Pattern cs /P scn 250 300 300 300 re f', {
    resources: '/Pattern<</P 10 0 R>>',
    objects: [tiles(1, '1 0 0 rg 0 0 20 40 re f 0 0 1 rg 20 20 20 20 re f')],
  }),
  drawing('tiles of a given colour', '/C cs 0 0.5 0 /P scn 250 300 300 300 re f', {
    resources: '/ColorSpace<</C[/Pattern/DeviceRGB]>>/Pattern<</P 10 0 R>>',
    objects: [tiles(2, '0 0 20 40 re f')],
  }),
];

const side = 24;
const image = (entries: string, octets: readonly number[], predictor = '') =>
  stream(
    `/Type/XObject/Subtype/Image/Width ${side}/Height ${side}${entries}/Filter/FlateDecode${predictor}`,
    deflateSync(Buffer.from(octets)),
  );
const each = <T>(make: (x: number, y: number) => T): T[] =>
  Array.from({ length: side * side }, (_, at) => make(at % side, Math.floor(at / side)));
const grey = each((x, y) => (x < 8 ? 0 : y < 12 ? 128 : 220));
const rgb = each((x, y) => (x < 8 ? [200, 0, 0] : y < 12 ? [0, 0, 200] : [240, 200, 0])).flat();
const bits = Array.from({ length: side }, (_, y) => (y < 8 ? [255, 0, 255] : [255, 0, 0])).flat();

const picture = (name: string, objects: readonly Buffer[], paint = '/I Do'): Sample =>
  drawing(name, `q 1 0 0 rg 280 0 0 240 250 320 cm ${paint} Q`, {
    resources: '/XObject<</I 10 0 R>>',
    objects,
  });

const images: readonly Sample[] = [
  picture('grey', [image('/ColorSpace/DeviceGray/BitsPerComponent 8', grey)]),
  picture('grey the other way round', [image('/ColorSpace/DeviceGray/BitsPerComponent 8/Decode[1 0]', grey)]),
  picture('of colour', [image('/ColorSpace/DeviceRGB/BitsPerComponent 8', rgb)]),
  picture('of one bit', [image('/ColorSpace/DeviceGray/BitsPerComponent 1', bits)]),
  picture('a mask', [image('/ImageMask true/BitsPerComponent 1', bits)]),
  picture('of a palette', [
    image(
      '/ColorSpace[/Indexed/DeviceRGB 2<FF0000 00AA00 0000FF>]/BitsPerComponent 8',
      each((x, y) => (x < 8 ? 0 : y < 12 ? 1 : 2)),
    ),
  ]),
  picture('with a colour that is left out', [
    image('/ColorSpace/DeviceRGB/BitsPerComponent 8/Mask[200 200 0 0 0 0]', rgb),
  ]),
  picture('with a mask', [
    image('/ColorSpace/DeviceRGB/BitsPerComponent 8/Mask 11 0 R', rgb),
    image('/ImageMask true/BitsPerComponent 1', bits),
  ]),
  picture('with a soft mask', [
    image('/ColorSpace/DeviceRGB/BitsPerComponent 8/SMask 11 0 R', rgb),
    image('/ColorSpace/DeviceGray/BitsPerComponent 8', grey),
  ]),
  picture('of sixteen bits', [
    image(
      '/ColorSpace/DeviceGray/BitsPerComponent 16',
      grey.flatMap((value) => [value, 0]),
    ),
  ]),
  picture('by the rules of PNG', [
    image(
      '/ColorSpace/DeviceGray/BitsPerComponent 8',
      Array.from({ length: side }, (_, y) => [0, ...grey.slice(y * side, (y + 1) * side)]).flat(),
      `/DecodeParms<</Predictor 15/Colors 1/BitsPerComponent 8/Columns ${side}>>`,
    ),
  ]),
  picture('in the page', [], 'BI /W 2 /H 2 /CS /RGB /BPC 8 /F /AHx ID FF000000FF000000FF000000 > EI'),
  picture(
    'turned',
    [image('/ColorSpace/DeviceRGB/BitsPerComponent 8', rgb)],
    '0.7 0.5 -0.5 0.7 0.3 -0.2 cm /I Do',
  ),
];

export const drawn: readonly Sample[] = [
  ...paths,
  ...forms,
  ...transparent,
  ...patterns,
  ...images.map(({ name, ...sample }) => ({ ...sample, name: `an image ${name}` })),
];
