import { describe, expect, it } from 'vitest';
import type { Document, Sides } from '../../../src/domain/document.ts';
import type { Change } from '../../../src/domain/document-changes.ts';
import type { PickedPages } from '../../../src/domain/page-range.ts';
import type { Conversion, SheetBacks } from '../../../src/domain/ports/printing.ts';
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
const pcl = 'application/vnd.hp-PCL';
const pwg = 'image/pwg-raster';
const urf = 'image/urf';

type Case = Partial<Omit<ConversionCase, 'ticket'>> & {
  readonly document?: Partial<Document>;
  readonly monochrome?: boolean;
  readonly picked?: PickedPages;
  readonly chosen?: Change;
};

function plan({ document, monochrome = false, picked, chosen, ...facts }: Case = {}) {
  const ticket: Ticket = sampleTicket(document, {
    monochrome,
    ...(picked && { picked }),
    ...(chosen && { changed: chosen }),
  });
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
    ['PCL 5 last, in grey', { takes: [pcl] }, pcl, { format: pcl, color: 'grey', resolution: 600 }],
    ['raster before PCL 5', { takes: [pcl, pwg] }, pwg, { format: pwg }],
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

describe('what the converter reads and never writes', () => {
  const png = 'image/png';

  it.each<[string, Case, unknown]>([
    ['goes as it is to a printer that lists it', { takes: [pdf, png] }, { format: png }],
    ['becomes PDF where the printer takes that', { takes: [pwg, pdf] }, { conversion: { format: pdf } }],
    ['becomes raster where there is nothing else', { takes: [pwg] }, { conversion: { format: pwg } }],
    ['becomes PDF for a printer that tells nothing', { takes: [] }, { conversion: { format: pdf } }],
    [
      'becomes PDF where copies are made here',
      { takes: [png, pdf], document: { copies: 3 }, longestCopies: 1 },
      { conversion: { format: pdf, copies: 3 } },
    ],
    [
      'goes as it is, whatever is asked, where there is nothing else',
      { takes: [png], document: { copies: 3 }, longestCopies: 1 },
      { format: png, conversion: undefined },
    ],
  ])('%s', (_, given, wanted) => {
    expect({ conversion: undefined, ...plan({ ...given, format: png }) }).toMatchObject(wanted as object);
  });
});

describe('PostScript that would outlast its job (T16)', () => {
  it.each<[string, Partial<Case>, unknown]>([
    ['becomes PDF where the printer takes it', { takes: [postscript, pdf] }, { conversion: { format: pdf } }],
    [
      'is written anew for one that takes PostScript alone',
      { takes: [postscript] },
      { conversion: { format: postscript } },
    ],
    ['is written anew for one that tells nothing', { takes: [] }, { conversion: { format: postscript } }],
    [
      'goes as it is where nothing is to be done with documents',
      { takes: [postscript, pdf], outputType: 'raw' },
      { format: postscript, conversion: undefined },
    ],
  ])('%s', (_, given, wanted) => {
    const planned = plan({ ...given, format: postscript, hidesProgram: true });
    expect({ conversion: undefined, ...planned }).toMatchObject(wanted as object);
  });

  it.each([pclXl, 'image/jpeg', 'image/png'])(
    'is refused behind %s that cannot be written anew',
    (format) => {
      expect(plan({ format, takes: [format], hidesProgram: true })).toBeUndefined();
      expect(plan({ format, takes: [format], hidesProgram: true, outputType: 'raw' })).toEqual({ format });
    },
  );

  it('is left out of a PDF that it is hidden in', () => {
    expect(plan({ format: pdf, takes: [pdf], hidesProgram: true })).toMatchObject({
      conversion: { format: pdf, isWrittenAnew: true },
    });
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

describe('some pages alone', () => {
  const picked = { from: 7, to: 12, of: 12 };

  it.each([pdf, postscript, 'text/plain'])(
    'are picked out of %s by the converter, whatever the printer takes',
    (format) => {
      expect(plan({ format, picked, takes: [pdf, format] })).toMatchObject({
        conversion: { picked: [{ from: 7, to: 12 }], exactPages: 12, recordedPages: 12, copies: 1 },
      });
    },
  );

  it.each<[string, Case]>([
    ['of a format that the converter does not read', { format: 'image/jpeg', takes: ['image/jpeg', pdf] }],
    ['where documents are left as they are', { outputType: 'raw' }],
    ['for a printer that takes nothing that can be made', { format: 'image/png', takes: ['image/png'] }],
  ])('are refused %s: all of it would come out', (_, facts) => {
    expect(plan({ ...facts, picked })).toBeUndefined();
  });

  it('may be those that the person chose, of a document that need not have exactly as many as its record', () => {
    const pages = { ranges: [{ from: 3, to: 3 }, picked], of: 12 };
    const planned = plan({ chosen: { pages } });
    expect(planned).toMatchObject({ conversion: { picked: pages.ranges, recordedPages: 12 } });
    expect(planned?.conversion).not.toHaveProperty('exactPages');
  });
});

describe('a document that is made to fit other paper', () => {
  const chosen = { onPaper: 'A4' };
  const document = { paperSize: 'A4' };

  it.each([pdf, postscript])('is rendered for that paper, also where %s stays', (format) => {
    expect(plan({ format, document, chosen, takes: [format] })).toMatchObject({
      format,
      conversion: { format, media: 'iso_a4_210x297mm', isFitted: true },
    });
  });

  it('is not printed where the converter cannot read it', () => {
    const facts = { format: 'image/jpeg', takes: ['image/jpeg', pdf] };
    expect(plan({ ...facts, document, chosen })).toBeUndefined();
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
    ['is what is usual where nothing is told', {}, { rasterType: 'srgb_8' }],
    [
      'is grey in colour where grey is wanted and only colour is taken',
      { monochrome: true, raster: abilities({ types: ['srgb_8'] }) },
      { color: 'grey', rasterType: 'srgb_8' },
    ],
    [
      'is black of eight bits rather than of one',
      { raster: abilities({ types: ['black_1', 'black_8'] }) },
      { color: 'grey', rasterType: 'black_8' },
    ],
    [
      'is black of one bit where nothing else is taken',
      { raster: abilities({ types: ['black_1', 'device3_16'] }) },
      { color: 'grey', rasterType: 'black_1' },
    ],
    [
      'is of the inks where only those are taken in colour',
      { raster: abilities({ types: ['black_8', 'cmyk_8'] }) },
      { color: 'as-is', rasterType: 'cmyk_8' },
    ],
  ])('%s', (_, given, wanted) => {
    expect(plan({ takes: [pwg], ...given })?.conversion).toMatchObject(wanted);
  });

  it('is not what the printer does not list, but Apple’s, or nothing', () => {
    const raster = abilities({ types: ['adobe-rgb_16', 'device4_8'] });
    expect(plan({ takes: [pwg], raster })).toBeUndefined();
    expect(plan({ takes: [pwg, urf], raster })?.conversion).toMatchObject({ format: urf });
    expect(plan({ takes: [urf], raster: abilities({ urf: ['V1.4', 'DEVRGB24', 'RS600'] }) })).toBeUndefined();
  });

  it.each<[string, string, SheetBacks | undefined]>([
    ['normal', 'two-sided-long-edge', undefined],
    ['normal', 'two-sided-short-edge', undefined],
    ['flipped', 'two-sided-long-edge', { crossFeed: 1, feed: -1 }],
    ['flipped', 'two-sided-short-edge', { crossFeed: -1, feed: 1 }],
    ['rotated', 'two-sided-long-edge', { crossFeed: -1, feed: -1 }],
    ['rotated', 'two-sided-short-edge', undefined],
    ['manual-tumble', 'two-sided-long-edge', undefined],
    ['manual-tumble', 'two-sided-short-edge', { crossFeed: -1, feed: -1 }],
    ['flipped', 'one-sided', undefined],
  ])('has backs for a printer that wants them %s, %s (PWG 5102.4 table 9)', (sheetBack, sides, backs) => {
    const document = { sides: sides as Sides };
    const planned = plan({ takes: [pwg], document, raster: abilities({ sheetBack }) });
    expect(planned?.conversion).toMatchObject({ sides, backs });
  });

  it('has no backs for a printer that does not list two sides', () => {
    const document = { sides: 'two-sided-long-edge' } as const;
    const raster = abilities({ sheetBack: 'rotated' });
    expect(plan({ takes: [pwg], document, raster, sides: ['one-sided'] })?.conversion).toMatchObject({
      sides: 'one-sided',
      backs: undefined,
    });
    const reported = { sides: document.sides, backs: { crossFeed: -1, feed: -1 } };
    for (const sides of [[], ['one-sided', 'two-sided-long-edge']]) {
      expect(plan({ takes: [pwg], document, raster, sides })?.conversion).toMatchObject(reported);
    }
  });

  it.each<[string, readonly string[], Partial<Conversion>]>([
    ['in grey of eight bits', ['W8', 'RS600'], { color: 'grey', resolution: 600 }],
    ['in colour', ['W8', 'SRGB24', 'RS300-600'], { color: 'as-is', rasterType: 'srgb_8', resolution: 300 }],
    ['in depths of a range', ['W8-16', 'SRGB24-48'], { rasterType: 'srgb_8' }],
    ['in colour alone', ['SRGB24', 'RS300'], { color: 'as-is', rasterType: 'srgb_8' }],
    ['where nothing is told', [], { color: 'as-is', resolution: 300 }],
  ])('of Apple %s', (_, words, wanted) => {
    expect(plan({ takes: [urf], raster: abilities({ urf: words }) })?.conversion).toMatchObject(wanted);
  });

  it.each<[string, SheetBacks | undefined]>([
    ['DM1', undefined],
    ['DM2', { crossFeed: 1, feed: -1 }],
    ['DM3', { crossFeed: -1, feed: -1 }],
    ['DM4', undefined],
  ])('of Apple has the backs as %s of urf-supported says, whatever PWG raster has', (word, backs) => {
    const raster = abilities({ urf: ['W8', word], sheetBack: word === 'DM3' ? 'normal' : 'rotated' });
    const document = { sides: 'two-sided-long-edge' } as const;
    expect(plan({ takes: [urf], document, raster })?.conversion).toMatchObject({
      sides: document.sides,
      backs,
    });
  });

  it('is read from what the printer says (PWG 5102.4 section 5)', () => {
    const found = rasterAbilities([
      attribute('pwg-raster-document-resolution-supported', resolution(600, 600), resolution(1200, 600)),
      attribute('pwg-raster-document-type-supported', keyword('srgb_8'), keyword('sgray_8')),
      attribute('pwg-raster-document-sheet-back', keyword('rotated')),
      attribute('urf-supported', keyword('W8'), keyword('RS300-600')),
    ]);
    expect(found).toEqual({
      papers: [],
      types: ['srgb_8', 'sgray_8'],
      resolutions: [600],
      sheetBack: 'rotated',
      urf: ['W8', 'RS300-600'],
    });
    expect(resolutionFor(pdf, found)).toBe(600);
  });
});
