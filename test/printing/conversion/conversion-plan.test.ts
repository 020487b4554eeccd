import { describe, expect, it } from 'vitest';
import type { Document } from '../../../src/domain/document.ts';
import type { Conversion } from '../../../src/domain/ports/printing.ts';
import type { Ticket } from '../../../src/domain/release.ts';
import { attribute } from '../../../src/ipp/message.ts';
import { keyword, resolution } from '../../../src/ipp/values.ts';
import type { ConversionCase } from '../../../src/printing/conversion/conversion-plan.ts';
import {
  asTheyCome,
  leftToPrinter,
  planConversion,
  unknownRaster,
} from '../../../src/printing/conversion/conversion-plan.ts';
import { rasterAbilities, resolutionFor } from '../../../src/printing/conversion/raster-abilities.ts';
import { sampleTicket } from '../../support/sample-ticket.ts';

const pdf = 'application/pdf';
const postscript = 'application/postscript';
const pclXl = 'application/vnd.hp-PCLXL';
const pwg = 'image/pwg-raster';
const urf = 'image/urf';

type Case = Partial<Omit<ConversionCase, 'ticket'>> & {
  readonly document?: Partial<Document>;
  readonly monochrome?: boolean;
};

function plan({ document, monochrome = false, ...facts }: Case = {}) {
  const ticket: Ticket = sampleTicket(document, { monochrome });
  return planConversion({
    ticket,
    format: pdf,
    takes: [pdf],
    outputType: 'auto',
    handling: asTheyCome,
    longestCopies: 99,
    color: 'color',
    canBeAskedForGrey: true,
    raster: unknownRaster,
    ...facts,
  });
}

describe('a document goes out unchanged (contract, section 3)', () => {
  it.each<[string, Case]>([
    ['to a printer that takes its format', {}],
    ['in copies that the printer makes', { document: { copies: 99 } }],
    ['in grey that the printer makes', { document: { grayscale: true }, monochrome: true }],
    [
      'in grey to a printer without colour',
      { monochrome: true, canBeAskedForGrey: false, color: 'monochrome' },
    ],
    [
      'that calls itself grey, to a printer that does not tell of colour',
      {
        document: { grayscale: true },
        canBeAskedForGrey: false,
        color: 'unknown',
      },
    ],
    [
      'that calls itself grey, to a colour printer that cannot be asked for it',
      { document: { grayscale: true }, canBeAskedForGrey: false, color: 'color' },
    ],
    ['on both sides', { document: { sides: 'two-sided-long-edge' } }],
    [
      'of one page, whatever the finisher',
      {
        document: { totalPages: 1 },
        handling: { softwareCopies: false, reversed: true },
      },
    ],
    ['in one copy, whoever makes copies', { handling: { softwareCopies: true, reversed: false } }],
    [
      'where it must be unchanged',
      {
        outputType: 'raw',
        document: { copies: 3 },
        handling: { softwareCopies: true, reversed: true },
      },
    ],
    ['to a printer that tells nothing', { takes: [] }],
    [
      'in a language that only printers read',
      {
        format: pclXl,
        takes: [pclXl],
        handling: { softwareCopies: true, reversed: true },
        document: { copies: 2 },
      },
    ],
  ])('%s', (_, given) => {
    expect(plan(given)?.conversion).toBeUndefined();
    expect(plan(given)?.format).toBe(given.format ?? pdf);
  });
});

