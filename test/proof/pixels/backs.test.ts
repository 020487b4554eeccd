/**
 * Pages upright on both sides of their sheets, by pixels: what a printer of each kind of back gets, against the same page
 * as MuPDF draws it and as PWG 5102.4 (section 4.3, table 9) has it sent.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Sides } from '../../../src/domain/document.ts';
import {
  planConversion,
  asTheyCome,
  unknownRaster,
} from '../../../src/printing/conversion/conversion-plan.ts';
import { formats } from '../../../src/printing/document-format.ts';
import { needsPeer } from '../../support/needs.ts';
import { sampleTicket } from '../../support/sample-ticket.ts';
import { coarse, converted } from './converted-pages.ts';
import type { PdfPage } from '../../support/printer/pdf-writer.ts';
import { marks, pdfOf } from '../../support/printer/pdf-writer.ts';
import type { Picture } from '../../support/printer/picture.ts';
import { strayInk, transformed } from '../../support/printer/picture.ts';
import { pagesOf } from './raster-reader.ts';
import { seenByMupdf } from './second-eye.ts';

/** Portrait and landscape, each turned each way: fronts and backs of eight kinds. */
const pages: readonly PdfPage[] = [
  [595, 842],
  [842, 595],
].flatMap(([width = 0, height = 0]) =>
  [0, 90, 180, 270].flatMap((rotate) => {
    const page = {
      entries: `/MediaBox[0 0 ${width} ${height}]/Rotate ${rotate}`,
      content: marks(width, height),
    };
    return [page, page];
  }),
);
const document = pdfOf(pages);

const upright = { crossFeed: 1, feed: 1 };
const turned = { crossFeed: -1, feed: -1 };

/** Table 9. */
const table: readonly [string, Sides, { crossFeed: number; feed: number }][] = [
  ['normal', 'two-sided-long-edge', upright],
  ['normal', 'two-sided-short-edge', upright],
  ['flipped', 'two-sided-long-edge', { crossFeed: 1, feed: -1 }],
  ['flipped', 'two-sided-short-edge', { crossFeed: -1, feed: 1 }],
  ['rotated', 'two-sided-long-edge', turned],
  ['rotated', 'two-sided-short-edge', upright],
  ['manual-tumble', 'two-sided-long-edge', upright],
  ['manual-tumble', 'two-sided-short-edge', turned],
];

/** The words of urf-supported. */
const appleWords: Readonly<Record<string, string>> = {
  normal: 'DM1',
  flipped: 'DM2',
  rotated: 'DM3',
  'manual-tumble': 'DM4',
};

function planned(format: string, sheetBack: string, sides: Sides | undefined) {
  const raster = {
    ...unknownRaster,
    sheetBack,
    types: ['srgb_8'],
    urf: ['SRGB24', appleWords[sheetBack] ?? ''],
  };
  const plan = planConversion({
    ticket: sampleTicket({ sides, paperSize: 'A4', totalPages: pages.length }),
    format: formats.pdf,
    takes: [format],
    outputType: 'auto',
    handling: asTheyCome,
    longestCopies: 1,
    color: 'color',
    canBeAskedForGrey: true,
    raster,
  });
  if (plan?.conversion === undefined) throw new Error('nothing is converted');
  return { ...plan.conversion, resolution: coarse.resolution };
}

const rendered = async (...asked: Parameters<typeof planned>) =>
  pagesOf(await converted(document, planned(...asked)));

needsPeer('gs', 'ghostscript')('Ghostscript', () => {
  needsPeer('mutool', 'mupdf-tools')('beside MuPDF', () => {
    let expected: readonly Picture[] = [];
    beforeAll(async () => {
      expected = ((await seenByMupdf([document], coarse))[0] ?? []).map((seen) => seen());
    });

    describe.each([formats.pwgRaster, formats.urf])('%s', (format) => {
      it.each(table)('has its backs %s, %s', async (sheetBack, sides, backs) => {
        const made = await rendered(format, sheetBack, sides);
        expect(made).toHaveLength(pages.length);
        expect(expected).toHaveLength(pages.length);
        const backOf = (index: number) => (index % 2 === 1 ? backs : upright);
        const stray = made.map((page, index) =>
          strayInk(page, transformed(expected[index] ?? page, backOf(index))),
        );
        expect(Math.max(...stray)).toBeLessThan(0.01);
        // Apple's page header has no word for it.
        const reported = format === formats.pwgRaster ? made : [];
        expect(
          reported.map(({ header }) => ({
            crossFeed: header.readInt32BE(456),
            feed: header.readInt32BE(460),
          })),
        ).toEqual(reported.map((_, index) => backOf(index)));
      });
    });
  });
});
