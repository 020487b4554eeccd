/** Each kind of pixels that a printer may list, as such a printer reads it, and pages of the size that it counts. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { RasterType } from '../../../src/domain/ports/printing.ts';
import { formats } from '../../../src/printing/document-format.ts';
import { needsPeer } from '../../support/needs.ts';
import { coarse, converted, raster } from './converted-pages.ts';
import { marks, pdfOf } from '../../support/printer/pdf-writer.ts';
import type { Picture } from '../../support/printer/picture.ts';
import { grey, strayInk } from '../../support/printer/picture.ts';
import { pagesOf } from './raster-reader.ts';
import { seenByMupdf } from './second-eye.ts';

const black = pdfOf([
  { entries: '/MediaBox[0 0 595 842]', content: '60 60 90 400 re f 60 460 300 90 re f 20 20 30 30 re f' },
]);
const coloured = pdfOf([{ entries: '/MediaBox[0 0 595 842]', content: marks(595, 842) }]);

/** Bits of a colour, of a pixel, the number of the colour space and how many colours it has (PWG 5102.4 table 12). */
const kinds: readonly [RasterType, readonly [number, number, number, number]][] = [
  ['srgb_8', [8, 24, 19, 3]],
  ['rgb_8', [8, 24, 1, 3]],
  ['cmyk_8', [8, 32, 6, 4]],
  ['sgray_8', [8, 8, 18, 1]],
  ['black_8', [8, 8, 3, 1]],
  ['sgray_1', [1, 1, 18, 1]],
  ['black_1', [1, 1, 3, 1]],
];

needsPeer('gs', 'ghostscript')('Ghostscript', () => {
  needsPeer('mutool', 'mupdf-tools')('beside MuPDF', suite);
});

function suite(): void {
  let expected: readonly Picture[] = [];
  beforeAll(async () => {
    expected = (await seenByMupdf([black, coloured], coarse)).map((pages) => pages[0]?.() as Picture);
  });

  it.each(kinds)('%s has the header of its kind, and black where it is black', async (rasterType, facts) => {
    const [page] = pagesOf(await converted(black, raster(coarse, { rasterType })));
    const header = page?.header as Buffer;
    expect([384, 388, 400, 420].map((at) => header.readUInt32BE(at))).toEqual(facts);
    expect(header.readUInt32BE(392)).toBe(Math.ceil((coarse.width * facts[1]) / 8));
    expect(strayInk(page as Picture, expected[0] as Picture)).toBeLessThan(0.01);
  });

  it.each<RasterType>(['srgb_8', 'rgb_8', 'sgray_8', 'black_8'])(
    '%s is grey where grey is wanted',
    async (rasterType) => {
      const [page] = pagesOf(await converted(coloured, raster(coarse, { rasterType, color: 'grey' })));
      expect(strayInk(page as Picture, grey(expected[1] as Picture))).toBeLessThan(0.01);
      expect(strayInk(page as Picture, expected[1] as Picture)).toBeGreaterThan(0.01);
    },
  );

  it.each(['sgray_1', 'black_1'] as const)(
    '%s makes of a grey surface as many black dots as it is dark',
    async (rasterType) => {
      const surface = pdfOf([{ entries: '/MediaBox[0 0 595 842]', content: '0.7 g 0 0 595 842 re f' }]);
      const [page] = pagesOf(await converted(surface, raster(coarse, { rasterType })));
      const { pixels } = page as Picture;
      const dark = pixels.filter((light) => light === 0).length / pixels.length;
      expect(pixels.every((light) => light === 0 || light === 255)).toBe(true);
      expect(dark).toBeGreaterThan(0.2);
      expect(dark).toBeLessThan(0.4);
    },
  );

  describe('a page has the pixels that CUPS counts', () => {
    it.each([
      ['iso_a4_210x297mm', 300, 2480, 3507],
      ['iso_a4_210x297mm', 600, 4960, 7015],
      ['na_letter_8.5x11in', 300, 2550, 3300],
      ['iso_a5_148x210mm', 600, 3496, 4960],
      ['na_legal_8.5x14in', 300, 2550, 4200],
      ['iso_a3_297x420mm', 300, 3507, 4960],
    ])('%s at %i dots an inch', async (media, resolution, width, height) => {
      for (const [format, at] of [
        [formats.pwgRaster, 4 + 372],
        [formats.urf, 12 + 12],
      ] as const) {
        const made = await converted(
          black,
          raster(coarse, { format, media, resolution, rasterType: 'sgray_8' }),
        );
        expect([made.readUInt32BE(at), made.readUInt32BE(at + 4)]).toEqual([width, height]);
      }
    });
  });

  it.each([
    ['portrait', '/MediaBox[0 0 595 842]', 595, 842],
    ['landscape', '/MediaBox[0 0 842 595]', 842, 595],
    ['landscape by its turn', '/MediaBox[0 0 595 842]/Rotate 90', 842, 595],
    ['on its head', '/MediaBox[0 0 595 842]/Rotate 180', 595, 842],
    ['cropped', '/MediaBox[0 0 595 842]/CropBox[100 200 400 700]/Rotate 270', 500, 300],
    ['with a unit', '/MediaBox[0 0 200 300]/UserUnit 2', 400, 600],
    ['square', '/MediaBox[0 0 400 400]/Rotate 90', 400, 400],
  ])(
    'a page of no paper in particular keeps its size and its way up: %s',
    async (_, entries, width, height) => {
      const pdf = pdfOf([{ entries, content: `0.9 g 0 0 900 900 re f ${marks(300, 300, [100, 200])}` }]);
      const [page] = pagesOf(
        await converted(pdf, raster(coarse, { media: undefined, rasterType: 'srgb_8' })),
      );
      const found = page as Picture;
      expect(Math.abs(found.width - (width * coarse.resolution) / 72)).toBeLessThan(1);
      expect(Math.abs(found.height - (height * coarse.resolution) / 72)).toBeLessThan(1);
      const [[seen] = []] = await seenByMupdf([pdf], found);
      expect(strayInk(found, seen?.() as Picture)).toBeLessThan(0.01);
    },
  );

  it('a page larger than any paper of the printer is made to fit one, upright and whole', async () => {
    const pdf = pdfOf([{ entries: '/MediaBox[0 0 842 1191]', content: '0.9 g 0 0 900 1200 re f' }]);
    const within = ['iso_a4_210x297mm', 'iso_a5_148x210mm'];
    const facts = { media: undefined, within, rasterType: 'sgray_8' } as const;
    const [page] = pagesOf(await converted(pdf, raster(coarse, facts)));
    const { width, height } = page as Picture;
    expect([width, height]).toEqual([
      Math.floor((21_000 * coarse.resolution) / 2540),
      Math.floor((29_700 * coarse.resolution) / 2540),
    ]);
  });

  it('Apple raster tells sides, quality, size and resolution as CUPS reads them', async () => {
    for (const [sides, duplex] of [
      ['one-sided', 1],
      ['two-sided-short-edge', 2],
      ['two-sided-long-edge', 3],
    ] as const) {
      const made = await converted(
        coloured,
        raster(coarse, { format: formats.urf, rasterType: 'srgb_8', sides }),
      );
      const header = made.subarray(12, 44);
      expect([...header.subarray(0, 4)]).toEqual([24, 1, duplex, 4]);
      expect([12, 16, 20].map((at) => header.readUInt32BE(at))).toEqual([
        coarse.width,
        coarse.height,
        coarse.resolution,
      ]);
    }
  });
}