describe('a document becomes the best that the printer takes', () => {
  it.each<[string, Case, string, Partial<Conversion>]>([
    ['PCL XL first', { takes: [urf, pwg, postscript, pclXl] }, pclXl, { format: pclXl, resolution: 600 }],
    ['then PostScript', { takes: [urf, pwg, postscript] }, postscript, { format: postscript }],
    ['then PWG raster', { takes: [urf, pwg, 'image/jpeg'] }, pwg, { format: pwg, resolution: 300 }],
    ['then Apple raster', { takes: [urf, 'image/jpeg'] }, urf, { format: urf, resolution: 300 }],
    ['PDF, of PostScript', { format: postscript, takes: [pwg, pdf] }, pdf, { format: pdf }],
    [
      'in the printer’s spelling',
      { takes: ['application/vnd.hp-pclxl'] },
      'application/vnd.hp-pclxl',
      { format: pclXl },
    ],
    ['as configured: PCL XL', { takes: [pdf, pclXl], outputType: 'pcl6' }, pclXl, { format: pclXl }],
    [
      'as configured: PostScript 3',
      { takes: [pdf, postscript], outputType: 'ps3' },
      postscript,
      { format: postscript },
    ],
    [
      'as configured: PostScript 2',
      { takes: [pdf, postscript], outputType: 'ps2' },
      postscript,
      { format: postscript },
    ],
    [
      'as configured: PDF',
      { format: postscript, takes: [pdf, postscript], outputType: 'pdf' },
      pdf,
      { format: pdf },
    ],
  ])('%s', (_, given, sentAs, wanted) => {
    expect(plan(given)).toMatchObject({ format: sentAs, conversion: wanted });
  });

  it.each<[string, Case]>([
    ['is not recognised', { format: 'application/octet-stream', takes: ['application/octet-stream'] }],
    ['is of a language that is not converted', { format: pclXl, takes: [pdf] }],
    ['could become nothing that the printer takes', { takes: ['image/jpeg', 'application/octet-stream'] }],
    ['may not become what the printer takes', { takes: [pdf], outputType: 'pcl6' }],
  ])('but not one that %s (T16)', (_, given) => {
    expect(plan(given)).toBeUndefined();
  });
});

describe('what forces a conversion', () => {
  const both = { softwareCopies: true, reversed: true };

  it.each<[string, Case, Partial<Conversion>]>([
    [
      'more copies than the printer makes',
      { document: { copies: 3 }, longestCopies: 1 },
      { copies: 3, collated: true },
    ],
    [
      'copies that the port wants from software',
      { document: { copies: 2, collate: false }, handling: { ...both, reversed: false } },
      { copies: 2, collated: false, order: 'as-is' },
    ],
    [
      'a finisher that turns the stack',
      { document: { totalPages: 2 }, handling: { ...both, softwareCopies: false } },
      { order: 'reversed', copies: 1 },
    ],
    ['both', { document: { copies: 2 }, handling: both }, { order: 'reversed', copies: 2 }],
    [
      'copies of a single page',
      { document: { copies: 2, totalPages: 1 }, handling: both },
      { order: 'reversed', copies: 2 },
    ],
    [
      'grey that the port demands, and a colour printer cannot be asked for',
      { monochrome: true, canBeAskedForGrey: false },
      { color: 'grey', format: pdf },
    ],
  ])('%s', (_, given, wanted) => {
    expect(plan(given)?.conversion).toMatchObject(wanted);
  });

  it('leaves to the printer what it has not done', () => {
    const ticket = sampleTicket({ copies: 3, sides: 'two-sided-long-edge' });
    const left = (facts: Case) =>
      leftToPrinter(ticket, plan({ document: ticket.document, ...facts })?.conversion);
    expect(left({}).document).toMatchObject({ copies: 3, sides: 'two-sided-long-edge' });
    expect(left({ takes: [pclXl] }).document.copies).toBe(3);
    expect(left({ longestCopies: 1 }).document).toMatchObject({ copies: 1, sides: 'two-sided-long-edge' });
  });

  it('tells the converter what the record says', () => {
    const document = { totalPages: 7, paperSize: 'Letter' };
    expect(plan({ document, takes: [pwg] })?.conversion).toMatchObject({
      recordedPages: 7,
      media: 'na_letter_8.5x11in',
    });
  });
});

