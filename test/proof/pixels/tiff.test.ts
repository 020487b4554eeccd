/** TIFF through the converter, to the pixels that a printer gets, beside the pixels that were written into it. */
import { deflateSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { seconds } from '../../../src/core/duration.ts';
import { formats } from '../../../src/printing/document-format.ts';
import { needsPeer } from '../../support/needs.ts';
import { converterForTest, conversion } from '../../support/printer/conversion-samples.ts';
import { spooled } from '../../support/printer/samples.ts';
import type { Samples } from './coloured-samples.ts';
import {
  asGrey,
  drawn,
  entries,
  entry,
  height,
  onWhite,
  packed,
  quarterAt,
  shadesOf,
  solidity,
  stepped,
  width,
} from './coloured-samples.ts';
import { coarse, converted, media, raster } from './converted-pages.ts';
import type { Picture } from '../../support/printer/picture.ts';
import type { Sample } from '../../support/printer/libtiff-samples.ts';
import { byGhostscript, byPoppler, figures, inColour } from '../../support/printer/libtiff-samples.ts';
import { centred, strayInk } from '../../support/printer/picture.ts';
import { pagesOf } from './raster-reader.ts';
import type { Seen } from './second-eye.ts';
import { seenByMupdf } from './second-eye.ts';
import type { Fields, Order, TiffPage } from './tiff-writer.ts';
import { tiffOf } from './tiff-writer.ts';
import { withoutLimit } from '../../support/patience.ts';

/** The tags of TIFF 6.0 by their names there. */
const tags = {
  NewSubfileType: 254,
  ImageWidth: 256,
  ImageLength: 257,
  BitsPerSample: 258,
  Compression: 259,
  PhotometricInterpretation: 262,
  StripOffsets: 273,
  Orientation: 274,
  SamplesPerPixel: 277,
  RowsPerStrip: 278,
  StripByteCounts: 279,
  XResolution: 282,
  YResolution: 283,
  PlanarConfiguration: 284,
  ResolutionUnit: 296,
  Predictor: 317,
  ColorMap: 320,
  TileWidth: 322,
  ExtraSamples: 338,
  SampleFormat: 339,
} as const;
type Named = { readonly [Name in keyof typeof tags]?: Fields[number] };

const byTag = (named: Named): Fields =>
  Object.fromEntries(Object.entries(named).map(([name, value]) => [tags[name as keyof typeof tags], value]));

/** 75 dots an inch, as on the bench: pixel for pixel. */
const sized: Named = { XResolution: [[75, 1]], YResolution: [[150, 2]], ResolutionUnit: 2 };

interface Sheet {
  readonly photometric: number;
  readonly bits: number;
  readonly samples: number;
  readonly pixels: Buffer;
  readonly rows?: number;
  readonly pack?: (strip: Buffer) => Buffer;
  readonly more?: Named;
}

function sheet({
  photometric,
  bits,
  samples,
  pixels,
  rows = 97,
  pack = (strip) => strip,
  more,
}: Sheet): TiffPage {
  const line = pixels.length / height;
  const strips = Array.from({ length: Math.ceil(height / rows) }, (_, at) =>
    pack(pixels.subarray(at * rows * line, (at + 1) * rows * line)),
  );
  const fields = byTag({
    ImageWidth: width,
    ImageLength: height,
    BitsPerSample: Array.from({ length: samples }, () => bits),
    Compression: 1,
    PhotometricInterpretation: photometric,
    SamplesPerPixel: samples,
    RowsPerStrip: rows,
    ...sized,
    ...more,
  });
  return { fields, strips };
}

const colours = (more: Partial<Sheet> = {}): TiffPage =>
  sheet({ photometric: 2, bits: 8, samples: 3, pixels: packed(stepped, 8), ...more });

const inPalette = (bits: number, shade: (one: number) => number): TiffPage => {
  const map = [0, 1, 2].flatMap((part) =>
    Array.from({ length: 2 ** bits }, (_, at) => shade(entries[3 * at + part] ?? 0)),
  );
  const pixels = packed((x, y) => [quarterAt(x, y)], bits);
  return sheet({ photometric: 3, bits, samples: 1, pixels, more: { ColorMap: map } });
};

const shining = (kind: 0 | 1 | 2): [string, TiffPage, Samples] => {
  const solid = (x: number) => [1, solidity(x) / 255, 1][kind] ?? 1;
  const pixels = packed(
    (x, y) => [...stepped(x, y).map((one) => Math.round(one * solid(x))), solidity(x)],
    8,
  );
  return [
    `colours, and a sample besides that is ${['for nobody', 'what they were mixed with', 'what they shine by'][kind]}`,
    sheet({ photometric: 2, bits: 8, samples: 4, pixels, more: { ExtraSamples: kind } }),
    (x, y) => stepped(x, y).map((one) => (kind === 0 ? one : onWhite(one, solidity(x)))),
  ];
};

/** Section 14, Horizontal differencing. */
function differenced(strip: Buffer): Buffer {
  const made = Buffer.from(strip);
  for (let at = 0; at < strip.length; at += 1) {
    const before = at % (width * 3) < 3 ? 0 : (strip[at - 3] ?? 0);
    made[at] = (strip[at] ?? 0) - before;
  }
  return made;
}

/** Section 9, PackBits: runs of at most 128, and a few octets as they are. */
function packBits(strip: Buffer): Buffer {
  const made: number[] = [];
  for (let at = 0; at < strip.length; ) {
    let run = 1;
    while (run < 128 && at + run < strip.length && strip[at + run] === strip[at]) run += 1;
    made.push(run === 1 ? 0 : 257 - run, strip[at] ?? 0);
    at += run;
  }
  return Buffer.from(made);
}

const across = width - 1;
const down = height - 1;

/** Where the pixel of a column and a row is to be seen (section 8, Orientation): 0 top, 1 left … */
const ways: readonly ((column: number, row: number) => readonly [x: number, y: number])[] = [
  (column, row) => [column, row],
  (column, row) => [across - column, row],
  (column, row) => [across - column, down - row],
  (column, row) => [column, down - row],
  (column, row) => [row, column],
  (column, row) => [across - row, column],
  (column, row) => [across - row, down - column],
  (column, row) => [row, down - column],
];

function orientated(way: number): TiffPage {
  const size = way > 4 ? { width: height, height: width } : { width, height };
  const seenAt = ways[way - 1] ?? ((column, row) => [column, row]);
  const pixels = packed((column, row) => stepped(...seenAt(column, row)), 8, size);
  const more = {
    ImageWidth: size.width,
    ImageLength: size.height,
    RowsPerStrip: size.height,
    Orientation: way,
  };
  return colours({ pixels, rows: height, more });
}

/** Cyan, magenta, yellow and black, each in a quarter of its own. */
const inkOf: Samples = (x, y) => [0, 1, 2, 3].map((ink) => (ink === quarterAt(x, y) ? 255 : 0));
/** As SWOP has them, by which Ghostscript mixes inks that nothing else is said of. */
const inks = [
  [0, 174, 239],
  [236, 0, 140],
  [255, 242, 0],
  [35, 31, 32],
];
const shownInk: Samples = (x, y) => inks[quarterAt(x, y)] ?? [];

type Kind = readonly [what: string, page: TiffPage, colors: Samples];

const perCentimetre: Fields[number] = [[7500, 254]];

const kinds: readonly Kind[] = [
  ...[1, 2, 4, 8].map(
    (bits): Kind => [
      `grey of ${bits} bits`,
      sheet({ photometric: 1, bits, samples: 1, pixels: packed(shadesOf(bits), bits) }),
      asGrey(shadesOf(bits), bits),
    ],
  ),
  [
    'grey that begins with white',
    sheet({ photometric: 0, bits: 4, samples: 1, pixels: packed(shadesOf(4), 4) }),
    (x, y) => asGrey(shadesOf(4), 4)(x, y).map((one) => 255 - one),
  ],
  ['colours', colours(), stepped],
  ['colours in one strip', colours({ rows: height }), stepped],
  ['colours in a strip for each line', colours({ rows: 1 }), stepped],
  ['a palette of 4 bits', inPalette(4, (one) => one * 257), entry],
  ['a palette of 8 bits', inPalette(8, (one) => one * 257), entry],
  ['a palette as old programs wrote it', inPalette(2, (one) => one), entry],
  ['inks', sheet({ photometric: 5, bits: 8, samples: 4, pixels: packed(inkOf, 8) }), shownInk],
  shining(0),
  shining(1),
  shining(2),
  ['colours, deflated', colours({ pack: (strip) => deflateSync(strip), more: { Compression: 8 } }), stepped],
  [
    'colours as differences, deflated',
    colours({
      pack: (strip) => deflateSync(differenced(strip)),
      more: { Compression: 32_946, Predictor: 2 },
    }),
    stepped,
  ],
  ['colours in runs', colours({ pack: packBits, more: { Compression: 32_773 } }), stepped],
  [
    'dots to the centimetre',
    colours({ more: { XResolution: perCentimetre, YResolution: perCentimetre, ResolutionUnit: 3 } }),
    stepped,
  ],
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((way): Kind => [`the orientation ${way}`, orientated(way), stepped]),
];

needsPeer('gs', 'ghostscript')('TIFF', () => {
  describe.each<[string, Order]>([
    ['lowest', 'II'],
    ['highest', 'MM'],
  ])('with the %s octet first', (_, order) => {
    let pages: readonly Picture[] = [];
    beforeAll(async () => {
      const tiff = tiffOf(
        kinds.map(([, page]) => page),
        order,
      );
      pages = pagesOf(await converted(tiff, raster(coarse)));
    });

    it.each(kinds.map(([what, , colors], at) => ({ what, colors, at })))(
      'comes out as it was drawn, in the middle of the paper: $what',
      ({ colors, at }) => {
        expect(pages).toHaveLength(kinds.length);
        expect(strayInk(pages[at] as Picture, centred(drawn(colors), coarse))).toBeLessThan(0.01);
      },
    );
  });

  it('comes out page by page, without previews and masks', async () => {
    const preview = colours({ more: { NewSubfileType: 1 } });
    const grey = sheet({ photometric: 1, bits: 1, samples: 1, pixels: packed(shadesOf(1), 1) });
    const pages = pagesOf(await converted(tiffOf([preview, grey, colours(), grey]), raster(coarse)));
    const wanted = [asGrey(shadesOf(1), 1), stepped, asGrey(shadesOf(1), 1)];
    expect(pages).toHaveLength(3);
    for (const [at, samples] of wanted.entries()) {
      expect(strayInk(pages[at] as Picture, centred(drawn(samples), coarse))).toBeLessThan(0.01);
    }
  });

  it('lies as its pictures do, each page for itself', async () => {
    const contradictory = {
      fields: byTag({ ImageWidth: 1600, ImageLength: 400, PhotometricInterpretation: 1, RowsPerStrip: 400 }),
      strips: [Buffer.alloc(200 * 400)],
    };
    const pdf = (await converted(tiffOf([contradictory, colours()]), { media })).toString('latin1');
    expect(pdf.match(/\/MediaBox *\[0 0 \d+ \d+\]/g)).toEqual([
      '/MediaBox [0 0 842 595]',
      '/MediaBox [0 0 595 842]',
    ]);
  });

  needsPeer('mutool', 'mupdf-tools')('as libtiff packs it:', () => {
    it.each<[string, () => Promise<Sample>]>([
      ['fax of group 4', () => byGhostscript('tiffg4', figures)],
      ['fax of group 4, the lowest bit first', () => byGhostscript('tiffg4', figures, '-dFillOrder=2')],
      ['fax of group 4 in strips', () => byGhostscript('tiffg4', figures, '-dMaxStripSize=1000')],
      ['fax of group 3', () => byGhostscript('tiffg3', figures)],
      ['fax of group 3 in two dimensions', () => byGhostscript('tiffg32d', figures)],
      ['fax without its line ends', () => byGhostscript('tiffcrle', figures)],
      ['runs', () => byGhostscript('tiffpack', figures)],
      ['LZW', () => byGhostscript('tifflzw', figures)],
      ['grey in LZW', () => byGhostscript('tiffgray', figures, '-sCompression=lzw')],
      ['colours as they are', () => byGhostscript('tiff24nc', inColour)],
      ['JPEG, its tables apart', () => byPoppler('jpeg')],
      ['colours in LZW', () => byPoppler('lzw')],
      ['colours, deflated', () => byPoppler('deflate')],
      ['colours in runs', () => byPoppler('packbits')],
    ])('%s', async (_, write) => {
      const { tiff, pdf } = await write();
      const [wanted = []] = await seenByMupdf([pdf], { width, height });
      const pages = pagesOf(await converted(tiff, raster(coarse)));
      expect(pages).toHaveLength(wanted.length);
      for (const [at, page] of pages.entries()) {
        expect(strayInk(page, centred((wanted[at] as Seen)(), coarse))).toBeLessThan(0.01);
      }
    });
  });

  describe('that is wrong is refused:', () => {
    const tight = { limits: { wall: seconds(20), cpu: seconds(10) } };
    const whole = tiffOf([colours()]);
    const wrong = (more: Named, page: Partial<Sheet> = {}) => tiffOf([colours({ ...page, more })]);

    it.each<[string, Buffer]>([
      ['cut in its directory', whole.subarray(0, -20)],
      ['no page at all', tiffOf([])],
      ['previews alone', wrong({ NewSubfileType: 1 })],
      ['a directory that leads to itself', tiffOf([colours()], 'II', whole.readUInt32LE(4))],
      ['a directory beyond the end', tiffOf([colours()], 'II', 0xffff_fff0)],
      ['fewer strips than it says', wrong({ StripOffsets: 8, StripByteCounts: 97 * 240 * 3 })],
      ['strips shorter than it says', wrong({ StripByteCounts: [100, 100, 100, 100] })],
      ['strips beyond the end', wrong({ StripOffsets: [8, 8, 8, 0x7fff_ffff] })],
      ['no height', wrong({ ImageLength: 0 })],
      ['no rows in a strip', wrong({ RowsPerStrip: 0 })],
      ['no meaning of its samples', wrong({ PhotometricInterpretation: 99 })],
      ['no palette', wrong({}, { photometric: 3, samples: 1, pixels: packed(shadesOf(8), 8) })],
      [
        'a palette too short',
        wrong({ ColorMap: [1, 2, 3] }, { photometric: 3, samples: 1, pixels: packed(shadesOf(8), 8) }),
      ],
      ['sixteen bits', wrong({ BitsPerSample: [16, 16, 16] })],
      ['bits that differ', wrong({ BitsPerSample: [8, 4, 8] })],
      ['samples that are no whole numbers', wrong({ SampleFormat: 3 })],
      ['a plane for each colour', wrong({ PlanarConfiguration: 2 })],
      ['tiles', wrong({ TileWidth: 16 })],
      ['packed in a way that nobody knows', wrong({ Compression: 34_712 })],
      ['packed as it says, and is not', wrong({ Compression: 8 })],
      ['JPEG of the old kind', wrong({ Compression: 6 })],
      ['900 million pixels', wrong({ ImageWidth: 30_000, ImageLength: 30_000 })],
    ])('%s', async (_, tiff) => {
      const converter = await converterForTest(tight);
      const made = converter.convert(
        await spooled(tiff),
        conversion({ format: formats.pdf }),
        withoutLimit(),
      );
      await expect(made).rejects.toMatchObject({ code: 'document-not-convertible' });
    });
  });
});
