/**
 * PostScript and PDF as they go to printers, read back: PostScript by Ghostscript itself, for want of another reader, PDF
 * by MuPDF. PCL XL has no reader in Debian: its pages are told apart by where their bars lie.
 */
import { beforeAll, expect, it } from 'vitest';
import type { Conversion } from '../../../src/domain/ports/printing.ts';
import { formats } from '../../../src/printing/document-format.ts';
import { needsPeer } from '../../support/needs.ts';
import { coarse, converted, media, raster } from './converted-pages.ts';
import { pagesOfPcl } from './pcl-reader.ts';
import { pageBindings, picturesOfPclXl } from './pcl-xl-reader.ts';
import { marks, pdfOf } from '../../support/printer/pdf-writer.ts';
import type { Picture } from '../../support/printer/picture.ts';
import { grey, strayInk } from '../../support/printer/picture.ts';
import { pagesOf } from './raster-reader.ts';
import { seenByMupdf } from './second-eye.ts';

const kinds = [
  [595, 842],
  [842, 595],
].flatMap(([width = 0, height = 0]) =>
  [0, 90, 180, 270].map((rotate) => ({
    entries: `/MediaBox[0 0 ${width} ${height}]/Rotate ${rotate}`,
    content: marks(width, height),
  })),
);
const cropped = {
  entries: '/MediaBox[0 0 900 900]/CropBox[100 200 400 700]/Rotate 180',
  content: `0.9 g 0 0 900 900 re f ${marks(300, 500, [100, 200])}`,
};
const small = { entries: '/MediaBox[0 0 200 300]/UserUnit 2', content: marks(200, 300) };
const document = pdfOf([...kinds, cropped, small]);

/** Shades are dots of PCL 5, and at the edge of the paper its driver leaves a margin. */
const blackBars = pdfOf(
  kinds.map(({ entries }) => ({
    entries,
    content: '60 60 100 10 re f 200 500 10 50 re f 40 400 30 30 re f 450 100 40 8 re f',
  })),
);

const fitted = { media, resolution: 600 } satisfies Partial<Conversion>;

needsPeer('gs', 'ghostscript')('Ghostscript', () => {
  needsPeer('mutool', 'mupdf-tools')('beside MuPDF', () => {
    let expected: readonly Picture[] = [];
    beforeAll(async () => {
      expected = ((await seenByMupdf([document], coarse))[0] ?? []).map((seen) => seen());
    });

    const compare = (found: readonly Picture[], seenAs = (picture: Picture) => picture) => {
      expect(expected).toHaveLength(kinds.length + 2);
      expect(found).toHaveLength(expected.length);
      const stray = found.map((page, number) => strayInk(page, seenAs(expected[number] as Picture)));
      expect(Math.max(...stray)).toBeLessThan(0.01);
    };

    it('PostScript has its pages upright, as large as the paper lets them be', async () => {
      const postscript = await converted(document, { ...fitted, format: formats.postscript });
      compare(pagesOf(await converted(postscript, raster(coarse))));
    });

    it('PDF that is made grey has them so, too', async () => {
      const pdf = await converted(document, { ...fitted, color: 'grey' });
      const found = ((await seenByMupdf([pdf], coarse))[0] ?? []).map((seen) => seen());
      compare(found, grey);
    });

    it.each(['as-is', 'grey'] as const)(
      'PCL XL has the bars of each page where they belong (%s)',
      async (color) => {
        const pages = picturesOfPclXl(
          await converted(document, { ...fitted, format: formats.pclXl, color }),
          coarse,
        );
        compare(
          pages.map(({ picture }) => picture),
          color === 'grey' ? grey : undefined,
        );
        for (const page of pages) expect(page).toMatchObject({ orientation: 0, mediaSize: 2 });
      },
    );

    it('PCL 5 has the dots of each page where they belong, and leaves the sides to its job', async () => {
      const wanted = {
        ...fitted,
        format: formats.pcl,
        color: 'grey',
        sides: 'two-sided-short-edge',
      } as const;
      const made = await converted(blackBars, wanted);
      const pages = pagesOfPcl(made, coarse, fitted.resolution / coarse.resolution);
      const seen = ((await seenByMupdf([blackBars], coarse))[0] ?? []).map((one) => one());
      expect(pages).toHaveLength(seen.length);
      const stray = pages.map(({ picture }, at) => strayInk(picture, seen[at] as Picture));
      expect(Math.max(...stray)).toBeLessThan(0.01);
      for (const page of pages) expect(page).toMatchObject({ paper: 26, sides: undefined });
    });

    it('PCL XL tells whether it has two sides, and which edge is bound', async () => {
      const duplexMode = async (sides: Conversion['sides']) => {
        const made = await converted(document, { ...fitted, format: formats.pclXl, sides });
        return pageBindings(made);
      };
      expect(await duplexMode('one-sided')).toEqual([]);
      const [long, short] = [
        await duplexMode('two-sided-long-edge'),
        await duplexMode('two-sided-short-edge'),
      ];
      expect(long.every((binding) => binding === 1) && long.length > 0).toBe(true);
      expect(short.every((binding) => binding === 0) && short.length > 0).toBe(true);
    });
  });
});