describe('raster', () => {
  const abilities = (facts: Partial<typeof unknownRaster>) => ({ ...unknownRaster, ...facts });

  it.each<[string, Case, Partial<Conversion>]>([
    ['is grey for a printer without colour', { color: 'monochrome' }, { color: 'grey' }],
    ['is grey where that is wanted', { monochrome: true }, { color: 'grey' }],
    [
      'is grey where no colour is taken',
      { raster: abilities({ types: ['sgray_8', 'black_1'] }) },
      { color: 'grey' },
    ],
    [
      'is in colour where that is taken',
      { raster: abilities({ types: ['sgray_8', 'srgb_8'] }) },
      { color: 'as-is' },
    ],
    [
      'has 300 dots an inch where those are taken',
      { raster: abilities({ resolutions: [600, 300] }) },
      { resolution: 300 },
    ],
    [
      'has the fewest dots that are taken',
      { raster: abilities({ resolutions: [1200, 600] }) },
      { resolution: 600 },
    ],
    [
      'has its backs turned where the printer wants that',
      {
        document: { sides: 'two-sided-long-edge' },
        raster: abilities({ sheetBack: 'rotated' }),
      },
      { turnsBacks: true, sides: 'two-sided-long-edge' },
    ],
    [
      'has its backs as they are on the short edge',
      {
        document: { sides: 'two-sided-short-edge' },
        raster: abilities({ sheetBack: 'rotated' }),
      },
      { turnsBacks: false },
    ],
    [
      'has its backs turned on the short edge',
      {
        document: { sides: 'two-sided-short-edge' },
        raster: abilities({ sheetBack: 'manual-tumble' }),
      },
      { turnsBacks: true },
    ],
    [
      'has one side where backs were to be mirrored',
      {
        document: { sides: 'two-sided-long-edge' },
        raster: abilities({ sheetBack: 'flipped' }),
      },
      { turnsBacks: false, sides: 'one-sided' },
    ],
  ])('%s', (_, given, wanted) => {
    expect(plan({ takes: [pwg], ...given })?.conversion).toMatchObject(wanted);
  });

  it.each<[string, readonly string[], Partial<Conversion>]>([
    ['in grey of eight bits', ['W8', 'RS600'], { color: 'grey', resolution: 600 }],
    ['in colour', ['W8', 'SRGB24', 'RS300-600'], { color: 'as-is', resolution: 300 }],
    ['where nothing is told', [], { color: 'as-is', resolution: 300 }],
  ])('of Apple %s', (_, words, wanted) => {
    expect(plan({ takes: [urf], raster: abilities({ urf: words }) })?.conversion).toMatchObject(wanted);
  });

  it.each<[string, Partial<Conversion>]>([
    ['DM1', { turnsBacks: false, sides: 'two-sided-long-edge' }],
    ['DM2', { turnsBacks: false, sides: 'one-sided' }],
    ['DM3', { turnsBacks: true, sides: 'two-sided-long-edge' }],
    ['DM4', { turnsBacks: false, sides: 'two-sided-long-edge' }],
  ])('of Apple has the backs as %s of urf-supported says, whatever PWG raster has', (word, wanted) => {
    const raster = abilities({ urf: ['W8', word], sheetBack: word === 'DM3' ? 'normal' : 'rotated' });
    const document = { sides: 'two-sided-long-edge' } as const;
    expect(plan({ takes: [urf], document, raster })?.conversion).toMatchObject(wanted);
  });

  it('is read from what the printer says (PWG 5102.4 section 5)', () => {
    const found = rasterAbilities([
      attribute('pwg-raster-document-resolution-supported', resolution(600, 600), resolution(1200, 600)),
      attribute('pwg-raster-document-type-supported', keyword('srgb_8'), keyword('sgray_8')),
      attribute('pwg-raster-document-sheet-back', keyword('rotated')),
      attribute('urf-supported', keyword('W8'), keyword('RS300-600')),
    ]);
    expect(found).toEqual({
      types: ['srgb_8', 'sgray_8'],
      resolutions: [600],
      sheetBack: 'rotated',
      urf: ['W8', 'RS300-600'],
    });
    expect(resolutionFor(pdf, found)).toBe(600);
  });
});
